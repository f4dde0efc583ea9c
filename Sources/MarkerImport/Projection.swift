import CProj
import Geodesy

/// Turns coordinates of a projected system into WGS-84; PROJ.
final class Projection {
  let name: String
  private let context: OpaquePointer?
  private let transformation: OpaquePointer

  init(_ name: String) throws(ImportFault) {
    self.name = name
    context = proj_context_create()
    proj_log_level(context, PJ_LOG_NONE)
    let crude = proj_create_crs_to_crs(context, name, "EPSG:4326", nil)
    guard let crude, let normalised = proj_normalize_for_visualization(context, crude) else {
      let reason = proj_context_errno_string(context, proj_context_errno(context))
        .map { String(cString: $0) }
      proj_destroy(crude)
      proj_context_destroy(context)
      throw ImportFault(
        .usage, "\"\(name)\" is no coordinate system (use EPSG:3826): \(reason ?? "unknown")")
    }
    proj_destroy(crude)
    transformation = normalised
  }

  deinit {
    proj_destroy(transformation)
    proj_context_destroy(context)
  }

  /// Nil where the place is outside the system.
  func coordinate(x: Double, y: Double) -> Coordinate? {
    let result = proj_trans(transformation, PJ_FWD, proj_coord(x, y, 0, 0))
    let place = Coordinate(latitude: result.xy.y, longitude: result.xy.x)
    return place.isValid ? place : nil
  }
}
