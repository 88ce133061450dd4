import CastProtocol
import CastSender
import CastqCore
import CastqStore

/// Calls the device, and calls it again when it went away.
extension QueueRunner {
  func openSession(in group: inout DiscardingTaskGroup) {
    guard outcome == nil, session == nil else { return }
    var sessionOptions = options.sessionOptions(for: application)
    do throws(TrustFileError) {
      if let trust = options.trust { sessionOptions.trust = try trust.trust(in: device) }
    } catch {
      outcome = .unreachable(
        ControlFailure(CastError(.deviceAuthenticationFailure, "\(error)")))
      // The loop looks at the outcome after an event.
      send.yield(.timersDue)
      return
    }
    let session = Session(
      device: place, options: sessionOptions, resolver: options.resolver, time: time)
    sessionCount += 1
    let number = sessionCount
    let backlog = Crowd(limit: FeedSession.backlogLimit)
    self.session = FeedSession(number: number, session: session, backlog: backlog)
    calledAt = time.now()
    mediaStatus = nil
    hasMediaAnswer = false
    isLoading = false
    report(.connecting(place.endpoint))
    session.subscribe { [send] event in
      guard backlog.enter() else {
        send.yield(.sessionFlooded(number))
        return false
      }
      send.yield(.session(number, event))
      return true
    }
    group.addTask {
      // What goes wrong comes as the last event, too.
      _ = try? await session.start()
    }
  }

  /// The device does what it should.
  func forgetFailures() {
    failures = 0
    goneSince = nil
  }

  /// What comes next needs another application: the session ends, and what runs goes on until the other one takes its place.
  func open(_ application: FeedApplication, anew: Bool, in group: inout DiscardingTaskGroup) {
    self.application = application
    guard let old = session?.session else { return }
    volume.lost(old.receiverStatus?.volume)
    session = nil
    group.addTask { [send, place] in
      await old.end(anew ? .stopApplication : .leave)
      send.yield(.retry(place))
    }
  }

  static func tooMuch(_ place: Device) -> String {
    "\(place.endpoint) sent more than could be handled; what it was doing is unknown"
  }

  func giveUp(_ session: Session, _ error: CastError, in group: inout DiscardingTaskGroup) {
    group.addTask { await session.leave() }
    sessionEnded(error, in: &group)
  }

  /// A session is one-shot: the next one starts over, and the feeder loads from rows what was cut.
  func sessionEnded(_ error: CastError?, in group: inout DiscardingTaskGroup) {
    volume.lost(session?.session.receiverStatus?.volume)
    let seenUntil = session?.seenUntil
    let (old, wasConnected) = (session?.session, isConnected)
    session = nil
    isConnected = false
    let error = error ?? CastError(.disconnected, "the session with \(place.endpoint) ended")
    feed(.lost(error.description, lastHeard: seenUntil), in: &group)
    guard outcome == nil else { return }
    // Somebody wants the screen for something else (protocol 14.4): it is not ours to take back.
    if error.code == .applicationReplaced {
      feed(.stop(error.description), in: &group)
      outcome = .takenOver(error.takenOverBy ?? "another application")
      return
    }
    let now = time.now()
    let since = goneSince ?? now
    goneSince = since
    let isAwaited = !hasConnected && now - since < options.devicePatience && error.isAbsence
    let policy = isAwaited ? DaemonSettings.reconnect : options.reconnect
    let wait = policy.wait(
      beforeAttempt: failures, random: Double.random(in: 0...1), elapsed: now - since)
    // Calls come at the pace of the policy, however long each of them has rung.
    let pause = wait.map { wasConnected ? $0 : max($0 - (now - calledAt), .zero) }
    // A device that never answered is a mistake to be told at once, to a person; one that went away comes back. One whose
    // application went away while it was being joined has answered.
    let hasAnswered = hasConnected || error.code == .applicationNotRunning
    guard hasAnswered || isAwaited || options.reconnect.giveUpAfter == nil, let pause else {
      // What is on the rows waits again, and history says what it knows.
      feed(.stop(error.description), in: &group)
      outcome = .unreachable(ControlFailure(error))
      return
    }
    failures += 1
    report(.retrying(error, after: pause))
    // A call that was not answered has asked already where the device is.
    if let old, !wasConnected { place = old.device }
    let resolver = wasConnected || pause > .zero ? options.resolver : nil
    group.addTask { [time, send, place] in
      async let found = resolver?.locate(place)
      guard (try? await time.sleep(pause)) != nil else { return }
      send.yield(.retry(await found ?? place))
    }
  }
}

extension CastError {
  /// Nobody answers: what does not prove itself, or refuses, is there.
  fileprivate var isAbsence: Bool {
    ControlFailure(self).exit == .unreachable
  }
}
