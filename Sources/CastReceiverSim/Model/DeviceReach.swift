package import CastProtocol

/// How new connections to a device are met.
package enum SimDoor: String, Sendable {
  case open
  /// They are refused.
  case closed
  /// They get no answer.
  case silent
}

/// Whether a device is on, awake and on the network, and what waits for it to come back.
struct DeviceReach: Sendable {
  /// More than this is not kept for a connection of a device that is off the network: it is reset on return.
  static let heldLimit = 4096

  var isPowered = true
  var isAsleep = false
  /// How it is missed while it is off the network; nil while it is on it.
  var absence: SimAbsence?
  var bootedAt = Tick.zero
  /// What senders said that the device has not heard.
  var unheard: [ReceiverModel.Event] = []
  /// What the device said that has not left it.
  var unsent: [ReceiverModel.Action] = []
  /// Connections that missed too much.
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
  /// How new connections are met now.
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

/// Being off the network: TCP keeps on both sides what could not be delivered.
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

  /// Keeps what comes from outside; false for what the device knows by itself.
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

  /// Keeps what would go out now; the rest stays to be done.
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
        // Who has lost everything does not repeat what it said.
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
