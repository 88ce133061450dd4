package import CastProtocol
package import CastqPlaylists
package import CastqSchedule

/// Which screens are dark, why, and for how long: what `castq_dark_seconds_total` counts and what hooks wait for.
///
/// A screen is dark while its list has something to show and nothing of it is shown. It is neither lit nor dark while nothing is due:
/// an empty queue, quiet hours, a list that a person has stopped, a guest who plays something else.
///
///     off ──fed──> dark(loading) ──shown──> lit ──ended──> dark(loading)
///      ^             │  └──lost──> dark(unreachable) <──lost──┘
///      └──nothing is due, a guest, a person──┘
package struct DarkWatch: Sendable {
  package enum Event: Sendable, Hashable {
    /// Something is to be shown on the device, and it is called.
    case fed(DeviceID)
    case connected(DeviceID)
    case lost(DeviceID)
    /// Something of the list is on the screen.
    case shown(DeviceID)
    /// What was shown has ended.
    case ended(DeviceID, isFailure: Bool)
    /// Nothing is due before a later moment.
    case rests(DeviceID)
    /// Feeding ended; `hasShown` says whether anything was displayed.
    case over(DeviceID, RunEnd, hasShown: Bool)
    /// Only these devices have something that may be shown now.
    case due(Set<DeviceID>)
    /// A threshold may have been reached.
    case timer
  }

  package enum Action: Sendable, Hashable {
    /// The screen has been dark for longer than the threshold; once for each time that it is dark.
    case dark(DeviceID, over: Duration, DarkReason, since: Tick)
    /// Send `.timer` at that moment; it replaces the one that was asked for before.
    case wake(at: Tick)
  }

  private struct Darkness {
    var cause: DarkReason
    /// When this cause began.
    var causeSince: Tick
    /// When the screen went dark.
    let since: Tick
    /// The thresholds that were reached.
    var reached: Set<Duration> = []
  }

  private enum Screen {
    case lit
    case dark(Darkness)
  }

  /// Those that are neither are off.
  private var screens: [DeviceID: Screen] = [:]
  private var fed: Set<DeviceID> = []
  private var totals: [DeviceID: [DarkReason: Duration]] = [:]
  /// How long a screen is dark before somebody wants to hear of it.
  package var thresholds: Set<Duration>

  package init(thresholds: Set<Duration> = []) { self.thresholds = thresholds }

  package mutating func handle(_ event: Event, at now: Tick) -> [Action] {
    switch event {
    case .fed(let id):
      fed.insert(id)
      // One that did not answer is called again: until it answers, that is why it is dark.
      if !isDark(id) { darken(id, .loading, at: now) }
    case .connected(let id): if isDark(id) { darken(id, .loading, at: now) }
    case .lost(let id): darken(id, .unreachable, at: now)
    case .shown(let id): set(id, .lit, at: now)
    case .ended(let id, let isFailure): darken(id, isFailure ? .failed : .loading, at: now)
    case .rests(let id): set(id, nil, at: now)
    case .over(let id, let end, let hasShown):
      fed.remove(id)
      if let cause = Self.cause(of: end, hasShown: hasShown) {
        darken(id, cause, at: now)
      } else {
        set(id, nil, at: now)
      }
    case .due(let devices):
      for id in screens.keys where !devices.contains(id) && !fed.contains(id) { set(id, nil, at: now) }
    case .timer: break
    }
    return due(at: now)
  }

  /// The seconds that each device was dark so far, by cause.
  package func seconds(at now: Tick) -> [DeviceID: [DarkReason: Double]] {
    var sums = totals
    for case (let id, .dark(let darkness)) in screens {
      sums[id, default: [:]][darkness.cause, default: .zero] += max(now - darkness.causeSince, .zero)
    }
    return sums.mapValues { $0.mapValues(\.seconds) }
  }

  private func isDark(_ id: DeviceID) -> Bool { if case .dark? = screens[id] { true } else { false } }

  /// Why a screen stays dark after its feeding ended; nil where nothing more is due on it.
  private static func cause(of end: RunEnd, hasShown: Bool) -> DarkReason? {
    switch end {
    case .unreachable: .unreachable
    case .refused, .failed: .failed
    case .drained(let failed): failed > 0 && !hasShown ? .failed : nil
    case .takenOver, .superseded, .stoppedElsewhere, .stopped, .halted, .entryFailed, .busy: nil
    }
  }

  private mutating func darken(_ id: DeviceID, _ cause: DarkReason, at now: Tick) {
    var since = now
    var reached: Set<Duration> = []
    if case .dark(let before)? = screens[id] {
      // While the device is away, that is why; a load that fails is why until the next one is shown.
      if before.cause == cause || cause == .loading && before.cause == .failed { return }
      (since, reached) = (before.since, before.reached)
    }
    set(id, .dark(Darkness(cause: cause, causeSince: now, since: since, reached: reached)), at: now)
  }

  private mutating func set(_ id: DeviceID, _ screen: Screen?, at now: Tick) {
    if case .dark(let before)? = screens[id] {
      totals[id, default: [:]][before.cause, default: .zero] += max(now - before.causeSince, .zero)
    }
    screens[id] = screen
  }

  private mutating func due(at now: Tick) -> [Action] {
    guard !thresholds.isEmpty else { return [] }
    var actions: [Action] = []
    var next: Tick?
    for (id, screen) in screens.sorted(by: { $0.key < $1.key }) {
      guard case .dark(var darkness) = screen else { continue }
      for threshold in thresholds.subtracting(darkness.reached).sorted() {
        let moment = darkness.since + threshold
        guard moment <= now else {
          next = min(next ?? moment, moment)
          break
        }
        darkness.reached.insert(threshold)
        actions.append(.dark(id, over: threshold, darkness.cause, since: darkness.since))
      }
      screens[id] = .dark(darkness)
    }
    if let next { actions.append(.wake(at: next)) }
    return actions
  }
}
