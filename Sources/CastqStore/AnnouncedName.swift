import CastProtocol
import CastqCore

/// Names that devices give themselves. Announcements are not authenticated: no device becomes another one, or several, by its name.
enum AnnouncedName {
  /// Whether a text reads as a UUID or as a place, which mean what has that UUID or is there, whatever calls itself so.
  static func isMisleading(_ text: String) -> Bool {
    Device.normalizedID(text) != nil || DeviceEndpoint.isPlace(text)
  }
}
