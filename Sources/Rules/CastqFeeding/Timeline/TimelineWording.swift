import CastqSchedule
package import CastqText

/// Says in words what was on a screen, by the clocks of one zone.
package struct TimelineWording: Sendable {
  private let zone: TimeZoneRules
  private let now: WallTime

  /// - Parameter now: what lasts until then has no end.
  package init(zone: TimeZoneRules, now: WallTime) {
    self.zone = zone
    self.now = now
  }

  /// `15:00:00  dark: Bar did not answer 14:59:57–15:01:01; film-b was due`.
  package func line(_ stretch: Timeline.Stretch, at moment: WallTime, on device: String) -> String {
    let kind = stretch.kind.map { "\($0): " } ?? ""
    return TerminalText.sanitized(
      "\(time(moment, beside: moment))  \(kind)\(words(stretch, at: moment, on: device))")
  }

  /// The same without the moment and the kind.
  package func words(_ stretch: Timeline.Stretch, at moment: WallTime, on device: String) -> String {
    let times = times(stretch.range, beside: moment)
    switch stretch.content {
    case .before:
      return "nothing is known of \(device) before \(time(stretch.range.upperBound, beside: moment))"
    case .planned(let segment): return segment.kind.word
    case .play(let play):
      let by = play.key.rule.map { rule in
        ", by \(Timeline.Due(rule: rule, programme: play.key.programme).words)"
      }
      // As its row has it, also where an outage is cut out of it.
      let whole = play.startedAt.map { start in start..<max(start, play.endedAt ?? now) } ?? stretch.range
      return "\(play.title) \(self.times(whole, beside: moment))\(by ?? "")"
    case .unobserved: return "castq did not see the screen \(times)\(due(stretch))"
    case .dark(let reason):
      let what = reason.words.past
      let note = stretch.note.map { " (\($0))" } ?? ""
      return "\(what.hasPrefix(" ") ? device + what : what) \(times)\(note)\(due(stretch))"
    }
  }

  /// What a plan says of a segment that is over; empty where that is nothing.
  package func note(_ segment: PastSegment, on device: String) -> String {
    var notes: [String] = []
    if segment.key == nil {
      let what = segment.reason?.words.past ?? "castq did not see the screen"
      notes.append((what.hasPrefix(" ") ? device + what : what) + (segment.note.map { " (\($0))" } ?? ""))
      if let due = segment.due { notes.append("due: \(due.words)") }
    }
    if !segment.shares.isEmpty, segment.key?.kind != .share {
      notes.append("shares: \(segment.shares.joined(separator: ", "))")
    }
    return TerminalText.sanitized(notes.joined(separator: "; "))
  }

  private func due(_ stretch: Timeline.Stretch) -> String {
    stretch.due.map { "; \($0.words) was due" } ?? ""
  }

  /// `14:59:57–15:01:01`, or `since 14:59:57` for what lasts.
  private func times(_ range: Range<WallTime>, beside moment: WallTime) -> String {
    let start = time(range.lowerBound, beside: moment)
    return range.upperBound >= now ? "since \(start)" : "\(start)–\(time(range.upperBound, beside: moment))"
  }

  /// `15:00:00`, with its day where that is not the one of another moment.
  package func time(_ moment: WallTime, beside other: WallTime) -> String {
    let local = zone.localTime(at: moment)
    let day = local.date == zone.localTime(at: other).date ? "" : "\(local.shortDayText) "
    return day + Self.clock(local)
  }

  private static func clock(_ local: LocalTime) -> String {
    let text = local.clockText
    return local.secondOfDay % 60 == 0 ? text + ":00" : text
  }
}
