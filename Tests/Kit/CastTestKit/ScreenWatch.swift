package import CastProtocol
import CastReceiverSim
package import CastqPlaylists

/// What a device actually showed, and when: the reference for its history.
package struct ScreenWatch: Sendable {
  package enum Shown: Sendable, Hashable {
    /// A turn of ours.
    case turn(EntryTurn)
    /// Another sender's medium, page or application.
    case foreign(String)
    /// Nothing, or something that still loads.
    case dark
  }

  /// An interval in which the screen did not change.
  package struct Stretch: Sendable, Hashable {
    package var shown: Shown
    package var since: Tick
    package var until: Tick
    /// Position in the medium at its beginning, in seconds.
    package var position: Double
    /// Since when the device was reachable at its end; nil when it was not.
    package var answeringSince: Tick?

    package var seconds: Double { (until - since).seconds }
  }

  /// The newest last; no more than `limit`.
  package private(set) var stretches: [Stretch] = []
  package var limit = 100_000
  /// Dark intervals longer than `transition`.
  package private(set) var darkStretches: [Stretch] = []
  /// Longest time in seconds until something was shown again, counted from the moment the device was reachable.
  package private(set) var longestReturn = 0.0
  private var current: Stretch?
  /// How the content moves since `current` was seen last.
  private var pace: (since: Tick, rate: Double)?
  private var content: [EntryTurn: Double] = [:]
  private var answeringSince: Tick?
  private var excusedUntil = Tick.zero

  /// Any receiver needs up to this time between two items.
  package static let transition = Duration.milliseconds(500)

  package init() {}

  /// Excludes the time before `tick` from `longestReturn`: nothing could be shown.
  package mutating func excuse(until tick: Tick) { excusedUntil = max(excusedUntil, tick) }

  /// - Parameter page: the page that was requested last, and its turn.
  mutating func see(_ receiver: ReceiverModel, page: (url: String, turn: EntryTurn)? = nil, at now: Tick) {
    if receiver.door == .open {
      answeringSince = answeringSince ?? now
    } else {
      answeringSince = nil
    }
    countContent(until: now)
    pace = receiver.contentPace
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

  private mutating func countContent(until now: Tick) {
    guard let pace, let current, case .turn(let turn) = current.shown else { return }
    content[turn, default: 0] += max((now - max(current.until, pace.since)).seconds, 0) * pace.rate
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

  // MARK: - Queries

  /// Everything seen so far, the present included.
  package var all: [Stretch] { stretches + [current].compactMap { $0 } }

  /// Seconds for which a turn was on the screen.
  package func seconds(of turn: EntryTurn) -> Double {
    all.filter { $0.shown == .turn(turn) }.map(\.seconds).reduce(0, +)
  }

  /// Seconds of its medium that a turn has shown by the receiver's own clock: without ads, pauses and what seeks passed.
  package func contentSeconds(of turn: EntryTurn) -> Double { content[turn] ?? 0 }

  /// The furthest position that a turn has shown in its medium, in seconds; nil when it never was shown.
  package func reached(_ turn: EntryTurn) -> Double? {
    all.filter { $0.shown == .turn(turn) }.map { $0.position + $0.seconds }.max()
  }

  /// Total of the dark intervals longer than `transition`, in seconds.
  package var darkSeconds: Double { darkStretches.map(\.seconds).reduce(0, +) }
}
