import CExpat

/// Reads KML placemarks, GPX waypoints and OSM milestones; expat.
final class XMLRecords: RecordReader {
  private let source: TextSource
  private let parser: XML_Parser
  private let elements: XMLElements
  private var isDone = false
  private var parsedBytes = 0

  init(_ source: TextSource, wanted: WantedFields) throws(ImportFault) {
    self.source = source
    // The text has been converted, whatever its declaration says.
    guard let parser = XML_ParserCreate("UTF-8") else {
      throw ImportFault(.inputOutput, "\(source.name): no memory for an XML parser")
    }
    self.parser = parser
    elements = XMLElements(wanted: wanted)
    XML_SetUserData(parser, Unmanaged.passUnretained(elements).toOpaque())
    XML_SetElementHandler(
      parser,
      { user, name, attributes in
        XMLElements.from(user)?.start(text(name), pairs(attributes))
      },
      { user, name in XMLElements.from(user)?.end(text(name)) })
    XML_SetCharacterDataHandler(parser) { user, characters, count in
      guard let characters, count > 0 else { return }
      let bytes = UnsafeBufferPointer(start: characters, count: Int(count))
      XMLElements.from(user)?.characters(bytes)
    }
  }

  deinit { XML_ParserFree(parser) }

  func next(_ record: inout Record) throws(ImportFault) -> Bool {
    while true {
      if let found = elements.popRecord() {
        record = found
        return true
      }
      if isDone { return false }
      try parse()
    }
  }

  /// Parses a piece of the window; a small one, so that few records wait at a time.
  private func parse() throws(ImportFault) {
    if source.position == source.window.count { _ = try source.refill() }
    let piece = source.window[source.position...].prefix(16_384)
    isDone = piece.isEmpty && source.isAtEnd
    source.position += piece.count
    elements.line = Int(milepost_xml_line(parser))
    let status = piece.withUnsafeBytes { bytes in
      XML_Parse(
        parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
        isDone ? 1 : 0)
    }
    guard status != XML_STATUS_ERROR else {
      let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
      throw ImportFault(
        .data,
        "\(source.name):\(milepost_xml_line(parser)): byte "
          + "\(milepost_xml_column(parser) + 1) of the line: \(reason ?? "no XML")"
          + (isDone ? " (is the file cut off?)" : ""))
    }
    parsedBytes += piece.count
    // expat looks at an unended tag anew with each piece.
    guard parsedBytes - Int(milepost_xml_byte_index(parser)) <= recordLimit + piece.count else {
      throw ImportFault(
        .data,
        "\(source.name):\(milepost_xml_line(parser)): a tag or comment is longer than 1 MiB")
    }
    if isDone, let root = elements.unknownRoot {
      throw ImportFault(.data, "\(source.name): <\(root)> is neither kml, gpx nor osm")
    }
  }
}

private func text(_ characters: UnsafePointer<XML_Char>?) -> String {
  characters.map { String(cString: $0) } ?? ""
}

private func pairs(_ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?)
  -> [String: String]
{
  var result: [String: String] = [:]
  guard var attribute = attributes else { return result }
  while attribute.pointee != nil {
    result[text(attribute.pointee)] = text(attribute.successor().pointee)
    attribute = attribute.advanced(by: 2)
  }
  return result
}
