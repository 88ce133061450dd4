package import CastqText

/// How `castq mpd` serves: `mpd:` of the configuration. The daemon does without it.
package struct MPDRules: Sendable, Hashable {
  /// Where clients of the default device connect; nil is the loopback.
  package var listen: MPDListen?
  /// Where clients of single devices connect that know no partitions, in the order of the file.
  package var devices: [Named] = []
  /// Whether a password is asked for on loopback, too.
  package var alwaysAsksForPassword = false
  /// The folders whose files clients see and enqueue where the library has none; absolute. Without one they enqueue addresses and stored lists.
  package var folders: [String] = []
  /// The folder of stored lists; absolute. Nil is one beside the database.
  package var playlists: String?

  /// A device with a place of its own.
  package struct Named: Sendable, Hashable {
    /// Alias, name, UUID or address.
    package var name: String
    package var listen: MPDListen
  }
}

/// Where clients of the Music Player Daemon connect.
package enum MPDListen: Sendable, Hashable {
  case address(WebListen)
  /// A socket in the file system, by its absolute path.
  case socket(String)

  /// The port that clients expect, on the loopback.
  package static let standard = "127.0.0.1:6600"

  /// Parses `HOST:PORT`, `[V6]:PORT` or an absolute path.
  package init(_ text: String) throws(TextError) {
    guard text.hasPrefix("/") else {
      do throws(TextError) { self = .address(try WebListen(text)) } catch {
        throw TextError(
          error.message, hint: "write HOST:PORT, such as \(Self.standard), or the absolute path of a socket")
      }
      return
    }
    guard text.utf8.count <= 107, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !text.hasSuffix("/")
    else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is no path of a socket", hint: "it has at most 107 bytes on one line"
      )
    }
    self = .socket(text)
  }
}
