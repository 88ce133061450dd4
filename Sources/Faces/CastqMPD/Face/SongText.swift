import CastProtocol
import CastqPlaylists
import CastqText

/// An entry as clients read it.
enum SongText {
  /// - Parameter file: its name among the files, or its address.
  static func text(_ draft: EntryDraft, file: String, tags: Set<MPDTag>) -> String {
    var text = line("file", file)
    let metadata = draft.media.metadata
    for tag in MPDTag.allCases where tags.contains(tag) {
      switch tag {
      case .title: text += line(tag.rawValue, draft.media.givenTitle ?? "")
      case .artist: text += line(tag.rawValue, value(metadata, "artist") ?? value(metadata, "subtitle") ?? "")
      case .album:
        text += line(tag.rawValue, value(metadata, "albumName") ?? value(metadata, "seriesTitle") ?? "")
      case .albumArtist: text += line(tag.rawValue, value(metadata, "albumArtist") ?? "")
      case .composer: text += line(tag.rawValue, value(metadata, "composer") ?? "")
      case .track:
        text += line(tag.rawValue, value(metadata, "trackNumber") ?? value(metadata, "episode") ?? "")
      case .disc: text += line(tag.rawValue, value(metadata, "discNumber") ?? "")
      case .date: text += line(tag.rawValue, value(metadata, "releaseDate") ?? "")
      case .genre, .name: break
      }
    }
    if let length = draft.playingTime()?.seconds, length > 0 { text += duration(length) }
    if let section = section(draft) { text += line("Range", section) }
    return text
  }

  /// Its place in the queue, from 0; nil for one that is not in it.
  static func place(_ position: Int?, _ id: EntryID) -> String {
    guard let position else { return "Id: \(id.rawValue)\n" }
    return "Pos: \(position)\nId: \(id.rawValue)\n"
  }

  /// A text with all tags, with some of them alone.
  static func limited(_ text: String, to tags: Set<MPDTag>) -> String {
    guard tags.count < MPDTag.allCases.count else { return text }
    let others = MPDTag.allCases.filter { !tags.contains($0) }.map { "\($0.rawValue): " }
    return text.utf8.split(separator: UInt8(ascii: "\n")).reduce(into: "") { rest, line in
      guard !others.contains(where: { line.starts(with: $0.utf8) }) else { return }
      rest += Substring(line)
      rest += "\n"
    }
  }

  /// `Time` and `duration`.
  static func duration(_ seconds: Double) -> String {
    line("Time", "\(Int(bounded: seconds.rounded()))") + line("duration", decimal(seconds))
  }

  private static func section(_ draft: EntryDraft) -> String? {
    guard draft.startTime != nil || draft.playbackDuration != nil, !draft.media.isPicture else { return nil }
    let start = draft.startTime?.seconds ?? 0
    let end = draft.playbackDuration.map { decimal(start + $0.seconds) }
    return "\(decimal(start))-\(end ?? "")"
  }

  private static func value(_ metadata: MediaMetadata?, _ key: String) -> String? {
    guard let value = metadata?.values[key] else { return nil }
    return value.string ?? value.int.map { "\($0)" }
  }

  /// A value as clients get it: on one line, and addresses without their secrets.
  static func shown(_ value: String) -> String {
    TerminalText.sanitized(AddressText.withoutSecrets(value))
  }

  /// A line; nothing for an empty value. What others wrote gets no line of its own.
  static func line(_ name: String, _ value: String) -> String {
    let value = shown(value)
    return value.isEmpty ? "" : "\(name): \(value)\n"
  }

  /// Seconds with three digits after the point.
  static func decimal(_ seconds: Double) -> String {
    let thousandths = Int64(bounded: (max(seconds, 0) * 1000).rounded())
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest)"
  }
}
