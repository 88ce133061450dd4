package import CastqSchedule
package import CastqText

/// A stretch of the past as a plan has it: what a rule had on the screen is one of them, whatever its items were.
package struct PastSegment: Sendable, Hashable {
  package var range: Range<WallTime>
  /// What plays of it were shown by; nil where nothing was.
  package let key: Timeline.Play.Key?
  /// Why castq had nothing on the screen; nil where it had, and where castq did not see it.
  package let reason: DarkReason?
  /// The names of the rules whose shares had some of the time.
  package var shares: [String]
  package let due: Timeline.Due?
  package let note: String?

  /// What documents call it.
  package var kind: String { key?.kind.rawValue ?? reason?.words.kind ?? "unobserved" }

  /// Whether `plan --check` fails for it: a minute was dark that nobody wanted to be.
  package var isDarkness: Bool {
    reason?.isDarkness == true && range.upperBound - range.lowerBound >= PastSegments.shortest
  }

  /// The same for what draws plans.
  package var drawn: PlanSegment {
    let kind: PlanSegment.Kind =
      switch key?.kind {
      case .base: .base
      case .rule: .rule
      case .announcement: .announcement
      case .share: .share
      case nil: .dark
      }
    return PlanSegment(
      start: range.lowerBound, end: range.upperBound, kind: kind, occurrence: nil, programme: key?.programme,
      tiedWith: [], shares: [])
  }
}

/// Joins the stretches of a timeline to the segments of a plan, in their order. Items of shares, and the time until an item is loaded,
/// belong to what they interrupt.
package struct PastSegments: Sendable {
  /// Time without a picture that is shorter is not drawn, in seconds: a minute, as `plan --check` counts darkness.
  package static let shortest = 60.0

  private var finished: [PastSegment] = []
  private var current: PastSegment?
  /// What follows the current one, and belongs to it if it continues.
  private var pending: [Timeline.Stretch] = []

  package init() {}

  package mutating func add(_ stretch: Timeline.Stretch) {
    switch stretch.content {
    case .before, .planned: close()
    case .play(let play) where play.key.kind == .share: pending.append(stretch)
    case .dark(.loading), .dark(.failed):
      let isShort = stretch.range.upperBound - stretch.range.lowerBound < Self.shortest
      if isShort { pending.append(stretch) } else { begin(stretch, nil) }
    case .play(let play):
      guard var current, current.key == play.key, current.range.upperBound <= stretch.range.lowerBound else {
        return begin(stretch, play.key)
      }
      for share in pending.compactMap({ $0.play?.key.rule }) where !current.shares.contains(share) {
        current.shares.append(share)
      }
      pending = []
      current.range = current.range.lowerBound..<stretch.range.upperBound
      self.current = current
    case .dark, .unobserved: begin(stretch, nil)
    }
  }

  /// The segments that no later stretch makes longer, since the last time.
  package mutating func takeFinished() -> [PastSegment] {
    defer { finished = [] }
    return finished
  }

  package mutating func finish() -> [PastSegment] {
    close()
    return takeFinished()
  }

  /// Begins a segment. The time until its first item is loaded is its own.
  private mutating func begin(_ stretch: Timeline.Stretch, _ key: Timeline.Play.Key?) {
    var start = stretch.range.lowerBound
    var loading: [Timeline.Stretch] = []
    while key != nil, let last = pending.last, last.play == nil { loading.append(pending.removeLast()) }
    if let first = loading.last { start = first.range.lowerBound }
    close()
    current = PastSegment(
      range: start..<stretch.range.upperBound, key: key, reason: stretch.reason, shares: [],
      due: stretch.due, note: stretch.note)
  }

  private mutating func close() {
    if let current { finished.append(current) }
    current = nil
    // Shares, and nothing beside them; the time until one is loaded is its own.
    var loading: Timeline.Stretch?
    for stretch in pending {
      guard let key = stretch.play?.key else {
        if let before = loading { finished.append(Self.segment(before)) }
        loading = stretch
        continue
      }
      let start = loading?.range.lowerBound ?? stretch.range.lowerBound
      loading = nil
      if let last = finished.last, last.key?.kind == .share, last.range.upperBound == start {
        finished[finished.count - 1].range = last.range.lowerBound..<stretch.range.upperBound
        if let name = key.rule, !last.shares.contains(name) {
          finished[finished.count - 1].shares.append(name)
        }
      } else {
        finished.append(
          PastSegment(
            range: start..<stretch.range.upperBound, key: Timeline.Play.Key(.share), reason: nil,
            shares: key.rule.map { [$0] } ?? [], due: nil, note: nil))
      }
    }
    if let loading { finished.append(Self.segment(loading)) }
    pending = []
  }

  private static func segment(_ stretch: Timeline.Stretch) -> PastSegment {
    PastSegment(
      range: stretch.range, key: nil, reason: stretch.reason, shares: [], due: stretch.due, note: stretch.note
    )
  }
}
