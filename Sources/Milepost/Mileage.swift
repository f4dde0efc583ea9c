/// The number on a milepost's plate, exact.
///
/// Held as whole micrometres: kilometres, thousandths of a mile (1,609.344 m), hundredths of a
/// foot and chains are whole numbers of them, so that no comparison ever rounds.
package struct Mileage: Hashable, Sendable {
  /// The notation in which a road counts.
  package enum Notation: UInt8, Sendable {
    /// `15K+200`
    case kilometres
    /// `MP 26.00`
    case miles
  }

  package let micrometres: Int64
  package let notation: Notation

  package init(micrometres: Int64, notation: Notation = .kilometres) {
    self.micrometres = micrometres
    self.notation = notation
  }
}
