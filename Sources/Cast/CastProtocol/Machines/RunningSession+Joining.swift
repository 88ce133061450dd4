// From the device's first status to the first media status, and later messages of the platform (protocol 5, 14.1).

extension RunningSession {
  /// A message of the connection namespace (protocol 3.2).
  mutating func receiveConnection(_ json: JSONValue, from source: EndpointID, _ link: Link, at now: Tick)
    -> Connection?
  {
    guard case .close = ConnectionMessage.decode(json) else { return .online(link) }
    if source == .receiver { return lose(link, because: deviceHungUpError, closing: true, at: now) }
    guard source == link.transport else { return .online(link) }
    return applicationHungUp(link, at: now)
  }

  /// A message of the receiver namespace.
  mutating func receiveReceiver(_ json: JSONValue, isOurs: Bool, _ link: Link, at now: Tick) -> Connection? {
    let reply = ReceiverReply.decode(json)
    let id = isOurs ? reply.requestID : nil
    switch reply.content {
    case .status(let status):
      let before = receiverStatus
      receiverStatus = status
      actions.append(.publish(.receiverStatus(status)))
      // Changes during the disconnection cannot be inferred from a device that was restarted.
      if recovery == nil {
        let deeds = watch.changes(from: before, to: status, at: now)
        actions += deeds.map { .publish(.foreignAction($0)) }
      }
      if let id { answer(id, "RECEIVER_STATUS", with: .receiverStatus(status)) }
      return platformChanged(status, link, at: now)
    case .launchStatus(let status):
      guard case .awaiting(let launch?, _) = link.phase, launch == id else { return .online(link) }
      switch status {
      case .userPendingAuthorization: actions.append(.publish(.waitingForConsent))
      case .userAllowed: break
      // Only a LAUNCH_ERROR refuses a launch: unknown values have no known meaning.
      case .unknown(let word): actions.append(.note(.unreadable(.receiver, "LAUNCH_STATUS \(word)")))
      }
      return .online(link)
    case .launchError(let failure): return launchFailed(reply.requestID, failure, link, at: now)
    case .invalidRequest(let reason):
      guard let id else { return .online(link) }
      return receiverRefused(id, reason: reason, link, at: now)
    case .appAvailability(let answers):
      if let id { answer(id, "GET_APP_AVAILABILITY", with: .appAvailability(answers)) }
      return .online(link)
    case .unknown(let type, _):
      actions.append(.note(.unreadable(.receiver, type)))
      return .online(link)
    }
  }

  /// Handles a full status of the device, which determines the next phase. The reply to a launch is not decisive, only the running
  /// application is (protocol 5.4; 18, quirk 9).
  private mutating func platformChanged(_ status: ReceiverStatus, _ link: Link, at now: Tick) -> Connection? {
    switch link.phase {
    case .asking(let request):
      forget(request)
      return decide(status, link, at: now)
    case .restarting(let application, let request):
      guard !status.applications.contains(where: { $0.sessionID == application.sessionID }) else {
        return .online(link)
      }
      forget(request)
      return decide(status, link, at: now)
    case .awaiting(let launch, _):
      if let application = status.applications.first(where: isReady) {
        return join(application, link, at: now)
      }
      // An application that another sender started has stopped before it was ready.
      if launch == nil, !status.applications.contains(where: isWanted) {
        return decide(status, link, at: now)
      }
      var link = link
      if let application = status.applications.first(where: isWanted) {
        link.starting = application
      } else if let application = link.starting {
        // Until the application was seen, a status without it means that the launch has not progressed so far.
        return fail(link, because: goneError(application, now: status), at: now)
      }
      return .online(link)
    case .joining(let application, let request):
      guard let current = status.applications.first(where: { $0.sessionID == application.sessionID }) else {
        guard recovery != nil else {
          return finish(link, because: goneError(application, now: status))
        }
        forget(request)
        return decide(status, link, at: now)
      }
      var link = link
      link.phase = .joining(current, request)
      return .online(link)
    case .active(let application?):
      guard let current = status.applications.first(where: { $0.sessionID == application.sessionID }) else {
        return finish(link, because: goneError(application, now: status))
      }
      var link = link
      link.phase = .active(current)
      // The application has added the media namespace while running.
      if current.playsMedia, !application.playsMedia, let transport = link.transport,
        !requests.hasOwnMediaStatus()
      {
        _ = askMedia(.getStatus(), to: transport, at: now)
      }
      return .online(link)
    case .active(nil): return .online(link)
    case .parting(let application, let request):
      forget(request)
      guard let current = status.applications.first(where: { $0.sessionID == application.sessionID }),
        isReady(current), link.rejoins < Self.maximumRejoins
      else { return finish(link, because: goneError(application, now: status)) }
      var link = link
      link.rejoins += 1
      return join(current, link, at: now)
    case .stopping(let application, let request):
      guard !status.applications.contains(where: { $0.sessionID == application.sessionID }) else {
        return .online(link)
      }
      forget(request)
      return finish(link, because: nil)
    }
  }

  /// Number of reconnections to an application that closed the connection: one, for a stale address (protocol 18, quirk 37).
  static let maximumRejoins = 2

  func isWanted(_ application: ApplicationMetadata) -> Bool {
    target.wants(application)
  }

  /// An application is ready when it has an address and supports the required namespaces (protocol 5.2).
  func isReady(_ application: ApplicationMetadata) -> Bool {
    isWanted(application) && application.isAddressable
      && target.requiredNamespaces.isSubset(of: application.namespaces)
  }

  /// Handles the first status of the device: join, wait, launch, or continue without an application.
  mutating func decide(_ status: ReceiverStatus, _ link: Link, at now: Tick) -> Connection? {
    if let recovery { return decide(status, recovery, link, at: now) }
    var link = link
    if case .play = target.purpose, target.launch.relaunchIfRunning, !link.hasRestarted,
      let application = status.applications.first(where: isWanted)
    {
      link.hasRestarted = true
      let request = ReceiverRequest.stop(application.sessionID)
      link.phase = .restarting(application, askReceiver(request, expecting: .stop, at: now))
      return .online(link)
    }
    if let application = status.applications.first(where: isReady) { return join(application, link, at: now) }
    if status.applications.contains(where: isWanted) { return wait(link) }
    switch target.purpose {
    case .device, .observe: return activate(nil, link, at: now)
    case .play(let id): return startLaunch(of: id, link, at: now)
    case .join(let id): return finish(link, because: nothingToJoinError(id, status))
    case .joinSession(let id, _): return finish(link, because: sessionGoneError(id, status))
    }
  }

  /// Another sender is starting the application.
  mutating func wait(_ link: Link) -> Connection {
    var link = link
    link.phase = .awaiting(launch: nil, isRetry: false)
    actions.append(.startTimer(.launch, after: target.launchTimeout))
    return .online(link)
  }

  mutating func startLaunch(of id: String, _ link: Link, at now: Tick) -> Connection {
    publishLaunch()
    return awaiting(launch(id, at: now), link)
  }

  /// The launch that was sent before the device proved its identity.
  mutating func continueLaunch(_ link: Link, at now: Tick) -> Connection {
    publishLaunch()
    return awaiting(launchRequested(at: now), link)
  }

  private mutating func publishLaunch() {
    actions += [.publish(.launching), .startTimer(.launch, after: target.launchTimeout)]
  }

  private func awaiting(_ launch: RequestID, _ link: Link) -> Connection {
    var link = link
    link.starting = nil
    link.phase = .awaiting(launch: launch, isRetry: false)
    return .online(link)
  }

  /// Sends LAUNCH. The launch timer is its only deadline: a receiver may reply after a person's consent.
  private mutating func launch(_ id: String, at now: Tick) -> RequestID {
    askReceiver(target.launchRequest(of: id), expecting: .launch, at: now, timeout: nil)
  }

  private mutating func launchFailed(
    _ id: RequestID?, _ failure: LaunchFailure, _ link: Link, at now: Tick
  ) -> Connection? {
    guard case .awaiting(let launch?, let isRetry) = link.phase, id == nil || id == launch else {
      return .online(link)
    }
    forget(launch)
    // Another launch interrupted it: retry once (protocol 18, quirk 8).
    if failure.reason == "CANCELLED", !isRetry, case .play(let applicationID) = target.purpose {
      var link = link
      link.starting = nil
      link.phase = .awaiting(launch: self.launch(applicationID, at: now), isRetry: true)
      return .online(link)
    }
    return fail(link, because: launchError(failure), at: now)
  }

  private mutating func receiverRefused(
    _ id: RequestID, reason: String?, _ link: Link, at now: Tick
  ) -> Connection? {
    guard let entry = requests[id] else {
      noteLate(id, "INVALID_REQUEST")
      return .online(link)
    }
    let error = refusal("INVALID_REQUEST", reason: reason, of: entry)
    close(id, with: .failure(error))
    switch link.phase {
    case .asking(id): return fail(link, because: error, at: now)
    case .awaiting(launch: id, _):
      return fail(link, because: launchError(LaunchFailure(reason: reason)), at: now)
    case .parting(let application, id): return finish(link, because: goneError(application, now: nil))
    // The application to stop does not run: the goal is reached (protocol 5.6).
    case .stopping(_, id): return finish(link, because: nil)
    // The same before a launch.
    case .restarting(_, id):
      guard let status = receiverStatus else { return .online(link) }
      return decide(status, link, at: now)
    case .asking, .restarting, .awaiting, .joining, .active, .parting, .stopping: return .online(link)
    }
  }

  /// A message on one of the device's other namespaces.
  mutating func receivePlatform(_ json: JSONValue, isOurs: Bool) {
    let reply = PlatformReply.decode(json)
    let id = isOurs ? reply.requestID : nil
    switch reply.content {
    case .multizone(let event):
      actions.append(.publish(.multizone(event)))
      if let id, case .status(let status) = event {
        answer(id, "MULTIZONE_STATUS", with: .multizoneStatus(status))
      }
    case .castingGroups(let groups):
      if let id { answer(id, "CASTING_GROUPS", with: .castingGroups(groups)) }
    case .deviceInformation(let information):
      if let id { answer(id, "GET_DEVICE_INFO", with: .deviceInformation(information)) }
    case .setupInformation(let information):
      if let id { answer(id, "eureka_info", with: .setupInformation(information)) }
    case .invalidRequest(let reason):
      guard let id, let entry = requests[id] else { return }
      close(id, with: .failure(refusal("INVALID_REQUEST", reason: reason, of: entry)))
    case .unknown(let type, _): actions.append(.note(.unreadable(.multizone, type)))
    }
  }

  /// Opens the virtual connection to an application and requests its media status.
  mutating func join(_ application: ApplicationMetadata, _ link: Link, at now: Tick) -> Connection {
    guard let transport = application.transportID else { return .online(link) }
    var link = link
    forgetLaunch(link.phase)
    link.transport = transport
    media.reset()
    if case .observe = target.purpose {
      connect(.invisible, to: transport)
    } else {
      connect(.strong, to: transport)
    }
    guard application.playsMedia else { return activate(application, link, at: now) }
    link.phase = .joining(application, askMedia(.getStatus(), to: transport, at: now))
    return .online(link)
  }

  /// Requests are accepted from now on.
  mutating func activate(_ application: ApplicationMetadata?, _ link: Link, at now: Tick) -> Connection {
    var link = link
    link.phase = .active(application)
    if activeSince == nil, target.startTimeout != nil { actions.append(.cancelTimer(.start)) }
    activeSince = now
    guard let recovery else {
      actions.append(.publish(.active(application)))
      return .online(link)
    }
    self.recovery = nil
    lastAttempts = recovery.attempts
    actions.append(.publish(recovery.outcome(application)))
    repeatRequests(link, at: now)
    return .online(link)
  }

  private mutating func forgetLaunch(_ phase: Phase) {
    guard case .awaiting(let launch, _) = phase else { return }
    if let launch { forget(launch) }
    actions.append(.cancelTimer(.launch))
  }
}

extension ApplicationMetadata {
  var playsMedia: Bool { namespaces.contains(Namespace.media.rawValue) }

  /// Whether messages can be sent to it: with an id that is missing, a wildcard, or too long for a message, every message would be
  /// invalid.
  var isAddressable: Bool {
    guard let transportID, transportID != .broadcast else { return false }
    return (1...1024).contains(transportID.rawValue.utf8.count)
  }
}
