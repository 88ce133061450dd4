import CastProtocol
import CastqText

/// What is kept and shown of the place that a calendar comes from, and by which a later import recognises it.
package enum CalendarOrigin {
  /// An address without user, password and query, whatever folder the import runs in; else an absolute path; `-` stays.
  ///
  /// A query may be a secret, and may be what tells two calendars of a server apart: a short digest of it stands in its place, which
  /// says no more than whether it is the same.
  /// - Parameter directory: the folder that a relative path is resolved in.
  package static func text(of source: String, in directory: String) -> String {
    if source == "-" { return "-" }
    let source = addresses(of: source).first ?? source
    guard WebAddress.isOnWeb(source) else {
      return FilePath.isURL(source)
        ? (try? FilePath.path(url: source)) ?? source : FilePath.absolute(source, in: directory)
    }
    // Sources that were kept before have no sign of a user.
    let shown = AddressText.withoutSecrets(address: source).replacing("://\(AddressText.mark)@", with: "://")
    guard let mark = source.utf8.firstIndex(of: UInt8(ascii: "?")) else { return shown }
    return "\(shown)\(digest(source.utf8[mark...]))"
  }

  /// The addresses that a source means, in the order in which they are asked; none for a file.
  ///
  /// `webcal:` is what programs call a calendar that may be subscribed to. It is registered as another word for http; calendars are on
  /// https since.
  package static func addresses(of source: String) -> [String] {
    if WebAddress.isOnWeb(source) { return [source] }
    guard let (scheme, rest) = WebAddress.scheme(of: source), scheme == "webcal" || scheme == "webcals",
      rest.hasPrefix("//")
    else { return [] }
    return ["https:\(rest)", "http:\(rest)"]
  }

  /// FNV-1a, folded to 32 bits: enough to tell a few calendars apart, and too little to find a key by.
  private static func digest(_ bytes: some Sequence<UInt8>) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let text = String(UInt32(truncatingIfNeeded: hash ^ (hash >> 32)), radix: 16)
    return String(repeating: "0", count: 8 - text.utf8.count) + text
  }
}
