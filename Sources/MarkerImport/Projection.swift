import CProj
import Geodesy

/// Turns coordinates of a projected system into WGS-84; PROJ.
final class Projection {
  let name: String
  /// Nil where PROJ knows none.
  let area: AreaOfUse?
  private let context: OpaquePointer?
  private let transformation: OpaquePointer

  init(_ name: String) throws(ImportFault) {
    self.name = name
    let context = proj_context_create()
    proj_log_level(context, PJ_LOG_NONE)
    do throws(ImportFault) {
      let system = try Self.system(name, context)
      defer { proj_destroy(system) }
      area = Self.area(of: system, context)
      transformation = try Self.transformation(from: system, name, context)
      self.context = context
    } catch {
      proj_context_destroy(context)
      throw error
    }
  }

  deinit {
    proj_destroy(transformation)
    proj_context_destroy(context)
  }

  /// Nil where the place is outside the system. x is the easting, whatever the country calls it.
  func coordinate(x: Double, y: Double) -> Coordinate? {
    let result = proj_trans(transformation, PJ_FWD, proj_coord(x, y, 0, 0))
    let place = Coordinate(latitude: result.xy.y, longitude: result.xy.x)
    return place.isValid ? place : nil
  }

  /// By how many degrees a place is outside the area; 0 where that is not known.
  func excess(of place: Coordinate?) -> Double {
    guard let place else { return .infinity }
    return area?.excess(of: place) ?? 0
  }

  /// proj_create, proj_is_crs.
  private static func system(_ name: String, _ context: OpaquePointer?) throws(ImportFault)
    -> OpaquePointer
  {
    guard proj_context_get_database_path(context) != nil else {
      throw ImportFault(
        .inputOutput,
        "PROJ does not find its database proj.db (is the package proj-data installed?)")
    }
    let isString = name.hasPrefix("+") && name.firstRange(of: "type=crs") == nil
    let made = proj_create(context, isString ? "\(name) +type=crs" : name)
    guard let made, proj_is_crs(made) != 0 else {
      proj_destroy(made)
      let isNumber = !name.isEmpty && name.allSatisfy { $0.isASCII && $0.isNumber }
      let form =
        isNumber
        ? "write whose number it is, as EPSG:\(name)"
        : "use an authority and its number, as EPSG:3826, or a PROJ string, as +proj=utm +zone=51"
      throw ImportFault(.usage, "\"\(name)\" is no coordinate system that PROJ knows (\(form))")
    }
    return made
  }

  /// proj_get_area_of_use.
  private static func area(of system: OpaquePointer, _ context: OpaquePointer?) -> AreaOfUse? {
    var name: UnsafePointer<CChar>?
    var (west, south, east, north) = (0.0, 0.0, 0.0, 0.0)
    guard proj_get_area_of_use(context, system, &west, &south, &east, &north, &name) != 0,
      (-180...180).contains(west), (-180...180).contains(east), (-90...90).contains(south),
      (-90...90).contains(north)
    else { return nil }
    return AreaOfUse(
      name: name.map { String(cString: $0) } ?? "", west: west, south: south, east: east,
      north: north)
  }

  /// proj_create_crs_to_crs_from_pj, proj_normalize_for_visualization.
  private static func transformation(
    from system: OpaquePointer, _ name: String, _ context: OpaquePointer?
  ) throws(ImportFault) -> OpaquePointer {
    let degrees = proj_create(context, "EPSG:4326")
    let crude = proj_create_crs_to_crs_from_pj(context, system, degrees, nil, nil)
    defer {
      proj_destroy(degrees)
      proj_destroy(crude)
    }
    guard isHorizontal(system), let crude,
      let normalised = proj_normalize_for_visualization(context, crude)
    else {
      throw ImportFault(
        .usage, "\"\(name)\" is no system of x and y on a map (use one as EPSG:3826)")
    }
    return normalised
  }

  /// proj_get_type.
  private static func isHorizontal(_ system: OpaquePointer) -> Bool {
    switch proj_get_type(system) {
    case PJ_TYPE_PROJECTED_CRS, PJ_TYPE_GEOGRAPHIC_2D_CRS, PJ_TYPE_GEOGRAPHIC_3D_CRS,
      PJ_TYPE_COMPOUND_CRS, PJ_TYPE_BOUND_CRS:
      true
    default: false
    }
  }
}
