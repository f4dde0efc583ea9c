/// Why a text is no mileage.
package struct MileageError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// Written in no known way.
    case notation
    /// Not a whole number of micrometres.
    case tooFine
    /// Beyond ±1,000,000 km.
    case outOfRange
  }

  package let reason: Reason
  package let text: String

  package init(_ reason: Reason, text: String) {
    self.reason = reason
    self.text = text
  }
}

extension MileageError: CustomStringConvertible {
  package var description: String {
    switch reason {
    case .notation: "\"\(text)\" is not a mileage (use 15K+200, 15.2 or MP 26.00)"
    case .tooFine: "\"\(text)\" is finer than a micrometre (use fewer decimals)"
    case .outOfRange: "\"\(text)\" is out of range (use a mileage within ±1000000 km)"
    }
  }
}
