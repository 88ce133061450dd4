import CastProtocol
import CastqPlaylists

/// Names that devices give themselves. Announcements are not authenticated: no device becomes another one, or several, by its name.
enum AnnouncedName {
  /// Whether a text reads as a UUID or as a place, which mean what has that UUID or is there, whatever calls itself so.
  static func isMisleading(_ text: String) -> Bool {
    Device.normalizedID(text) != nil || DeviceEndpoint.isPlace(text)
  }

  /// A name without each `@` at its beginning and the blanks behind it, with which it reads as a group; empty if nothing else is in it.
  static func ungrouped(_ text: String) -> String {
    guard text.utf8.first == UInt8(ascii: "@") else { return text }
    return String(text.unicodeScalars.drop { $0 == "@" || $0 == " " })
  }

  /// The name or alias in a row, as it is read: earlier versions have stored names that read as groups.
  static func stored(_ text: String, of device: DeviceID) -> String {
    let name = ungrouped(text)
    return name.isEmpty && !text.isEmpty ? "device \(device.rawValue)" : name
  }
}
