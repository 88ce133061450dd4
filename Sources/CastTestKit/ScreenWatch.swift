package import CastProtocol
import CastReceiverSim
package import CastqCore

/// What a device has really shown, and when: the truth that history is measured by.
package struct ScreenWatch: Sendable {
  package enum Shown: Sendable, Hashable {
    /// A turn of ours.
    case turn(EntryTurn)
    /// Somebody else's medium, page or application.
    case foreign(String)
    /// Nothing, or something that is still being loaded.
    case dark
  }

  /// One stretch of time with the same on the screen.
  package struct Stretch: Sendable, Hashable {
    package var shown: Shown
    package var since: Tick
    package var until: Tick
    /// Where in the medium it began, in seconds.
    package var position: Double
    /// Whether the device could be reached at its end, and since when.
    package var answeringSince: Tick?

    package var seconds: Double { (until - since).seconds }
  }

  /// The newest last; no more than `limit`.
  package private(set) var stretches: [Stretch] = []
  package var limit = 100_000
  /// Dark for longer than an item takes to load.
  package private(set) var darkStretches: [Stretch] = []
  /// Seconds until something was shown again, counted from the moment the device could be reached.
  package private(set) var longestReturn = 0.0
  private var current: Stretch?
  private var answeringSince: Tick?
  private var excusedUntil = Tick.zero

  /// Shorter darkness is what any receiver needs between two items.
  package static let transition = Duration.milliseconds(500)

  package init() {}

  /// Nobody could have shown anything before.
  package mutating func excuse(until tick: Tick) { excusedUntil = max(excusedUntil, tick) }

  /// - Parameter page: the page that was asked for last, and whose it is.
  mutating func see(_ receiver: ReceiverModel, page: (url: String, turn: EntryTurn)? = nil, at now: Tick) {
    if receiver.door == .open {
      answeringSince = answeringSince ?? now
    } else {
      answeringSince = nil
    }
    let shown = Self.shown(receiver.screen(at: now), page)
    if var last = current {
      last.until = now
      guard last.shown != shown.0 else {
        current = last
        return
      }
      close(last, at: now)
    }
    current = Stretch(shown: shown.0, since: now, until: now, position: shown.position)
  }

  private mutating func close(_ stretch: Stretch, at now: Tick) {
    guard stretch.until > stretch.since else { return }
    var stretch = stretch
    stretch.answeringSince = answeringSince
    stretches.append(stretch)
    if stretches.count > limit { stretches.removeFirst(limit / 2) }
    guard stretch.shown == .dark, stretch.until - stretch.since > Self.transition else { return }
    darkStretches.append(stretch)
    if darkStretches.count > limit { darkStretches.removeFirst(limit / 2) }
    guard let answering = answeringSince else { return }
    longestReturn = max(longestReturn, (now - max(stretch.since, answering, excusedUntil)).seconds)
  }

  private static func shown(
    _ screen: SimScreen, _ page: (url: String, turn: EntryTurn)?
  ) -> (Shown, position: Double) {
    switch screen {
    case .idle, .loading: return (.dark, 0)
    case .page(let url): return (page?.url == url ? page.map { .turn($0.turn) } ?? .dark : .foreign(url), 0)
    case .media(let url, let customData, let position):
      return (EntryTag(customData: customData).map { .turn($0.turn) } ?? .foreign(url), position)
    case .application(let name): return (.foreign(name), 0)
    }
  }

  // MARK: - What tests ask

  /// Everything seen so far, the present included.
  package var all: [Stretch] { stretches + [current].compactMap { $0 } }

  /// Seconds for which a turn was on the screen.
  package func seconds(of turn: EntryTurn) -> Double {
    all.filter { $0.shown == .turn(turn) }.map(\.seconds).reduce(0, +)
  }

  /// How far into its medium a turn has been shown, in seconds; nil when it never was.
  package func reached(_ turn: EntryTurn) -> Double? {
    all.filter { $0.shown == .turn(turn) }.map { $0.position + $0.seconds }.max()
  }

  /// Seconds of darkness that were longer than a transition.
  package var darkSeconds: Double { darkStretches.map(\.seconds).reduce(0, +) }
}
