import CastProtocol
import CastqPlaylists
import CastqText

extension FeederMachine {
  enum Phase: Sendable {
    /// No session.
    case idle
    /// No session: the receiver is lost, and may play on.
    case absent(Absence)
    /// The receiver still plays for us; what it holds is being found out.
    case adopting(Adoption)
    /// A box with an older epoch displays something that is about to end.
    case relieving(Relief)
    /// Nothing of ours is on the receiver.
    case resting
    /// Nothing could be loaded; waits before it tries again.
    case pausing
    case loading(Load)
    case feeding(Holding)
    case page(PageMachine)
    case ended

    /// Whether there is no session.
    var isIdle: Bool {
      switch self {
      case .idle, .absent: true
      case .adopting, .relieving, .resting, .pausing, .loading, .feeding, .page, .ended: false
      }
    }

    /// Whether something of ours is on the receiver, or on its way.
    var isCasting: Bool {
      switch self {
      case .loading, .feeding, .page: true
      case .idle, .absent, .adopting, .relieving, .resting, .pausing, .ended: false
      }
    }

    var isResting: Bool { if case .resting = self { true } else { false } }
    var isPausing: Bool { if case .pausing = self { true } else { false } }
    var isLoading: Bool { if case .loading = self { true } else { false } }
    var isFeeding: Bool { if case .feeding = self { true } else { false } }
    var isEnded: Bool { if case .ended = self { true } else { false } }
  }
}

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

/// A receiver that is lost may continue to play: what it showed is kept until it is seen again.
struct Absence: Sendable {
  enum Show: Sendable {
    case media(Holding)
    case page(PageMachine)
  }

  var loss: Loss
  var show: Show
}

extension FeederMachine {
  /// What the receiver holds of ours, or held when it was lost; nothing where the phase has none. A page is the only item.
  var held: Holding {
    get {
      switch phase {
      case .absent(let absence):
        switch absence.show {
        case .media(let held): held
        case .page(let page): Holding(window: FeedWindow(page.item))
        }
      case .adopting(let adoption): adoption.held
      case .loading(let load): load.held
      case .feeding(let held): held
      case .page(let page): Holding(window: FeedWindow(page.item))
      case .idle, .relieving, .resting, .pausing, .ended: Holding()
      }
    }
    set {
      switch phase {
      case .absent(var absence):
        guard case .media = absence.show else { break }
        absence.show = .media(newValue)
        phase = .absent(absence)
      case .adopting(var adoption):
        adoption.held = newValue
        phase = .adopting(adoption)
      case .loading(var load):
        load.held = newValue
        phase = .loading(load)
      case .feeding: phase = .feeding(newValue)
      case .idle, .relieving, .resting, .pausing, .page, .ended: break
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
    case .idle, .relieving, .resting, .pausing, .loading, .feeding, .page, .ended: nil
    }
  }
}
