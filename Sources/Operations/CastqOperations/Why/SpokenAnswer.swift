package import CastProtocol
import CastqFeeding
import CastqSchedule
package import CastqText

/// What somebody is told who points at a moment of a screen: what was or will be on, then why, then what was planned. It is made of the
/// document of `castq why`, so that each face says the same.
package struct SpokenAnswer: Sendable, Hashable {
  /// `Nothing was on the screen: it did not answer.`
  package let first: String
  /// Its reason, with its times; nil where the answer says it.
  package let reason: String?
  /// What was to be on by the plan; nil where that was on.
  package let planned: String?
  /// `Films wanted this time, too.`
  package let competition: String
  /// Every rule of the screen with its reason, the winner first.
  package let rules: [Candidate]

  package struct Candidate: Sendable, Hashable {
    package let rule: String
    package let words: String
  }

  private enum Tense { case past, present, future }

  /// - Parameter now: what lies between past and future.
  package init(_ document: JSONValue, now: WallTime) {
    let moment = document["at"]?.string.flatMap { try? RFC3339.parse($0) } ?? now
    let tense: Tense =
      moment < now.adding(seconds: -1) ? .past : moment > now.adding(seconds: 1) ? .future : .present
    let (screen, winner) = (document["screen"], document["winner"] ?? .null)
    let isPast = tense == .past && screen?.object != nil
    first = isPast ? Self.past(screen ?? .null) : Self.planned(winner, tense)
    let words = document["change"]?.string ?? screen?["words"]?.string
    reason = words.map(Self.sentence)
    let due = screen?["due"]?.string ?? winner["due"]?.string
    planned = due.map { "Planned was \($0)." }
    let candidates = (document["candidates"]?.array ?? []).map { candidate in
      (
        candidate["outcome"]?.string ?? "",
        Candidate(rule: candidate["rule"]?.string ?? "", words: candidate["reason"]?.string ?? "")
      )
    }
    rules = candidates.map(\.1)
    let wanting = candidates.filter { ["lost", "broken"].contains($0.0) }.map(\.1.rule)
    competition = Self.competition(wanting, winner["rule"]?.string ?? winner["due"]?.string)
  }

  package var json: JSONValue {
    [
      "first": .string(first), "reason": JSONOutput.text(reason), "planned": JSONOutput.text(planned),
      "competition": JSONOutput.text(competition.isEmpty ? nil : competition),
      "rules": .array(rules.map { ["rule": .string($0.rule), "words": .string($0.words)] }),
    ]
  }

  /// Who else wanted the moment; empty where nobody wanted it.
  private static func competition(_ others: [String], _ winner: String?) -> String {
    let names = others.filter { $0 != winner }
    guard let last = names.last else { return winner == nil ? "" : "Nothing else wanted this time." }
    let list = names.count > 1 ? "\(names.dropLast().joined(separator: ", ")) and \(last)" : last
    return "\(list) wanted this time, too."
  }

  /// What was on the screen.
  private static func past(_ screen: JSONValue) -> String {
    if let title = screen["title"]?.string { return "\(title) was on the screen." }
    return switch ShownContent(screen) {
    case nil: "Nothing is known of this screen at that time."
    case .unobserved: "castq did not see the screen at that time."
    case .dark(let reason): (reason?.words.spoken ?? .nothing).past
    case .play: SpokenDarkness.nothing.past
    }
  }

  /// What is on, or will be.
  private static func planned(_ winner: JSONValue, _ tense: Tense) -> String {
    func on(_ what: String) -> String {
      switch tense {
      case .past: "\(what) was planned."
      case .present: "\(what) is on."
      case .future: "\(what) will be on."
      }
    }
    if winner["programme"]?.string != nil { return on(PlanOutline.title(winner)) }
    var reason: DarkReason?
    switch ShownContent(winner) {
    case .play(.base): return on("The queue")
    case .play(.share): return on("The ad share")
    case .play(.announcement): return on("An announcement")
    case .dark(let dark): reason = dark
    case .play(.rule), .unobserved, nil: break
    }
    let spoken = reason?.words.spoken ?? .nothing
    return tense == .future ? spoken.coming : spoken.present
  }

  /// Words of a line as a sentence of its own.
  private static func sentence(_ words: String) -> String {
    let text = words.prefix(1).uppercased() + words.dropFirst()
    return text.hasSuffix(".") ? text : text + "."
  }
}
