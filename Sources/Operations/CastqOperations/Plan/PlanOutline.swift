package import CastProtocol
import CastqFeeding
import CastqSchedule
package import CastqText

/// A plan as one looks at it: what comes again and again within others is one stretch beside them, and what it interrupts is whole.
///
/// It is made of the segments of the document of a plan, so that each face draws the same.
package struct PlanOutline: Sendable {
  /// Something that is, was or will be on a screen.
  package struct Piece: Sendable, Hashable {
    package let device: String
    package let start: WallTime
    package var end: WallTime
    /// As documents have it: `rule`, `base`, `dark` …
    package let kind: String
    /// What people call it: the programme, `The queue`, `Nothing on`.
    package let title: String
    package let programme: String?
    package let rule: String?
    /// The local time that the rule itself gives; nil for what has none, and for several.
    package let occurrence: String?
    package let note: String?
    /// How often it comes: `hourly`; nil for what is on all of the time.
    package var frequency: String?

    /// Whether nothing of castq's is on the screen.
    package var isDark: Bool { PlayKind(rawValue: kind) == nil }
    /// One of a few colours for what is on; 0 for what belongs to no programme.
    package var tone: Int { programme.map(PlanOutline.tone) ?? 0 }

    fileprivate func isSame(as other: Piece) -> Bool {
      kind == other.kind && programme == other.programme && rule == other.rule
        && occurrence == other.occurrence
    }
  }

  /// What a screen shows.
  package struct Lane: Sendable, Hashable {
    package let device: String
    /// One after the other; where nothing is known there is none.
    package var pieces: [Piece] = []
    /// What comes within them.
    package var repeats: [Piece] = []
  }

  /// In the order of the document.
  package private(set) var lanes: [Lane] = []

  /// A gap between two items is no piece, in seconds.
  private static let shortest = 60.0
  /// As many times make a stretch of what comes again and again.
  private static let fewest = 3
  /// The longest that one of them may be, in seconds, and the longest way from one to the next.
  private static let (longest, farthest) = (1200.0, 7500.0)

  /// - Parameters:
  ///   - segments: as the document has them.
  ///   - now: what has passed and what is planned are two pieces.
  package init(_ segments: [JSONValue], now: WallTime) {
    var order: [String] = []
    var read: [String: [(piece: Piece, shares: [String])]] = [:]
    for segment in segments {
      guard let piece = Self.piece(segment), !piece.isDark || piece.end - piece.start >= Self.shortest
      else { continue }
      if read[piece.device] == nil { order.append(piece.device) }
      let shares = segment["shares"]?.array?.compactMap(\.string) ?? []
      read[piece.device, default: []].append((piece, shares))
    }
    lanes = order.map { Self.lane($0, read[$0] ?? [], now: now) }
  }

  private static func lane(
    _ device: String, _ segments: [(piece: Piece, shares: [String])], now: WallTime
  ) -> Lane {
    var lane = Lane(device: device)
    let short = segments.map(\.piece).filter { $0.rule != nil && $0.end - $0.start <= longest }
    let rules = Dictionary(grouping: short) { $0.rule ?? "" }.filter { rule in
      isFrequent(rule.value.map(\.start))
    }
    var runs: [String: Int] = [:]
    func add(_ piece: Piece, _ name: String, within: Double) {
      let isPast = piece.start < now
      if let index = runs[name], piece.start - lane.repeats[index].end <= within,
        isPast == (lane.repeats[index].start < now)
      {
        lane.repeats[index].end = piece.end
      } else {
        runs[name] = lane.repeats.count
        lane.repeats.append(piece)
      }
    }
    for (piece, shares) in segments {
      for share in shares {
        let words = Piece(
          device: device, start: piece.start, end: piece.end, kind: "share", title: share, programme: share,
          rule: share, occurrence: nil, note: nil, frequency: "ad share")
        add(words, "share \(share)", within: longest)
      }
      if let rule = piece.rule, let times = rules[rule], piece.end - piece.start <= longest {
        let words = Piece(
          device: device, start: piece.start, end: piece.end, kind: piece.kind, title: piece.title,
          programme: piece.programme, rule: rule, occurrence: nil, note: nil,
          frequency: frequency(of: times.map(\.start)))
        add(words, rule, within: farthest)
      } else if piece.kind == "share", !shares.isEmpty {
        continue
      } else if let last = lane.pieces.last, last.isSame(as: piece),
        (last.start < now) == (piece.start < now),
        piece.start - last.end <= longest
      {
        lane.pieces[lane.pieces.count - 1].end = piece.end
      } else {
        lane.pieces.append(piece)
      }
    }
    return lane
  }

  private static func piece(_ segment: JSONValue) -> Piece? {
    guard let start = moment(segment["start"]), let end = moment(segment["end"]), start < end else {
      return nil
    }
    return Piece(
      device: segment["device"]?.string ?? "", start: start, end: end, kind: segment["kind"]?.string ?? "",
      title: title(segment), programme: segment["programme"]?.string, rule: segment["rule"]?.string,
      occurrence: segment["occurrence"]?.string, note: segment["note"]?.string)
  }

  private static func moment(_ value: JSONValue?) -> WallTime? {
    value?.string.flatMap { try? RFC3339.parse($0) }
  }

  // MARK: - Words

  /// What people call a segment.
  package static func title(_ segment: JSONValue) -> String {
    if let programme = segment["programme"]?.string { return programme }
    let shares = segment["shares"]?.array?.compactMap(\.string) ?? []
    switch ShownContent(segment) {
    case .play(.base): return "The queue"
    case .play(.share) where !shares.isEmpty: return shares.joined(separator: ", ")
    case .play(let kind): return kind.rawValue
    case .dark(let reason): return (reason?.words.spoken ?? .nothing).title
    case .unobserved: return "Not watched"
    case nil: return ""
    }
  }

  private static func isFrequent(_ starts: [WallTime]) -> Bool {
    starts.count >= fewest && typicalWay(starts) <= farthest
  }

  /// The way from one start to the next that is in the middle of all.
  private static func typicalWay(_ starts: [WallTime]) -> Double {
    let ways = zip(starts, starts.dropFirst()).map { $1 - $0 }.sorted()
    return ways.isEmpty ? 0 : ways[ways.count / 2]
  }

  /// `hourly`, `every 30 min`.
  private static func frequency(of starts: [WallTime]) -> String {
    let minutes = max(Int(bounded: (typicalWay(starts) / 60).rounded()), 1)
    return switch minutes {
    case 55...65: "hourly"
    case 115...125: "every 2 hours"
    default: "every \(minutes) min"
    }
  }

  /// Colours that there are.
  package static let tones = 6

  /// The colour of a programme: the same on each page and each day, whatever else there is.
  package static func tone(_ programme: String) -> Int {
    let hash = programme.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return Int(hash % UInt32(tones)) + 1
  }
}
