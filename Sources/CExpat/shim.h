#pragma once
#include <expat.h>

/* Expat 2.8 deprecates these three for ones of 64 bits, which earlier releases lack. On Linux's 64-bit
   machines they are as wide; they return 0, or -1 for the index, after an error. */
static inline unsigned long milepost_xml_line(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
static inline unsigned long milepost_xml_column(XML_Parser parser) { return XML_GetCurrentColumnNumber(parser); }
static inline long milepost_xml_byte_index(XML_Parser parser) { return XML_GetCurrentByteIndex(parser); }
