/// Makes records of the elements of KML, GPX and OSM.
///
/// KML: `name`, `description`, `folder`, and the names of extended data. GPX: `name`, `desc`, `cmt`,
/// `sym`, `type` and others directly within a waypoint. OSM: the tags, `@id`, and `@way:ref`, the `ref` of
/// a way with `highway` or `railway` that the milestone is a node of. The place is `@lat` and `@lon`.
final class XMLElements {
  private enum Format { case kml, gpx, osm }

  private let wanted: WantedFields
  private var format: Format?
  private(set) var unknownRoot: String?
  private var path: [String] = []
  private var text: [UInt8] = []
  /// More of ``text`` has been dropped.
  private var isTextTooLong = false
  private var record: Record?
  private var records: [Record] = []
  private var taken = 0
  /// Kept by the reader: about where the parser is.
  var line = 0
  private var folders: [String] = []
  private var dataName = ""
  /// Of the KML placemark.
  private var points = 0
  private var milestones = MilestoneNodes()

  init(wanted: WantedFields) { self.wanted = wanted }

  static func from(_ pointer: UnsafeMutableRawPointer?) -> XMLElements? {
    pointer.map { Unmanaged<XMLElements>.fromOpaque($0).takeUnretainedValue() }
  }

  func popRecord() -> Record? {
    guard taken < records.count else {
      records.removeAll(keepingCapacity: true)
      taken = 0
      return nil
    }
    taken += 1
    return records[taken - 1]
  }

  func start(_ name: String, _ attributes: [String: String]) {
    let name = Self.local(name)
    path.append(name)
    clearText()
    if path.count == 1 { begin(name) }
    switch format {
    case .kml: startKML(name, attributes)
    case .gpx where name == "wpt": beginPoint(attributes["lat"], attributes["lon"])
    case .osm: startOSM(name, attributes)
    default: break
    }
  }

  func end(_ name: String) {
    let name = Self.local(name)
    switch format {
    case .kml: endKML(name)
    case .gpx: endGPX(name)
    case .osm: endOSM(name)
    case nil: break
    }
    path.removeLast()
    clearText()
  }

  private func clearText() {
    text.removeAll(keepingCapacity: true)
    isTextTooLong = false
  }

  func characters(_ bytes: UnsafeBufferPointer<CChar>) {
    guard record != nil || format == .kml else { return }
    guard text.count + bytes.count <= recordLimit else {
      isTextTooLong = true
      return
    }
    text.append(contentsOf: bytes.lazy.map { UInt8(bitPattern: $0) })
  }

  private func begin(_ root: String) {
    switch root {
    case "kml": format = .kml
    case "gpx": format = .gpx
    case "osm": format = .osm
    default: unknownRoot = root
    }
  }

  private static func local(_ name: String) -> String {
    name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  private func beginRecord() {
    if record != nil {
      record?.fault = "holds another one"
      finish()
    }
    var new = Record(slots: wanted.names.count)
    new.clear(line: line)
    record = new
  }

  private func beginPoint(_ latitude: String?, _ longitude: String?) {
    beginRecord()
    set(WantedFields.latitude, latitude)
    set(WantedFields.longitude, longitude)
  }

  private func set(_ field: String, _ value: String?) {
    guard let slot = wanted.slot(of: field), let value else { return }
    record?.set(slot, value.utf8)
  }

  private func setText(_ field: String) {
    guard let slot = wanted.slot(of: field) else { return }
    if isTextTooLong { record?.fault = "\(field) is longer than 1 MiB" }
    record?.set(slot, text)
  }

  private func finish() {
    if let record { records.append(record) }
    record = nil
  }
}

extension XMLElements {
  private func startKML(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "Folder": folders.append("")
    case "Placemark":
      beginRecord()
      points = 0
      set("folder", folders.last)
    case "Data", "SimpleData": dataName = attributes["name"] ?? ""
    default: break
    }
  }

  private func endKML(_ name: String) {
    let parent = path.dropLast().last
    switch name {
    case "Folder": _ = folders.popLast()
    case "name" where parent == "Folder":
      if !folders.isEmpty { folders[folders.count - 1] = String(decoding: text, as: UTF8.self) }
    case "name" where parent == "Placemark", "description" where parent == "Placemark":
      setText(name)
    case "value" where parent == "Data", "SimpleData": setText(dataName)
    case "coordinates" where parent == "Point": place()
    case "Placemark": finish()
    default: break
    }
  }

  /// `longitude,latitude[,altitude]`
  private func place() {
    if points > 0 { record?.fault = "has several points" }
    points += 1
    let parts = text[...].trimmed.split(separator: UInt8(ascii: ","))
    guard parts.count >= 2 else { return }
    if let slot = wanted.slot(of: WantedFields.longitude) { record?.set(slot, parts[0]) }
    if let slot = wanted.slot(of: WantedFields.latitude) { record?.set(slot, parts[1]) }
  }

  private func endGPX(_ name: String) {
    if name == "wpt" {
      finish()
    } else if record != nil {
      setText(name)
    }
  }

  private func startOSM(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "node":
      beginPoint(attributes["lat"], attributes["lon"])
      set("@id", attributes["id"])
      milestones.begin(id: attributes["id"] ?? "")
    case "way": milestones.beginWay()
    case "nd": milestones.addNode(attributes["ref"] ?? "")
    case "tag":
      let (key, value) = (attributes["k"] ?? "", attributes["v"] ?? "")
      milestones.addTag(key, value)
      if record != nil { set(key, value) }
    default: break
    }
  }

  private func endOSM(_ name: String) {
    switch name {
    case "node":
      if let record { milestones.endNode(record) }
      record = nil
    case "way": milestones.endWay()
    case "osm":
      for (node, ref) in milestones.finish() {
        record = node
        set("@way:ref", ref)
        finish()
      }
    default: break
    }
  }
}

/// The milestones of an OSM file, which wait for the ways that follow the nodes.
struct MilestoneNodes {
  private var nodes: [(record: Record, ref: String?)] = []
  private var places: [String: Int] = [:]
  private var id = ""
  private var isMilestone = false
  private var isInWay = false
  private var isRoad = false
  private var ref: String?
  private var wayNodes: [Int] = []

  mutating func begin(id: String) {
    self.id = id
    isMilestone = false
  }

  mutating func addTag(_ key: String, _ value: String) {
    let isWay = key == "highway" || key == "railway"
    if isWay, value == "milestone" { isMilestone = true }
    if isInWay, isWay { isRoad = true }
    if isInWay, key == "ref" { ref = value }
  }

  mutating func endNode(_ record: Record) {
    guard isMilestone else { return }
    places[id] = nodes.count
    nodes.append((record, nil))
    isMilestone = false
  }

  mutating func beginWay() {
    (isInWay, isRoad, ref) = (true, false, nil)
    wayNodes.removeAll(keepingCapacity: true)
  }

  mutating func addNode(_ id: String) {
    if isInWay, let place = places[id] { wayNodes.append(place) }
  }

  /// The first way of a node counts.
  mutating func endWay() {
    isInWay = false
    guard isRoad, let ref else { return }
    for place in wayNodes where nodes[place].ref == nil { nodes[place].ref = ref }
  }

  mutating func finish() -> [(Record, String?)] {
    defer { self = MilestoneNodes() }
    return nodes.map { ($0.record, $0.ref) }
  }
}
