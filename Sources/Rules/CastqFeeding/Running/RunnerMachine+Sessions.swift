import CastProtocol
import CastqSchedule
import CastqText

/// Calls the device, and calls it again when it went away.
extension RunnerMachine {
  /// Calls the device for the first entry that may be shown, with the application that it needs: a page that a feeder before has
  /// left on the screen is not to be driven away by a media receiver.
  mutating func begin(with list: UpcomingList) {
    switch stage {
    case .idle, .waiting: break
    case .pausing, .switching, .session: return
    }
    if list.places.isEmpty, let look = scheduled(list).until {
      wait(until: look)
      return listIsOver(list)
    }
    actions.append(.cancelTimer(.window))
    application.kind = list.places.first?.application ?? .media
    openSession()
  }

  /// Looks again when the first window opens, or when the schedule may have something.
  mutating func wait(until look: WallTime) {
    endSession(exit.action)
    exit.action = .leave
    // What was interrupted before may come back after the wait.
    let interrupted = feeder.interrupted
    feeder = FeederMachine(queue: feeder.configuration.queue, configuration: configuration.feeder)
    feeder.interrupted = interrupted
    waits.links.rest()
    let opening = ownOpening(of: look)
    let begins = opening ?? schedule?.machine.nextStart(after: moment.wall)
    var outlook = begins.map { Outlook(.notYet, until: $0) } ?? Outlook(.nothingDue)
    outlook.isOfRule = opening == nil
    stage = .waiting(outlook)
    if self.opening.announced != outlook { report(.waiting(outlook)) }
    self.opening.announced = outlook
    actions.append(.startTimer(.window, after: configuration.feeder.pause(until: look, at: moment.wall)))
  }

  mutating func openSession() {
    let number = requests.nextSession()
    stage = .session(RunnerSession(number, at: moment.now))
    // What is waited for afterwards is a wait of its own.
    opening.announced = nil
    report(.connecting(device.endpoint))
    actions.append(.openSession(number, application.kind, device))
  }

  private mutating func endSession(_ action: SessionEndAction) {
    guard let session else { return }
    actions.append(.endSession(session.number, action))
  }

  /// What comes next needs another application: the session ends, and what runs continues until the other one takes its place.
  mutating func open(_ application: FeedApplication, anew: Bool) {
    self.application.kind = application
    guard let session else { return }
    volume.lost(session.volume)
    endSession(anew ? .stopApplication : .leave)
    stage = .switching(from: session.number)
  }

  /// A session that is no use any more is left.
  mutating func abandon(_ number: SessionNumber, _ error: CastError) {
    guard number == session?.number else { return }
    endSession(.leave)
    sessionEnded(error)
  }

  /// - Parameter isUsual: whether the device does it all the time; else this computer may have been busy.
  static func tooMuch(_ device: Device, isUsual: Bool) -> CastError {
    CastError(
      isUsual ? .tooManyMessages : .disconnected,
      "\(device.endpoint) sent more than could be handled, and what it did meanwhile is unknown; restart it if it happens again"
    )
  }

  // MARK: - What a session reports

  mutating func receive(_ event: SessionEvent, seenUntil: Tick?) {
    switch event {
    case .connecting, .launching, .waitingForConsent, .queueItemIDs, .queueItems, .queueItemFailed,
      .multizone,
      .credentialsWanted, .resuming, .foreignAction, .suspended(.byCaller), .suspended(.transfer):
      break
    case .receiverStatus(let status):
      update { $0.received(status) }
      feed(.application(session?.application))
    case .channelMessage(let message):
      if case .text(let text) = message.payload { feed(.pageSaid(text)) }
    case .active(let application):
      joined(
        application,
        isSame: application?.sessionID != nil && application?.sessionID == self.application.session)
    case .suspended(.connectionLost(let error)): suspended(error)
    case .retrying(let error, let pause): retrying(error, after: pause)
    case .resumed(let application, let isSame): joined(application, isSame: isSame)
    case .mediaStatus(let status):
      update {
        $0.mediaStatus = status
        $0.hasMediaAnswer = true
      }
      feed(.mediaStatus(status, seenUntil: seenUntil))
      if let status { report(.status(status)) }
      // A device that shows what it was given is healthy, however often its connection was lost.
      if feeder.isShowing { calls.reset() }
      continueStop()
    case .queueChange(let change): feed(.queueChange(QueueChange(change)))
    case .queueItemError(let id, let error): feed(.itemError(id, PlayReason(error)))
    case .ended(let error): sessionEnded(error)
    }
  }

  private mutating func joined(_ application: ApplicationMetadata?, isSame: Bool) {
    calls.hasConnected = true
    update { $0.joined(application) }
    report(.connected(application))
    actions.append(.noteSeen(device.endpoint))
    self.application.session = application?.sessionID
    // Before anything is loaded: the first sound has the wanted volume.
    adjustVolume()
    feed(
      .begin(
        session?.mediaStatus, isSameApplication: isSame, self.application.kind,
        hasAnswered: session?.hasMediaAnswer == true || self.application.kind == .pages))
    feed(.application(application))
    settleAdopted()
    tell(.back)
  }

  // MARK: - Losses

  /// The connection is lost: the session calls the device again.
  private mutating func suspended(_ error: CastError) {
    lose(error)
    guard end == nil else { return }
    // A device that shows nothing between its losses is not waited for any longer than one that stays away.
    let elapsed = calls.lost(at: moment.now)
    if let limit = configuration.reconnect.giveUpAfter, elapsed >= limit { return giveUp(error) }
    if let session, calls.hurries(at: moment.now) { actions.append(.resumeSession(session.number)) }
    retrying(error, after: .zero)
  }

  private mutating func retrying(_ error: CastError, after pause: Duration) {
    calls.count()
    report(.retrying(error, after: pause, lastHeard: session?.seenUntil))
    // What a device has to prove is looked up for each session: a person may have changed it.
    guard let session, Failure(error).exit == .notPermitted else { return }
    abandon(session.number, error)
  }

  /// The connection with the device is gone. What is on the receiver may continue.
  private mutating func lose(_ error: CastError) {
    guard let session else { return }
    volume.lost(session.volume)
    update { $0.suspend() }
    plays.loadedAt = nil
    requests.abandon()
    waits.links.rest()
    endStop(nil)
    // What is on the screen of a device that is gone is not known. With its application the media are gone, too.
    if exit.isHalting, error.code != .applicationNotRunning, error.code != .applicationReplaced {
      exit.haltFailure = Self.notReached
    }
    tell(schedule?.now.hasBegun == false ? .darkAtStart : .dark)
    if schedule?.machine.isPlayingShare == true { schedule?.passesShares = true }
    feed(.lost(error.description, lastHeard: session.seenUntil))
  }

  /// A session is over: its device could not be called, its application is gone, or it was abandoned. The next one begins with what
  /// is on the rows.
  mutating func sessionEnded(_ error: CastError?) {
    guard let session else { return }
    let error = error ?? CastError(.disconnected, "the session with \(device.endpoint) ended")
    lose(error)
    stage = .pausing
    guard end == nil else { return }
    // Somebody wants the screen for something else (protocol 14.4): it is not ours to take back.
    if error.code == .applicationReplaced {
      feed(.stop(PlayEnding(.guest, error.description)))
      end = .takenOver(error.takenOverBy ?? "another application")
      return
    }
    if configuration.clearing != nil, error.code == .applicationNotRunning || calls.hasConnected {
      return leaveCleared()
    }
    let elapsed = calls.lost(at: moment.now)
    let isAwaited = !calls.hasConnected && elapsed < configuration.start.patience && error.isAbsence
    let policy = isAwaited ? RunnerConfiguration.eager : configuration.reconnect
    var wait = policy.wait(beforeAttempt: calls.failures, random: calls.jitter.next(), elapsed: elapsed)
    if error.code == .tooManyMessages {
      wait = wait.map { max($0, calls.flooded(since: session.calledAt, at: moment.now)) }
    }
    // A device that never answered is a mistake to be reported at once, to a person; one that went away comes back. One whose
    // application went away while it was being joined has answered.
    let hasAnswered = calls.hasConnected || error.code == .applicationNotRunning
    guard hasAnswered || isAwaited || configuration.reconnect.giveUpAfter == nil, let wait else {
      return giveUp(error)
    }
    // Calls come at the pace of the policy, however long each of them has rung.
    let pause = session.connection == .calling ? max(wait - (moment.now - session.calledAt), .zero) : wait
    calls.count()
    report(.retrying(error, after: pause, lastHeard: session.seenUntil))
    actions.append(.startTimer(.call, after: pause))
  }

  /// What is on the rows waits again, and history has what is known.
  private mutating func giveUp(_ error: CastError) {
    feed(.stop(PlayEnding(.deviceLost, error.description)))
    end = .unreachable(Failure(error))
  }
}

extension CastError {
  /// No device answered. One that refuses, or does not prove its identity, is there.
  fileprivate var isAbsence: Bool { Failure(self).exit == .unreachable }
}
