package import CastqPlaylists
package import CastqText

/// What reports sum up of a play.
package struct ReportPlay: Sendable, Hashable {
  package let play: Int64
  package let device: String
  /// The number of the device; nil when it is removed.
  package let deviceID: DeviceID?
  package let title: String
  package let url: String
  /// Nil when it never started.
  package let startedAt: WallTime?
  /// The end; while it plays, the last moment anything was heard of it.
  package let endedAt: WallTime
  /// Seconds of media that were shown.
  package let played: Double
  /// Nil while it plays.
  package let outcome: PlayOutcome?
  package let evidence: PlayEvidence?
  package let gapBefore: Double?
  package let kind: PlayKind?
  /// The name of the rule on that day; nil for the base.
  package let rule: String?
  /// The name of the programme that it belongs to; nil for the queue, and where nobody knows.
  package let programme: String?

  package init(
    play: Int64, device: String, deviceID: DeviceID? = nil, title: String, url: String, startedAt: WallTime?,
    endedAt: WallTime,
    played: Double, outcome: PlayOutcome?, evidence: PlayEvidence?, gapBefore: Double?, kind: PlayKind?,
    rule: String?, programme: String? = nil
  ) {
    self.play = play
    self.device = device
    self.deviceID = deviceID
    self.title = title
    self.url = url
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.played = played.isFinite ? max(played, 0) : 0
    self.outcome = outcome
    self.evidence = evidence
    self.gapBefore = gapBefore
    self.kind = kind
    self.rule = rule
    self.programme = programme
  }

  /// The moment at which it counts.
  package var moment: WallTime { startedAt ?? endedAt }

  /// The time on the screen; empty when it never started, or a clock was set meanwhile.
  package var screen: Range<WallTime> {
    let start = startedAt ?? endedAt
    return start..<max(start, endedAt)
  }

  /// The same as a timeline has it. A play of a very old file, which does not say what it was shown by, is one of the queue.
  var onTimeline: Timeline.Play {
    Timeline.Play(
      id: play, title: title, key: Timeline.Play.Key(kind ?? .base, rule: rule), startedAt: startedAt,
      endedAt: endedAt, played: played, outcome: outcome, gapBefore: gapBefore)
  }

  /// Its shown seconds within a part of its time on the screen, in proportion; pauses are spread over it.
  func share(of part: Range<WallTime>, seconds: Double) -> Double {
    let whole = screen.upperBound - screen.lowerBound
    guard whole > 0 else { return 0 }
    return seconds * ((part.upperBound - part.lowerBound) / whole)
  }
}

extension Range<WallTime> {
  /// The common part; empty without one.
  func common(_ other: Range<WallTime>) -> Range<WallTime> {
    let start = Swift.max(lowerBound, other.lowerBound)
    return start..<Swift.max(start, Swift.min(upperBound, other.upperBound))
  }
}

/// What the rows of a report are.
package enum ReportKey: String, Sendable, Hashable, CaseIterable {
  case media, device, day, hour, rule
}

/// Gives plays and stretches of time their rows.
package struct ReportGrouping: Sendable {
  package let key: ReportKey
  private let calendar: LocalCalendar

  /// - Parameter utcOffset: seconds by which the zone of days and hours is ahead of UTC at a moment.
  package init(_ key: ReportKey, utcOffset: @escaping @Sendable (WallTime) -> Int) {
    self.key = key
    calendar = LocalCalendar(key == .hour ? .hour : .day, utcOffset: utcOffset)
  }

  /// The row of a moment, or of something that belongs to one row as a whole.
  func row(at moment: WallTime, device: String, media: String = "", rule: String = "") -> String {
    switch key {
    case .media: media
    case .device: device
    case .rule: rule
    case .day, .hour: calendar.label(of: moment)
    }
  }

  /// The rows of a stretch, with the part of it that each has.
  func rows(
    of range: Range<WallTime>, device: String, media: String = "", rule: String = ""
  ) -> [LocalCalendar.Piece] {
    switch key {
    case .media, .device, .rule:
      return range.isEmpty
        ? []
        : [.init(label: row(at: range.lowerBound, device: device, media: media, rule: rule), range: range)]
    case .day, .hour: return calendar.pieces(of: range)
    }
  }
}
