import CastProtocol
import CastqText

/// One text track in a directive: `subs.vtt:en`, `subs.vtt:de:"Deutsch"` or, shown later, `subs.srt:de:"Deutsch":+2.5`.
struct TrackText: Sendable {
  /// Path or address as written.
  var location: Located<String>
  /// RFC 5646; a receiver needs one for subtitles (protocol 10.1).
  var language: String
  /// Name for display in the list of tracks; nil leaves it to the receiver.
  var name: String?
  /// Seconds by which its text is shown later than written.
  var offset = 0.0

  /// Parses the value of `tracks=`: tracks separated by commas, parts by colons; quotes escape both.
  static func list(_ value: DirectiveValue, line: Int) throws(DirectiveError) -> [TrackText] {
    var tracks: [TrackText] = []
    for part in value.split(at: ",") {
      tracks.append(try track(part, line: line))
    }
    return tracks
  }

  private static func track(_ value: DirectiveValue, line: Int) throws(DirectiveError) -> TrackText {
    // `http://host:8080/a.vtt:en` has colons inside the address: its end is the first colon after the last slash.
    let afterSlash = value.lastIndex(of: "/").map { $0 + 1 } ?? 0
    let parts = value.dropFirst(afterSlash).split(at: ":")
    let location = value.prefix(afterSlash).text + (parts.first?.text ?? "")
    guard !location.isEmpty else { throw DirectiveError(value.column, TextError("a track has no file")) }
    guard parts.count > 1 else {
      throw DirectiveError(
        value.column,
        TextError(
          "the track \(TerminalText.excerpt(location)) has no language",
          hint: "write \(TerminalText.excerpt(location)):en"))
    }
    guard parts.count <= 4 else {
      throw DirectiveError(
        parts[4].column,
        TextError(
          "too many colons in a track",
          hint: "write FILE:LANGUAGE:\"NAME\":OFFSET, with colons inside quotes"))
    }
    guard isLanguage(parts[1].text) else {
      throw DirectiveError(
        parts[1].column,
        TextError(
          "`\(TerminalText.excerpt(parts[1].text))` is not a language",
          hint: "write a code such as en or pt-BR"))
    }
    let name = parts.count >= 3 ? EntryText(parts[2].text, limit: 200).value : ""
    var track = TrackText(
      location: Located(location, line: line, column: value.column), language: parts[1].text,
      name: name.isEmpty ? nil : name)
    if parts.count == 4 {
      do throws(TextError) { track.offset = try MediaTrack.subtitleOffset(parts[3].text) } catch {
        throw DirectiveError(parts[3].column, error)
      }
    }
    return track
  }

  /// The shape of RFC 5646, not its registry.
  static func isLanguage(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return text.utf8.count <= 35
      && parts.enumerated().allSatisfy { index, part in
        (index == 0 ? 2 : 1)...8 ~= part.count
          && part.allSatisfy { PercentEncoding.isAlphanumeric($0) && (index > 0 || $0 > 0x39) }
      }
  }
}
