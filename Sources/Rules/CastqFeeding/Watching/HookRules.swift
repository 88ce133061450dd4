package import CastProtocol
package import CastqPlaylists
package import CastqSchedule
package import CastqText

/// What somebody else is notified of: `hooks` of the configuration.
package struct HookRule: Sendable, Hashable {
  /// What a hook waits for.
  package enum Trigger: Sendable, Hashable {
    /// A screen is dark for longer than this.
    case dark(Duration)
    /// An entry could not be played, its retries included, or ended early.
    case failed
    /// Another sender took the screen.
    case takeover
    /// A list, or lines of it, could not be taken up.
    case list

    /// Parses `dark>60s`, `failed`, `takeover` or `list`.
    package init(_ text: String) throws(TextError) {
      let words = text.filter { !$0.isWhitespace }
      switch words {
      case "failed": self = .failed
      case "takeover": self = .takeover
      case "list": self = .list
      default:
        guard words.hasPrefix("dark>"), let seconds = try? DurationText.seconds(String(words.dropFirst(5))),
          Self.darkness.contains(seconds)
        else {
          throw TextError(
            "`\(TerminalText.excerpt(text))` is nothing that hooks wait for",
            hint: "write dark>60s (1 s to 24 h), failed, takeover or list")
        }
        self = .dark(.bounded(seconds: seconds))
      }
    }

    private static let darkness = 1.0...86_400
  }

  /// What is done.
  package enum Target: Sendable, Hashable {
    /// Run a program with these arguments; no shell reads them.
    case run([String])
    /// Send it to an address.
    case post(String)

    fileprivate var usualLimit: Duration {
      switch self {
      case .run: .seconds(60)
      case .post: .seconds(10)
      }
    }
  }

  /// Signs what is sent.
  package enum Secret: Sendable, Hashable {
    case text(String)
    /// The first line of a file; an absolute path.
    case file(String)
  }

  package let triggers: Set<Trigger>
  package let target: Target
  /// Nil does not sign.
  package let secret: Secret?
  /// How long a program may run, and an address may take.
  package let limit: Duration

  package init(triggers: Set<Trigger>, target: Target, secret: Secret? = nil, limit: Duration? = nil) {
    (self.triggers, self.target, self.secret) = (triggers, target, secret)
    self.limit = limit ?? target.usualLimit
  }
}

extension [HookRule] {
  /// How long a screen is dark before one of them waits for it.
  package var thresholds: Set<Duration> {
    Set(flatMap(\.triggers).compactMap { if case .dark(let length) = $0 { length } else { nil } })
  }
}

/// Something that hooks wait for, as it happened.
package struct HookEvent: Sendable, Hashable {
  package let trigger: HookRule.Trigger
  package let device: String
  package let at: WallTime
  /// Since when a screen is dark.
  package var since: WallTime?
  /// Why a screen is dark.
  package var cause: DarkReason?
  package var entry: EntryID?
  package var title: String?
  /// The list that was not taken up.
  package var source: String?
  /// Why an entry failed or a list was not taken up, or who took over.
  package var reason: String?

  package init(_ trigger: HookRule.Trigger, device: String, at: WallTime) {
    (self.trigger, self.device, self.at) = (trigger, device, at)
  }

  /// The word of `on`, without a length.
  package var word: String {
    switch trigger {
    case .dark: "dark"
    case .failed: "failed"
    case .takeover: "takeover"
    case .list: "list"
    }
  }

  /// The document that a program reads and an address is sent. Every key is always there.
  package var json: JSONValue {
    var darkness: Double?
    if case .dark = trigger, let since {
      let (length, isTooLong) = at.milliseconds.subtractingReportingOverflow(since.milliseconds)
      darkness = isTooLong ? nil : max(Double(length) / 1000, 0)
    }
    return [
      "event": .string(word), "device": .string(TerminalText.sanitized(device)),
      "at": .string(RFC3339.text(at)), "since": JSONValue(since.map(RFC3339.text)) ?? .null,
      "dark_s": JSONValue(darkness) ?? .null, "cause": JSONValue(cause?.rawValue) ?? .null,
      "entry": entry.map { .integer($0.rawValue) } ?? .null, "title": Self.text(title),
      "reason": Self.text(reason), "source": Self.text(source),
    ]
  }

  /// Titles and the words of receivers may be anything, and addresses may have secrets.
  private static func text(_ text: String?) -> JSONValue {
    JSONValue(
      text.map { TerminalText.sanitized(String(AddressText.withoutSecrets(words: $0).prefix(500))) }) ?? .null
  }
}

/// When a delivery that was not accepted is tried again.
package enum HookRetry {
  /// A delivery that is older is given up.
  package static let longest = Duration.bounded(seconds: 7 * 86_400)
  /// Deliveries that wait; beyond it the oldest goes.
  package static let most = 1000

  private static let pauses: [Double] = [1, 2, 5, 10, 30, 60, 300]
  private static let lastPause = 900.0

  /// The pause after so many attempts, from 1 on; nil when the delivery is too old for another one.
  package static func pause(after attempts: Int, age: Duration) -> Duration? {
    guard age < longest else { return nil }
    let index = max(attempts, 1) - 1
    return .bounded(seconds: index < pauses.count ? pauses[index] : lastPause)
  }
}
