public import CastProtocol

/// The data that a later process needs to resume a session after a crash or a restart (protocol 14.1, resume).
public struct SavedSession: Sendable, Hashable {
  /// The device, with its last known endpoint.
  public var device: Device
  /// The application's id.
  public var applicationID: String
  /// The device's id of the running instance of the application.
  public var applicationSessionID: String

  /// A session of an application on a device.
  public init(device: Device, applicationID: String, applicationSessionID: String) {
    self.device = device
    self.applicationID = applicationID
    self.applicationSessionID = applicationSessionID
  }
}

extension Session {
  /// The data to resume this session later; nil while no application is joined.
  public nonisolated var saved: SavedSession? {
    let picture = picture
    return picture.application.map {
      SavedSession(
        device: picture.device, applicationID: $0.applicationID, applicationSessionID: $0.sessionID.rawValue)
    }
  }
}
