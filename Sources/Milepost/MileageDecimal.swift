/// The units of mileages.
extension MileageParser {
  package enum Unit: Sendable {
    case kilometres
    case metres
    case miles
    case feet
    case hectometres
    case chains

    var micrometres: UInt64 {
      switch self {
      case .kilometres: 1_000 * Mileage.micrometresPerMetre
      case .metres: Mileage.micrometresPerMetre
      case .miles: Mileage.micrometresPerMile
      case .feet: 304_800
      case .hectometres: 100 * Mileage.micrometresPerMetre
      case .chains: Mileage.micrometresPerMile / 80
      }
    }

    var notation: Mileage.Notation {
      switch self {
      case .miles, .chains: .miles
      case .kilometres, .metres, .feet, .hectometres: .kilometres
      }
    }
  }
}

/// A decimal number without sign: `whole` and `fraction`/10^`decimals`, no trailing zeros.
struct MileageDecimal {
  var whole: UInt64 = 0
  var fraction: UInt64 = 0
  var decimals = 0
  /// Some digit lies beyond ``decimalLimit``.
  var isTooFine = false

  /// How many digits stand before the point, leading zeros among them.
  var wholeDigits = 0

  var isWhole: Bool { decimals == 0 && !isTooFine }

  /// A mile has no whole micrometres beyond its tenth decimal, a kilometre beyond its ninth.
  static let decimalLimit = 10
  static let wholeLimit: UInt64 = 1_000_000_000

  func micrometres(per unit: MileageParser.Unit) throws(MileageError.Reason) -> UInt64 {
    guard whole <= Self.wholeLimit else { throw .outOfRange }
    guard !isTooFine else { throw .tooFine }
    var scale: UInt64 = 1
    for _ in 0..<decimals { scale *= 10 }
    let (part, rest) = (fraction * unit.micrometres).quotientAndRemainder(dividingBy: scale)
    guard rest == 0 else { throw .tooFine }
    return whole * unit.micrometres + part
  }

  /// A whole number whose last `places` digits are decimals; at most 10.
  func shifted(_ places: Int) -> MileageDecimal {
    let places = min(max(places, 0), Self.decimalLimit)
    var (divisor, result) = (UInt64(1), self)
    for _ in 0..<places { divisor *= 10 }
    (result.whole, result.fraction) = whole.quotientAndRemainder(dividingBy: divisor)
    result.decimals = places
    return result
  }
}
