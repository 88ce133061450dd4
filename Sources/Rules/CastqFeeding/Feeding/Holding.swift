import CastProtocol
import CastqPlaylists
import CastqText

extension FeederMachine {
  enum Phase: Sendable {
    /// No session; whether what the receiver plays is replaced by the rows.
    case idle(Receiver, startsOver: Bool)
    /// No session: the receiver is lost, and may play on.
    case absent(Absence)
    /// The receiver still plays for us; what it holds is being found out.
    case adopting(Adoption)
    /// A box with an older epoch displays something that is about to end.
    case relieving(Relief)
    /// Nothing of ours is on the receiver.
    case resting(Receiver)
    /// Nothing could be loaded; waits before it tries again.
    case pausing(Receiver)
    case loading(Load)
    case feeding(Holding)
    case page(PageMachine, Receiver)
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

/// What is known of the receiver beside what it holds of ours, and what is under way for it.
struct Receiver: Sendable, Hashable {
  /// What runs on it.
  var application = FeedApplication.media
  /// The application for pages, where it runs.
  var host = PageHost()
  /// What it is loading.
  var load = ReceiverLoad.none
  /// The media session before ours; its statuses are ignored.
  var foreign: MediaSessionID?
  /// The edit of its queue that is in flight; its answer may come when the window it was for is gone.
  var edit: PendingEdit?
  /// After a refused edit, no other is sent for a while.
  var pausesEdits = false
  /// The reading of the rows that is under way.
  var reading: OpenReading?
  /// Whether the window agrees with the rows, as far as known.
  var rows = RowReading()
  /// What follows as soon as nothing of ours is on it.
  var pending: PendingCommand?
  /// Up to when its session has certainly seen it; nil is now.
  var seenUntil: Tick?
  /// A question for a status has not been answered yet.
  var isAsked = false
  /// The page whose time has just ended.
  var lastPage: UpcomingPlace?

  /// The application for pages has no media: none are loaded there, or asked about.
  var withoutMedia: Receiver {
    var receiver = self
    (receiver.load, receiver.foreign, receiver.isAsked, receiver.lastPage) = (.none, nil, false, nil)
    return receiver
  }
}

/// What the receiver holds of ours, or held when it was lost. It dies when nothing of ours is there any more.
struct Holding: Sendable {
  var receiver = Receiver()
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
    case page(PageMachine, Receiver)
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
        case .page(let page, let receiver): Holding(receiver: receiver, window: FeedWindow(page.item))
        }
      case .adopting(let adoption): adoption.held
      case .loading(let load): load.held
      case .feeding(let held): held
      case .page(let page, let receiver): Holding(receiver: receiver, window: FeedWindow(page.item))
      case .idle, .relieving, .resting, .pausing, .ended: Holding()
      }
    }
    set {
      switch phase {
      case .absent(var absence):
        switch absence.show {
        case .media: absence.show = .media(newValue)
        case .page(let page, _): absence.show = .page(page, newValue.receiver)
        }
        phase = .absent(absence)
      case .adopting(var adoption):
        adoption.held = newValue
        phase = .adopting(adoption)
      case .loading(var load):
        load.held = newValue
        phase = .loading(load)
      case .feeding: phase = .feeding(newValue)
      case .page(let page, _): phase = .page(page, newValue.receiver)
      case .idle, .relieving, .resting, .pausing, .ended: break
      }
    }
  }

  /// What is known of the receiver beside that.
  var receiver: Receiver {
    get {
      switch phase {
      case .idle(let receiver, _), .resting(let receiver), .pausing(let receiver): receiver
      case .relieving(let relief): relief.receiver
      case .absent, .adopting, .loading, .feeding, .page, .ended: held.receiver
      }
    }
    set {
      switch phase {
      case .idle(_, let startsOver): phase = .idle(newValue, startsOver: startsOver)
      case .resting: phase = .resting(newValue)
      case .pausing: phase = .pausing(newValue)
      case .relieving(var relief):
        relief.receiver = newValue
        phase = .relieving(relief)
      case .absent, .adopting, .loading, .feeding, .page, .ended: held.receiver = newValue
      }
    }
  }

  /// The edit in flight; nil while there is none.
  var edit: PendingEdit? {
    get { receiver.edit }
    set {
      receiver.edit = newValue
      if newValue != nil { edits.number += 1 }
    }
  }

  /// Reads the rows.
  mutating func beginReading(at current: EntryTurn?) {
    receiver.reading = OpenReading(current: current)
    receiver.rows.begin()
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
