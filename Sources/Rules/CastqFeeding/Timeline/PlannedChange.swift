import CastProtocol
import CastqSchedule
package import CastqText

/// A change of the screen that was planned for a moment: the beginning or the end of an occurrence.
package struct PlannedChange: Sendable, Hashable {
  /// When it was planned for.
  package let at: WallTime
  /// The decision that carried it out.
  package let decision: TimelineFacts.Decision
  /// The name of the rule whose occurrence ended; nil where one began.
  package let ended: String?
  /// When what it put on the screen was there; nil when that is not known within a minute.
  package let shownAt: WallTime?

  /// Seconds for which a moment is that of the change, for a person.
  package static let length = 2.0

  /// `promo began; on the screen 0.06 s later`.
  package var words: String {
    let what: String
    if let ended {
      what = "\(ended) ended" + (decision.rule.map { ", \($0) continued" } ?? "")
    } else {
      what = "\(decision.rule ?? decision.kind.word) began"
    }
    guard let shownAt else { return "\(what); nothing was on the screen within a minute" }
    let late = shownAt - at
    if late < 0.005 { return "\(what); on the screen at once" }
    let hundredths = Int(bounded: (late * 100).rounded())
    let rest = hundredths % 100
    return "\(what); on the screen \(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s later"
  }
}

extension Timeline {
  /// The change that was planned for a moment, or for one up to two seconds before it; nil where there was none, and where it was carried
  /// out later than that.
  package func change(at moment: WallTime, _ facts: TimelineFacts) -> PlannedChange? {
    let decisions = facts.decisions
    let limit = moment.adding(seconds: PlannedChange.length)
    for index in decisions.indices.reversed() where decisions[index].at < limit {
      let decision = decisions[index]
      if moment.adding(seconds: -2 * PlannedChange.length) > decision.at { return nil }
      let planned = decision.planned?.dated
      let before = index > 0 ? decisions[index - 1] : nil
      guard let at = planned ?? before?.end?.dated, at <= moment, moment - at < PlannedChange.length,
        decision.at >= at, decision.at - at < PlannedChange.length
      else { continue }
      return PlannedChange(
        at: at, decision: decision, ended: planned == nil ? before?.rule : nil,
        shownAt: shown(from: at, kind: decision.kind, rule: decision.rule))
    }
    return nil
  }

  /// When something of a rule, or of the queue, was on the screen, within a minute of a moment.
  private func shown(from moment: WallTime, kind: PlanSegment.Kind, rule: String?) -> WallTime? {
    let first = stretches.partitioned { $0.range.upperBound <= moment }
    for stretch in stretches[first...] where stretch.range.lowerBound - moment < 60 {
      guard let play = stretch.play, play.key.kind.rawValue == kind.word, play.key.rule == rule else {
        continue
      }
      return max(stretch.range.lowerBound, moment)
    }
    return nil
  }
}
