import CastqText

/// The formats of playlists.
package enum PlaylistFormat: String, Sendable, Hashable, CaseIterable {
  /// M3U in any character set.
  case m3u
  /// M3U that is meant to be UTF-8.
  case m3u8
  case pls
  case xspf
  case jspf
  case json
  case yaml

  /// Whether it is castq's own format.
  package var isNative: Bool { self == .json || self == .yaml }

  /// The format of a file extension; nil when it is not one of a playlist.
  package init?(fileExtension: String) {
    let lower = fileExtension.lowercased()
    guard let format = lower == "yml" ? .yaml : PlaylistFormat(rawValue: lower) else { return nil }
    self = format
  }

  /// The format by the first bytes; nil when they do not look like a list. A list of bare paths or addresses, one per line, is
  /// M3U.
  package init?(sniffing bytes: [UInt8]) {
    var head = bytes.prefix(1024)
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { head = head.dropFirst(3) }
    if let wide = WideText(bytes)?.text(Array(head), { _, _ in nil }) { head = Array(wide.utf8)[...] }
    guard !head.contains(0) else { return nil }
    let text = head.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
    let word = String(decoding: line, as: UTF8.self).lowercased()
    switch text.first {
    case nil: return nil
    case UInt8(ascii: "#"): self = .m3u
    case UInt8(ascii: "<"): self = .xspf
    case UInt8(ascii: "{"): self = .json
    case UInt8(ascii: "[") where word.utf8.starts(with: "[playlist]".utf8): self = .pls
    case UInt8(ascii: "["): self = .json
    case UInt8(ascii: "%") where word.utf8.starts(with: "%yaml".utf8): self = .yaml
    case UInt8(ascii: "-") where word == "---" || word.utf8.starts(with: "- ".utf8): self = .yaml
    default:
      let key = line.prefix { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
      let rest = line.dropFirst(key.count)
      let isKey =
        !key.isEmpty && rest.first == UInt8(ascii: ":") && (rest.count == 1 || rest.dropFirst().first == 0x20)
      self = isKey ? .yaml : .m3u
    }
  }
}
