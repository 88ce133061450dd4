package import CastProtocol

/// How a device treats new connections.
package enum SimDoor: String, Sendable {
  case open
  /// They are refused.
  case closed
  /// They get no answer.
  case silent
}

/// Whether a device is on, awake and on the network, and what is held until it is back.
struct DeviceReach: Sendable {
  /// Most messages held in each direction while a device is off the network; a connection that exceeds it is reset on return.
  static let heldLimit = 4096

  var isPowered = true
  var isAsleep = false
  /// How connects fail while it is off the network; nil while it is on it.
  var absence: SimAbsence?
  var bootedAt = Tick.zero
  /// Events that the device has not received yet.
  var unheard: [ReceiverModel.Event] = []
  /// Actions that have not left the device yet.
  var unsent: [ReceiverModel.Action] = []
  /// Connections that exceeded `heldLimit`.
  var doomed: Set<SimConnectionID> = []

  var door: SimDoor {
    guard isPowered else { return .closed }
    return switch absence {
    case nil: .open
    case .silent: .silent
    case .refuse: .closed
    }
  }
}

/// Power, standby and the network (protocol 5.2, 14.3, 19).
extension ReceiverModel {
  /// How new connections are treated now.
  package var door: SimDoor { reach.door }

  /// Time since the device came up last, in its own time.
  package func uptime(at tick: Tick) -> Duration { max(tick, now) - reach.bootedAt }

  mutating func powerOff() {
    actions.append(.cancelTimer(.boot))
    if platform.launch != nil { actions.append(.cancelTimer(.launch)) }
    platform.launch = nil
    for connection in connections.all { reset(connection) }
    endApplication(announcing: false)
    reach.isPowered = false
    reach.isAsleep = false
    actions.append(.door(door))
  }

  mutating func powerOn() {
    actions.append(.cancelTimer(.boot))
    reach.isPowered = true
    reach.bootedAt = now
    platform.restart()
    actions.append(.door(door))
  }

  mutating func sleep() {
    platform.isStandBy = true
    broadcastStatus()
    for connection in connections.all { close(connection) }
    reach.isAsleep = true
  }

  mutating func wake() {
    reach.isAsleep = false
    platform.isStandBy = false
    broadcastStatus()
  }

  mutating func move(to port: Int?) {
    for connection in connections.all { close(connection) }
    actions.append(.relocate(port: port))
  }
}

/// Being off the network: TCP keeps undelivered data on both sides.
extension ReceiverModel {
  mutating func drop(for time: Duration?, _ absence: SimAbsence) {
    reach.absence = absence
    actions += [.freeze(true), .door(door)]
    if let time { actions.append(.startTimer(.network, after: time)) }
  }

  mutating func returnToNetwork() {
    reach.absence = nil
    actions += [.cancelTimer(.network), .freeze(false), .door(door)]
    let (unsent, unheard, doomed) = (reach.unsent, reach.unheard, reach.doomed)
    (reach.unsent, reach.unheard, reach.doomed) = ([], [], [])
    actions += unsent
    for event in unheard { take(event) }
    for connection in doomed.sorted() { reset(connection) }
  }

  /// Holds an event from outside; false for an event of the device itself.
  mutating func hold(_ event: Event) -> Bool {
    switch event {
    case .connectionOpened, .connectionClosed: reach.unheard.append(event)
    case .received(_, let connection):
      if reach.unheard.count < DeviceReach.heldLimit {
        reach.unheard.append(event)
      } else {
        reach.doomed.insert(connection)
      }
    case .fetched, .timerFired, .control: return false
    }
    return true
  }

  /// Holds the actions that would send or close; the rest stays in `actions`.
  mutating func holdActions() {
    var free: [Action] = []
    for action in actions {
      switch action {
      case .send(_, let connection):
        if reach.unsent.count < DeviceReach.heldLimit {
          reach.unsent.append(action)
        } else {
          reach.doomed.insert(connection)
        }
      case .close: reach.unsent.append(action)
      case .reset(let connection):
        // A reset connection retransmits nothing.
        reach.unsent.removeAll { $0.isFor(connection) }
        reach.unsent.append(action)
      case .unheard, .fetch, .cancelFetch, .startTimer, .cancelTimer, .door, .freeze, .relocate:
        free.append(action)
      }
    }
    actions = free
  }
}

extension ReceiverModel.Action {
  fileprivate func isFor(_ connection: SimConnectionID) -> Bool {
    switch self {
    case .send(_, let other), .close(let other), .reset(let other): other == connection
    case .unheard, .fetch, .cancelFetch, .startTimer, .cancelTimer, .door, .freeze, .relocate: false
    }
  }
}
