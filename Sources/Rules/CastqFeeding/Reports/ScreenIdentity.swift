import CastqPlaylists

/// What tells a screen from others in reports, whatever either is called.
enum ScreenIdentity: Sendable, Hashable {
  case device(DeviceID)
  /// One that was removed has its name alone.
  case removed(name: String)

  fileprivate init(_ id: DeviceID?, name: String) { self = id.map { .device($0) } ?? .removed(name: name) }
}

extension ReportPlay {
  var screenIdentity: ScreenIdentity { ScreenIdentity(deviceID, name: device) }
}

extension Outage {
  var screenIdentity: ScreenIdentity { ScreenIdentity(deviceID, name: device) }
}
