import CastProtocol
import CastReceiverSim
import CastqCore

/// What a runner and its supervisor do: sessions one after the other, and feeders.
extension VirtualFeed {
  mutating func openSession() {
    session = SessionMachine()
    sessions += 1
    sessionTimers = [:]
    edits = [:]
    mediaStatus = nil
    hasMediaAnswer = false
    endAction = .leave
    var target = SessionTarget(
      endpoint: DeviceEndpoint(host: "virtual"),
      purpose: .play(applicationID: application == .pages ? DashCastApplication.publicID : "CC1AD845"),
      firstRequestID: 1)
    if application == .pages { target.requiredNamespaces = [] }
    tell(session: .start(target))
  }

  /// What a runner does: the session ends, and another one begins.
  mutating func open(_ application: FeedApplication, anew: Bool) {
    note("open \(application)")
    self.application = application
    isSwitching = true
    tell(session: .end(anew ? .stopApplication : .leave))
    isSwitching = false
    reopenAt = now
  }

  /// The application for pages is told what to show.
  mutating func say(_ text: String, under namespace: String) {
    if let url = (try? JSONValue(parsing: text))?["url"]?.string, let turn = feeder.currentTurn {
      page = (url, turn)
    }
    tokens += 1
    note("page \(text)")
    let message = ChannelMessage(namespace: namespace, payload: .text(text))
    tell(session: .request(RequestToken(tokens), .message(message)))
  }

  /// The connection of a process that is gone, or gives up.
  mutating func hangUp() {
    if let broken = connection { receiver.handle(.connectionClosed(broken)) }
    connection = nil
    call = nil
    collect()
  }

  /// Nothing of the session is left, and nobody waits for anything.
  mutating func dropSession() {
    hangUp()
    session = SessionMachine()
    sessionTimers = [:]
    feederTimers = [:]
    outcomes = []
    edits = [:]
    reopenAt = nil
  }

  /// The feeder has no use for the session any more.
  mutating func giveUpSession(_ words: String) {
    hangUp()
    sessionEnded(CastError(.timeout, words))
    session = SessionMachine()
    sessionTimers = [:]
  }

  /// What a runner does: it calls again, unless somebody else has the screen.
  mutating func sessionEnded(_ error: CastError?) {
    guard !isSwitching else { return }
    note("session ended: \(error.map { "\($0)" } ?? "by us")")
    // A call that failed like the one before changes nothing.
    if failures == 0 { stateChanges += 1 }
    tell(.lost(error.map { "\($0)" } ?? "ended", lastHeard: session.seenUntil))
    guard end == nil, leaseEndsAt == nil else { return }
    if error?.code == .applicationReplaced {
      return finish(.takenOver(error?.takenOverBy ?? "an application"))
    }
    let random = Double((connections * 37 + failures * 11) % 100) / 100
    let pause = reconnect.wait(beforeAttempt: failures, random: random, elapsed: .zero)
    failures += 1
    reopenAt = now + (pause ?? .seconds(5))
  }

  /// Nothing may be on the screen until then.
  mutating func wait(until: WallTime) {
    stateChanges += 1
    note("feeder waits until \(until)")
    tell(session: .end(.leave))
    feeder = FeederMachine(queue: "virtual", configuration: configuration)
    let opening = now + .bounded(seconds: until - wall)
    reopenAt = opening
    watch.excuse(until: opening)
  }

  /// A feeder has ended: of guests a supervisor takes the screen back when their lease is over.
  mutating func finish(_ how: RunEnd) {
    stateChanges += 1
    note("feeder ended: \(how)")
    switch how {
    case .takenOver, .stoppedElsewhere:
      guard let lease else { fallthrough }
      dropSession()
      leaseEndsAt = now + lease
      watch.excuse(until: now + lease)
    case .drained, .refused, .unreachable, .stopped, .halted, .entryFailed, .failed, .busy:
      if endAction == .stopApplication { tell(session: .end(.stopApplication)) }
      end = how
    }
  }

  mutating func takeBack() {
    leaseEndsAt = nil
    note("lease over")
    feeder = FeederMachine(queue: "virtual", configuration: configuration)
    failures = 0
    openSession()
  }

  // MARK: - The network

  mutating func answerCall() {
    guard let calling = call else { return }
    switch receiver.model.door {
    case .open:
      call = nil
      connections += 1
      let new = SimConnectionID(connections)
      connection = new
      receiver.handle(.connectionOpened(new))
      collect()
      tell(session: .transportOpened)
    case .closed:
      call = nil
      tell(session: .transportClosed(.failed(CastError(.connectionRefused, "refused"))))
    case .silent:
      call = calling.later(than: now)
      if call == nil { tell(session: .transportClosed(.failed(CastError(.timeout, "no answer")))) }
    }
  }
}
