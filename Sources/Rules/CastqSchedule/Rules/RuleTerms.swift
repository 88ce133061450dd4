package import CastqText

/// The number of a rule's row.
package struct RuleID: Sendable, Hashable, Comparable {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  package static func < (left: RuleID, right: RuleID) -> Bool { left.number < right.number }
}

/// Where a rule applies.
package enum RuleTarget: Sendable, Hashable {
  case all
  /// The devices of a group, by its name.
  case group(String)
  /// One device, by its identifier.
  case device(String)

  /// The name that means all devices, as `@all`, and that no group may have.
  package static let nameOfAll = "all"

  /// A more precise target beats a wider one of the same priority.
  var precision: Int {
    switch self {
    case .all: 0
    case .group: 1
    case .device: 2
    }
  }

  /// `device`, `group` or `all`.
  package var word: String {
    switch self {
    case .all: Self.nameOfAll
    case .group: "group"
    case .device: "device"
    }
  }
}

/// What a rule does with the screen.
package enum RuleKind: Sendable, Hashable {
  /// Has the screen for a stretch of time.
  case window
  /// Interrupts what is on the screen and gives it back: an announcement.
  case trigger
  /// Has a part of each hour, between the items of others.
  case share(ShareTerms)
}

/// What a rule with a share of the screen is due.
package struct ShareTerms: Sendable, Hashable {
  /// Seconds of each hour on the air, 1 to 3,600.
  package let secondsPerHour: Int
  /// The most plays in an hour of the clock; nil is unlimited.
  package var maxPerHour: Int?
  /// Seconds from the end of a play to the start of the next one, at least.
  package var minGap: Int

  /// - Parameter secondsPerHour: clamped to 1 to 3,600.
  package init(secondsPerHour: Int, maxPerHour: Int? = nil, minGap: Int = 0) {
    self.secondsPerHour = min(max(secondsPerHour, 1), 3600)
    self.maxPerHour = maxPerHour
    self.minGap = max(minGap, 0)
  }
}

/// When a rule takes the screen from what is on it.
package enum StartMode: Sendable, Hashable {
  /// At once.
  case hard
  /// When the item ends.
  case next
  /// When the item ends, but after so many seconds at the latest.
  case wait(seconds: Int)
}

/// What becomes of the item on the screen when a rule's time is over.
package enum EndMode: Sendable, Hashable {
  case cut
  /// It plays to its end.
  case finish
}

/// Where something that was interrupted continues.
package enum ResumeMode: String, Sendable, Hashable, CaseIterable {
  /// At the second where it was.
  case second
  /// At the beginning of the item.
  case item
  /// At the beginning of the programme.
  case restart

  /// What a row and a command call it.
  package var word: String { rawValue }

  /// Nil for any other word.
  package init?(word: String) { self.init(rawValue: word) }
}

/// What happens to a trigger when nobody was there at its time.
package enum MissedPolicy: Sendable, Hashable {
  case skip
  /// It is played late, once, however often it was missed.
  case run
  /// It is played late when it is not later than so many seconds.
  case within(seconds: Int)

  /// How many seconds late a trigger may be; nil is any number.
  var limit: Double? {
    switch self {
    case .skip: 0
    case .run: nil
    case .within(let limit): Double(limit)
    }
  }

  /// Whether a trigger that is so many seconds late is still played.
  package func allows(late seconds: Double) -> Bool {
    switch self {
    case .skip: false
    case .run: true
    case .within(let limit): seconds <= Double(limit)
    }
  }
}

/// What differs at one time of a rule.
package enum RuleException: Sendable, Hashable {
  case skip
  /// Another start; the length stays.
  case move(LocalTime)
  /// Another programme, by its name.
  case replace(String)
}
