import CastProtocol
import CastqPlaylists
import CastqText

/// What the receiver holds of ours, or held when it was lost. It dies when nothing of ours is there any more.
struct Holding: Sendable {
  var window = FeedWindow()
  /// Our media session; nil before the first status of a load.
  var session: MediaSessionID?
  /// The last reading of the rows reached the end of the list.
  var hasReachedEnd = false
  /// What was current when a reading led to no edit: another one helps only when the screen has changed.
  var settled: EntryTurn?
  /// The clocks of the item on the screen.
  var clock = ItemClock()
  /// Whether it moves.
  var stall = StallWatch()
  /// How its player is set; nil before it was reported.
  var player: PlayerSetting?
  /// What the receiver says of it, and whether it answers.
  var doubts = Doubts()

  /// The timers of an item are gone, and what they were for.
  mutating func forgetClocks() {
    stall.forgetClock()
    clock.reset()
    doubts = Doubts()
  }
}

/// A load on its way.
struct Load: Sendable {
  var held: Holding
  /// Its addresses, while its media session is unknown.
  var awaited: Set<String>
  /// The status of its end, when that came before the answer.
  var endedBy: MediaStatus?
}

/// Since when the receiver is unobserved, and why the play ends, if it does.
struct Loss: Sendable, Hashable {
  var since: Tick
  var wall: WallTime
  var ending: PlayEnding
}

/// A receiver that is lost may continue to play: what it held is kept until it is seen again.
struct Absence: Sendable {
  var loss: Loss
  var held: Holding
}

extension FeederMachine {
  /// What the receiver holds of ours, or held when it was lost; nothing where the phase has none.
  var held: Holding {
    get {
      switch phase {
      case .absent(let absence): absence.held
      case .adopting(let adoption): adoption.held
      case .loading(let load): load.held
      case .feeding(let held): held
      case .idle, .relieving, .resting, .pausing, .ended: Holding()
      }
    }
    set {
      switch phase {
      case .absent(var absence):
        absence.held = newValue
        phase = .absent(absence)
      case .adopting(var adoption):
        adoption.held = newValue
        phase = .adopting(adoption)
      case .loading(var load):
        load.held = newValue
        phase = .loading(load)
      case .feeding: phase = .feeding(newValue)
      case .idle, .relieving, .resting, .pausing, .ended: break
      }
    }
  }

  var window: FeedWindow {
    get { held.window }
    set { held.window = newValue }
  }

  /// The load on its way; nil when there is none.
  var load: Load? {
    get { if case .loading(let load) = phase { load } else { nil } }
    set { if let newValue, phase.isLoading { phase = .loading(newValue) } }
  }

  /// Since when the receiver is unobserved; nil while it is observed.
  var loss: Loss? {
    switch phase {
    case .absent(let absence): absence.loss
    case .adopting(let adoption): adoption.loss
    case .idle, .relieving, .resting, .pausing, .loading, .feeding, .ended: nil
    }
  }
}
