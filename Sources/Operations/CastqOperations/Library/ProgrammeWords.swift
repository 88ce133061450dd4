import CastProtocol
package import CastqSchedule
import CastqText

/// What a rule does with a programme, in words: `every day on Lobby TV`.
package struct ProgrammeUse: Sendable, Hashable {
  package let words: String

  /// - Parameter screens: what people call where it applies.
  package init(_ rule: ScheduleRule, on screens: String) {
    let when: String
    if case .share(let terms) = rule.kind {
      let often = terms.maxPerHour.map { "\($0) an hour" } ?? "\(terms.secondsPerHour) s an hour"
      when = "ad share, \(often)"
    } else {
      when =
        switch rule.form {
        case .always: "always"
        case .daily(_, let days), .daypart(_, let days): days == .all ? "every day" : Self.words(days)
        case .cron, .calendar: "at set times"
        case .once: "once"
        }
    }
    words = rule.isEnabled ? "\(when) on \(screens)" : "switched off on \(screens)"
  }

  /// `Mon–Fri, Sun` of `mon-fri,sun`.
  private static func words(_ days: Weekdays) -> String {
    days.text.split(separator: ",").map { part in
      part.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "–")
    }.joined(separator: ", ")
  }
}

/// A programme in one line: `from bar.m3u, 9 entries · changed 4 min ago`, `14 entries, 18:02:11 · every day on Lobby TV`.
package struct ProgrammeWords: Sendable, Hashable {
  /// Where it comes from, where that says something: `from bar.m3u`.
  package var source: String?
  /// Nil for a list that nobody has read yet.
  package var entries: Int?
  /// The known lengths together, and whether they are all.
  package var seconds = 0.0
  package var isWhole = true
  /// Seconds since its list was changed; nil where that says nothing.
  package var age: Double?
  package var uses: [ProgrammeUse] = []
  /// Uses that are told; the others are counted.
  private static let most = 2

  package init() {}

  package var text: String {
    var first: [String] = source.map { [$0] } ?? []
    if let entries { first.append(entries == 1 ? "1 entry" : "\(entries) entries") }
    if seconds > 0 { first.append((isWhole ? "" : "more than ") + ClockText.format(seconds)) }
    let more = uses.count - Self.most
    let parts =
      [first.joined(separator: ", "), age.map { "changed \(AgeText.ago($0))" } ?? ""]
      + uses.prefix(Self.most).map(\.words) + (more > 0 ? ["and \(more) more"] : [])
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
