import CastqDaemon
import CastqOperations
import CastqText
import Glibc

/// The files of the current folder that can be queued.
enum PlayableFiles {
  /// Entries of the folder that are looked at.
  private static let limit = 2000

  private static let extensions: Set<String> = [
    "m3u", "m3u8", "pls", "xspf", "jspf", "mp4", "m4v", "mkv", "webm", "mov", "avi", "mpg", "mpeg", "ts",
    "mp3", "m4a",
    "aac", "flac", "ogg", "oga", "opus", "wav", "jpg", "jpeg", "png", "gif", "webp",
  ]

  /// Lists first, then media, by their names; none where the folder cannot be read.
  static func here() -> [String] {
    var lists: [String] = []
    var media: [String] = []
    for name in (FolderEntry.all(in: ".", limit: limit) ?? []).map(\.name) {
      guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { continue }
      let suffix = name[name.index(after: dot)...].lowercased()
      guard extensions.contains(suffix), TerminalText.sanitized(name) == name else { continue }
      if ["m3u", "m3u8", "pls", "xspf", "jspf"].contains(suffix) {
        lists.append(name)
      } else {
        media.append(name)
      }
    }
    return lists.sorted(by: NaturalOrder.precedes) + media.sorted(by: NaturalOrder.precedes)
  }

  /// What was typed, with the home folder for `~/`, without blanks around it and without the quotes that a terminal puts around a file that is
  /// dropped on it.
  static func expanded(_ source: String) -> String {
    var text = source.drop { $0 == " " }
    while text.last == " " { text = text.dropLast() }
    for quote in ["'", "\""] where text.count > 2 && text.hasPrefix(quote) && text.hasSuffix(quote) {
      text = text.dropFirst().dropLast()
    }
    return text.hasPrefix("~/") ? Environment.home + text.dropFirst() : String(text)
  }
}
