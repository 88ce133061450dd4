import CastProtocol
import CastqText

/// Finds what a format does not hold: each entry is written and read again, and what differs is lost. So a loss is reported exactly
/// where there is one.
enum ExportLosses {
  /// Entries named in one line.
  private static let shown = 10

  static func lines(of playlist: Playlist, as format: PlaylistFormat) -> [String] {
    let name = format.rawValue.uppercased()
    var lines = listLines(of: playlist, as: format)
    var lost: [String: [Int]] = [:]
    var leftOut: [(number: Int, name: String)] = []
    for (offset, draft) in playlist.drafts.enumerated() {
      guard draft.location != nil else {
        leftOut.append((offset + 1, draft.media.contentURL ?? draft.media.contentID))
        continue
      }
      for property in properties(lostOf: draft, as: format) { lost[property, default: []].append(offset + 1) }
    }
    for (property, numbers) in lost.sorted(by: { $0.key < $1.key }) {
      lines.append("\(name) does not hold \(property): \(entries(numbers))")
    }
    for entry in leftOut.prefix(shown) {
      lines.append(
        "entry \(entry.number) was left out: \(name) holds files and addresses, and "
          + "\(TerminalText.excerpt(entry.name)) is neither")
    }
    if leftOut.count > shown { lines.append("\(leftOut.count - shown) more entries were left out") }
    if let fallback = playlist.fallback, !fallback.isEmpty {
      lines.append("the fallback list was left out: \(name) cannot hold a second list")
    }
    return lines
  }

  private static func listLines(of playlist: Playlist, as format: PlaylistFormat) -> [String] {
    let bare = Playlist(
      name: playlist.name, repeatMode: playlist.repeatMode, isShuffled: playlist.isShuffled,
      foreign: playlist.foreign)
    let again = read(bare, as: format)
    var lost: [String] = []
    if playlist.name != nil, again.name != playlist.name { lost.append("name") }
    // A default value is no loss.
    if (playlist.repeatMode ?? .off) != (again.repeatMode ?? .off) { lost.append("repeat") }
    if (playlist.isShuffled ?? false) != (again.isShuffled ?? false) { lost.append("shuffle") }
    if playlist.foreign.list != again.foreign.list { lost.append("foreign attributes") }
    // Links, metas and extensions are sorted by their kinds.
    if Set(playlist.foreign.notes) != Set(again.foreign.notes) { lost.append("foreign notes") }
    let name = format.rawValue.uppercased()
    return lost.isEmpty ? [] : ["\(name) does not hold \(lost.joined(separator: ", ")) of the list"]
  }

  /// The properties, by their names in castq's own format, that differ when the entry is read again.
  private static func properties(lostOf draft: EntryDraft, as format: PlaylistFormat) -> [String] {
    let again = read(Playlist(drafts: [draft]), as: format)
    // Without its type a reader would not take it for media.
    guard again.drafts.count == 1, var copy = again.drafts.first else { return ["type"] }
    copy.origin = draft.origin
    var lost: [String] = []
    let found = Dictionary(
      NativeWriter.entry(copy).members, uniquingKeysWith: { first, _ in first })
    for (key, value) in NativeWriter.entry(draft).members {
      guard ["metadata", "foreign"].contains(key), case .mapping(let members) = value else {
        if !isSame(value, found[key]) { lost.append(key) }
        continue
      }
      var other: [String: OutputNode] = [:]
      if case .mapping(let mapping)? = found[key] {
        other = Dictionary(mapping.members, uniquingKeysWith: { first, _ in first })
      }
      let outer = key
      for (key, value) in members.members where !isSame(value, other[key]) {
        lost.append("\(outer) \(TerminalText.excerpt(key))")
      }
    }
    return lost
  }

  /// Whether two values mean the same; formats that count in milliseconds lose none.
  private static func isSame(_ value: OutputNode, _ other: OutputNode?) -> Bool {
    guard let other else { return false }
    switch (value, other) {
    case (.scalar(let value), .scalar(let other)):
      if let number = value.double, let second = other.double { return abs(number - second) <= 0.001 }
      return value == other
    case (.list(let values), .list(let others)):
      return values.count == others.count && zip(values, others).allSatisfy { isSame($0, $1) }
    case (.mapping(let value), .mapping(let other)):
      let others = Dictionary(other.members, uniquingKeysWith: { first, _ in first })
      return value.members.count == other.members.count
        && value.members.allSatisfy { isSame($0.value, others[$0.key]) }
    case (.scalar, _), (.list, _), (.mapping, _): return false
    }
  }

  private static func read(_ playlist: Playlist, as format: PlaylistFormat) -> Playlist {
    let world = EveryFile(list: Array(PlaylistWriter.text(playlist, as: format).utf8))
    var reading = PlaylistReader(loader: world).reading(["-"], format: format)
    while reading.next() != nil { reading.supply(.failure(.failed("not fetched"))) }
    return reading.result.playlist
  }

  private static func entries(_ numbers: [Int]) -> String {
    if numbers.count == 1 { return "entry \(numbers[0])" }
    let first = numbers.prefix(shown).map(String.init).joined(separator: ", ")
    return "entries \(first)" + (numbers.count > shown ? " and \(numbers.count - shown) more" : "")
  }
}

/// A world in which every file exists: what is lost does not depend on the files of this machine.
private struct EveryFile: PlaylistLoader {
  /// What stands on standard input.
  let list: [UInt8]

  let workingDirectory = "/"

  func kind(of path: String) -> PathKind { .file }

  /// A list among the entries is HLS, which is media: castq's own queue holds no lists.
  func read(_ path: String, limit: Int) throws(PlaylistLoadError) -> [UInt8] {
    Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n".utf8)
  }

  func list(_ directory: String) throws(PlaylistLoadError) -> [String] { [] }

  func readStandardInput(limit: Int) throws(PlaylistLoadError) -> [UInt8] { list }
}
