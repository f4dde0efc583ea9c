package import Geodesy

/// `340 m` or `12.3 km`.
package func distanceText(_ distance: Metres) -> String {
  guard distance >= 1_000 else { return "\(Int(distance.rounded())) m" }
  let tenths = Int((distance / 100).rounded())
  return "\(tenths / 10).\(tenths % 10) km"
}
