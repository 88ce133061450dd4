import CastProtocol
package import CastqText

/// Headers that a list wants its addresses to be asked with, in the ways of other players. A device fetches by itself and sends its own.
package enum DemandedHeaders {
  /// A warning for each entry whose address wants a header, at its line. What a list wants for all of them is said of the first.
  /// - Parameter list: what the list says of itself.
  package static func issues(of drafts: [EntryDraft], in list: ForeignFields) -> [PlaylistIssue] {
    func isOfWeb(_ draft: EntryDraft) -> Bool {
      ["http", "https"].contains(WebAddress.scheme(of: draft.media.url)?.scheme)
    }
    let first = drafts.firstIndex(where: isOfWeb)
    return drafts.enumerated().compactMap { index, draft in
      guard isOfWeb(draft) else { return nil }
      let names = names(index == first ? list.joined(with: draft.foreign) : draft.foreign)
      guard !names.isEmpty else { return nil }
      let place = draft.source ?? SourceLocation(file: draft.media.url)
      let words = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? "…" : "")
      return PlaylistIssue(
        .warning, file: place.file, line: place.line ?? 1,
        message:
          "the list wants this address to be asked with \(words), and a Cast device fetches it without",
        hint: "if its server insists, name a copy on this computer, or let a resolver find another address")
    }
  }

  /// The names of the headers, each once, in the order of the list.
  static func names(_ fields: ForeignFields) -> [String] {
    var names: [String] = []
    func add(_ name: String) {
      let text = TerminalText.excerpt(name, limit: 40)
      guard !text.isEmpty, !names.contains(where: { $0.lowercased() == text.lowercased() }) else { return }
      names.append(text)
    }
    for attribute in fields.list + fields.attributes { known[attribute.name].map(add) }
    for line in fields.lines { headers(of: line).forEach(add) }
    return names
  }

  /// Options of VLC, and attributes of channels, by the header that they set.
  private static let known = [
    "http-user-agent": "User-Agent", "user-agent": "User-Agent", "http-referrer": "Referer",
    "http-referer": "Referer", "referrer": "Referer", "referer": "Referer", "http-origin": "Origin",
    "http-cookie": "Cookie", "http-cookies": "Cookie",
  ]

  /// Properties of Kodi's player that hold headers as a query.
  private static let properties: Set<String> = [
    "inputstream.adaptive.stream_headers", "inputstream.adaptive.manifest_headers",
    "inputstream.adaptive.common_headers",
  ]

  private static func headers(of line: String) -> [String] {
    if line.hasPrefix(ForeignFields.headers) { return query(line.dropFirst(ForeignFields.headers.count)) }
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return [] }
    let setting = parts[1].split(separator: "=", maxSplits: 1)
    switch parts[0] {
    case "#EXTVLCOPT":
      return setting.first.flatMap { known[$0.trimmingBlanks.lowercased()] }.map { [$0] } ?? []
    case "#KODIPROP":
      guard setting.count == 2, properties.contains(setting[0].trimmingBlanks.lowercased()) else { return [] }
      return query(setting[1])
    case "#EXTHTTP": return (try? JSONValue(parsing: String(parts[1])))?.object?.keys.sorted() ?? []
    default: return []
    }
  }

  /// Whether text behind a bar begins as Kodi's headers do, `User-Agent=…&Referer=…`. An address may have bars of its own:
  /// `exp=1~acl=a|b&c=d`. Kodi takes each name for a header that is none of its own options (`CCurlFile::ParseAndCorrectUrl`), also behind
  /// an exclamation mark; these are the ones that lists write.
  static func areHeaders(_ text: Substring) -> Bool {
    // No name of a header is longer; the bound keeps an address of bars cheap.
    guard let sign = text.utf8.prefix(64).firstIndex(of: UInt8(ascii: "=")) else { return false }
    let name = text[..<sign].drop { $0 == "!" }.lowercased()
    return written.contains(name) || name.utf8.starts(with: "x-".utf8)
  }

  /// Headers of requests (RFC 9110), and Kodi's own options for its client (`xbmc/filesystem/CurlFile.cpp`).
  private static let written: Set<String> = [
    "user-agent", "referer", "referrer", "origin", "cookie", "cookies", "accept", "accept-encoding",
    "accept-language", "authorization", "host", "range", "connection", "dnt", "cache-control", "pragma",
    "icy-metadata",
    "auth", "acceptencoding", "encoding", "noshout", "seekable", "accept-charset", "sslcipherlist",
    "connection-timeout", "failonerror", "redirect-limit", "postdata", "active-remote", "customrequest",
    "verifypeer",
  ]

  /// `User-Agent=…&Referer=…`.
  private static func query(_ text: Substring) -> [String] {
    text.split(separator: "&").compactMap { field in
      field.contains("=") ? field.split(separator: "=", maxSplits: 1).first.map(String.init) : nil
    }
  }
}
