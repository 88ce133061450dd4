public import CastProtocol

/// What a later process needs to take up a session: of a program that crashed, or was started anew (protocol 14.1, resume).
public struct SavedSession: Sendable, Hashable {
  /// The device, and where it was last.
  public var device: Device
  /// The application.
  public var applicationID: String
  /// The running instance of the application, as the device names it.
  public var applicationSessionID: String

  /// A session of an application on a device.
  public init(device: Device, applicationID: String, applicationSessionID: String) {
    self.device = device
    self.applicationID = applicationID
    self.applicationSessionID = applicationSessionID
  }
}

extension Session {
  /// What it takes to resume this session later; nil while no application is joined.
  public nonisolated var saved: SavedSession? {
    let picture = picture
    return picture.application.map {
      SavedSession(
        device: picture.device, applicationID: $0.applicationID, applicationSessionID: $0.sessionID.rawValue)
    }
  }
}
