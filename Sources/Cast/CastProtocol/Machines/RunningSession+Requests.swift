// Requests and replies: every request gets its number and deadline here, and every reply is matched to its request here.

extension RunningSession {
  /// Sends a caller's request, or refuses it if it cannot succeed.
  /// - Parameter isRepeat: it was sent before the connection was lost, and is not sent a third time.
  mutating func issue(
    _ request: SenderRequest, for token: RequestToken, _ link: Link, isRepeat: Bool = false, at now: Tick
  ) {
    if let flaw = request.flaw { return actions.append(.complete(token, .failure(flaw))) }
    watch.weAsk(request, at: now)
    switch send(request, for: token, link, repeatable: isRepeat ? nil : request.ifRepeatable, at: now) {
    case .success: break
    case .failure(let error): actions.append(.complete(token, .failure(error)))
    }
  }

  private mutating func send(
    _ request: SenderRequest, for token: RequestToken, _ link: Link, repeatable: SenderRequest?, at now: Tick
  ) -> Result<RequestID, CastError> {
    replace(request.kind)
    guard !requests.isFull else { return .failure(.tooManyRequests) }
    switch request {
    case .receiver(let request):
      return transmit(
        payload: request.json(requestID: requests.nextID), name: request.type, .receiver,
        to: .receiver, expecting: request.expectation, token: token, timeout: target.requestTimeout,
        kind: request.kind, repeatable: repeatable, at: now)
    case .platform(let request):
      return transmit(
        payload: request.json(requestID: requests.nextID), name: request.type, request.namespace,
        to: .receiver, expecting: request.expectation, token: token, timeout: target.requestTimeout,
        repeatable: repeatable, at: now)
    case .message(let message): return send(message, for: token, link)
    case .media(let request, let customData):
      guard case .active(let application?) = link.phase, let transport = link.transport else {
        return .failure(link.phase.refusal(request.type))
      }
      let session = media.status?.mediaSessionID
      if request.needsMediaSession, session == nil {
        return .failure(.nothingLoaded(request.type, application: application.displayName))
      }
      let expectation = request.expectation
      return transmit(
        payload: request.json(
          requestID: requests.nextID, mediaSessionID: session, customData: customData),
        name: request.type, .media, to: transport, expecting: expectation, token: token,
        timeout: expectation == .load ? target.loadTimeout : target.requestTimeout,
        kind: request.kind, repeatable: repeatable, at: now)
    }
  }

  /// A newer request of a replaceable kind ends an older one (protocol 17.6).
  private mutating func replace(_ kind: RequestTable.Kind?) {
    guard let kind, let older = requests.id(of: kind) else { return }
    close(older, with: .failure(.replacedByNewer))
  }

  /// A message of a custom namespace: it has no number and no reply, and fails if no application supports the namespace (protocol
  /// 16).
  private mutating func send(_ message: ChannelMessage, for token: RequestToken, _ link: Link)
    -> Result<RequestID, CastError>
  {
    if let problem = ChannelNamespace.problem(with: message.namespace) {
      return .failure(.unusableNamespace(message.namespace, problem))
    }
    guard case .active(let application?) = link.phase, let transport = link.transport else {
      return .failure(.channelWithoutApplication(message.namespace))
    }
    guard application.namespaces.contains(message.namespace) else {
      return .failure(.channelNotConnected(message.namespace, application: application.displayName))
    }
    let message = CastMessage(
      source: target.senderID, destination: transport, namespace: Namespace(message.namespace),
      payload: message.wirePayload)
    let length = FrameCodec.bodyLength(of: message)
    guard length <= FrameCodec.maximumBodyLength else {
      return .failure(.tooBig("a message for \(message.namespace)", length))
    }
    actions += [.send(message), .complete(token, .success(.sent))]
    return .success(RequestID(0))
  }

  /// The last step of every request: checks the size before a number is assigned, sends, and starts the timer.
  private mutating func transmit(
    payload: JSONValue, name: String, _ namespace: Namespace, to destination: EndpointID,
    expecting expectation: RequestTable.Expectation, token: RequestToken?, timeout: Duration?,
    kind: RequestTable.Kind? = nil, repeatable: SenderRequest? = nil, at now: Tick
  ) -> Result<RequestID, CastError> {
    let message = CastMessage(
      source: target.senderID, destination: destination, namespace: namespace, json: payload)
    let length = FrameCodec.bodyLength(of: message)
    guard length <= FrameCodec.maximumBodyLength else { return .failure(.tooBig(name, length)) }
    let deadline = now + (timeout ?? target.launchTimeout)
    let entry = requests.open(
      expectation, name: name, token: token, deadline: deadline, kind: kind, repeatable: repeatable)
    actions.append(.send(message))
    if let timeout { actions.append(.startTimer(.request(entry.id), after: timeout)) }
    return .success(entry.id)
  }

  /// A request of the machine itself to the platform.
  mutating func askReceiver(
    _ request: ReceiverRequest, expecting expectation: RequestTable.Expectation, at now: Tick,
    timeout: Duration?
  ) -> RequestID {
    let id = requests.nextID
    // Requests of the machine are short: they cannot exceed the size, and the table's limit does not apply to them.
    _ = transmit(
      payload: request.json(requestID: id), name: request.type, .receiver, to: .receiver,
      expecting: expectation, token: nil, timeout: timeout, at: now)
    return id
  }

  mutating func askReceiver(
    _ request: ReceiverRequest, expecting expectation: RequestTable.Expectation, at now: Tick
  ) -> RequestID {
    askReceiver(request, expecting: expectation, at: now, timeout: target.requestTimeout)
  }

  /// A request of the machine itself to the application.
  mutating func askMedia(_ request: MediaRequest, to transport: EndpointID, at now: Tick) -> RequestID {
    let id = requests.nextID
    _ = transmit(
      payload: request.json(requestID: id, mediaSessionID: nil), name: request.type, .media, to: transport,
      expecting: request.expectation, token: nil, timeout: target.requestTimeout, at: now)
    return id
  }

  /// The GET_STATUS that an `EarlyLaunch` sent.
  mutating func statusRequested(at now: Tick) -> RequestID {
    wasSent("GET_STATUS", expecting: .receiverStatus, timeout: target.requestTimeout, at: now)
  }

  /// The LAUNCH that an `EarlyLaunch` sent after its GET_STATUS.
  mutating func launchRequested(at now: Tick) -> RequestID {
    wasSent("LAUNCH", expecting: .launch, timeout: nil, at: now)
  }

  private mutating func wasSent(
    _ name: String, expecting expectation: RequestTable.Expectation, timeout: Duration?, at now: Tick
  ) -> RequestID {
    let deadline = now + (timeout ?? target.launchTimeout)
    let entry = requests.open(expectation, name: name, token: nil, deadline: deadline)
    if let timeout { actions.append(.startTimer(.request(entry.id), after: timeout)) }
    return entry.id
  }

  /// A message of the connection namespace.
  mutating func connect(_ type: ConnectionType, to destination: EndpointID) {
    send(.connect(type, target.identity), to: destination)
  }

  mutating func send(_ message: ConnectionMessage, to destination: EndpointID) {
    actions.append(.send(target.message(message, to: destination)))
  }

  /// Handles a reply that completes the request with this number, if it is of the right kind.
  mutating func answer(_ id: RequestID, _ type: String, with reply: Reply) {
    guard let entry = requests[id] else { return noteLate(id, type) }
    let fits =
      switch (entry.expectation, reply) {
      case (.receiverStatus, .receiverStatus): true
      case (.mediaStatus, .mediaStatus), (.wholeMediaStatus, .mediaStatus),
        (.queueItemIDs, .queueItemIDs), (.queueItems, .queueItems), (.sessionState, .sessionState),
        (.appAvailability, .appAvailability), (.multizoneStatus, .multizoneStatus),
        (.castingGroups, .castingGroups), (.deviceInformation, .deviceInformation),
        (.setupInformation, .setupInformation):
        entry.token != nil
      // Launch, stop and load complete with the contents of a status, not with a reply; so do requests of the machine.
      case (.launch, _), (.stop, _), (.load, _), (.receiverStatus, _), (.mediaStatus, _),
        (.wholeMediaStatus, _),
        (.queueItemIDs, _), (.queueItems, _), (.sessionState, _), (.appAvailability, _),
        (.multizoneStatus, _), (.castingGroups, _), (.deviceInformation, _), (.setupInformation, _):
        false
      }
    if fits { close(id, with: .success(reply)) }
  }

  /// Completes a request, if it is still open.
  mutating func close(_ id: RequestID, with result: Result<Reply, CastError>) {
    guard let entry = requests.close(id) else { return }
    if let token = entry.token {
      actions.append(.complete(token, result.mapError { $0.during(entry.name) }))
    }
    actions.append(.cancelTimer(.request(id)))
  }

  /// Drops a request of the machine that another event has answered.
  mutating func forget(_ id: RequestID) {
    guard let entry = requests.close(id) else { return }
    if entry.expectation != .launch { actions.append(.cancelTimer(.request(id))) }
  }

  mutating func noteLate(_ id: RequestID, _ type: String) {
    guard requests.wasIssued(id) else { return }
    actions.append(.note(.lateReply(id, type)))
  }

  /// The time limit of a request was reached.
  mutating func requestTimedOut(_ id: RequestID, _ link: Link, at now: Tick) -> Connection? {
    guard let entry = requests.close(id) else { return .online(link) }
    if let token = entry.token {
      actions.append(.complete(token, .failure(timeoutError(entry).during(entry.name))))
    } else if entry.expectation == .wholeMediaStatus {
      askForMedia(link, at: now)
    }
    switch link.phase {
    case .asking(id): return fail(link, because: deafDeviceError, at: now)
    // A receiver replies to nothing else during a load (protocol 21.2): that must not prevent joining.
    case .joining(let application, id):
      actions.append(.note(.mediaUnknown("no answer to \(entry.name)")))
      return activate(application, link, at: now)
    case .parting(let application, id):
      return lose(link, because: goneError(application, now: nil), closing: true, at: now)
    case .stopping(let application, id), .restarting(let application, id):
      return finish(link, because: stopTimeoutError(application))
    case .asking, .restarting, .awaiting, .joining, .active, .parting, .stopping: return .online(link)
    }
  }
}

extension RunningSession.Phase {
  /// Why a media request is refused in this phase.
  fileprivate func refusal(_ type: String) -> CastError {
    switch self {
    case .asking, .restarting, .awaiting, .joining: .notActiveYet(type)
    case .active: .noApplication(type)
    case .parting: .applicationAway(type)
    case .stopping: .sessionOver
    }
  }
}

extension ReceiverRequest {
  /// The reply that completes it.
  var expectation: RequestTable.Expectation {
    switch self {
    case .getStatus, .setVolume: .receiverStatus
    case .launch: .launch
    case .stop: .stop
    case .getAppAvailability: .appAvailability
    }
  }
}

extension SenderRequest {
  /// Why it must not be sent; nil when it may.
  fileprivate var flaw: CastError? {
    switch self {
    case .receiver(let request): request.flaw
    case .media(let request, _): request.flaw
    case .platform, .message: nil
    }
  }

  /// Nil if requests of its kind do not replace each other.
  var kind: RequestTable.Kind? {
    switch self {
    case .receiver(let request): request.kind
    case .media(let request, _): request.kind
    case .platform, .message: nil
    }
  }
}

extension ReceiverRequest {
  var kind: RequestTable.Kind? {
    switch self {
    case .setVolume(.level): .deviceVolume
    case .setVolume(.muted): .deviceMute
    case .getStatus, .getAppAvailability, .launch, .stop: nil
    }
  }
}

extension MediaRequest {
  var kind: RequestTable.Kind? {
    switch self {
    case .seek: .seek
    case .setVolume(let volume): volume.level == nil ? .streamMute : .streamVolume
    case .getStatus, .load, .play, .pause, .stop, .setPlaybackRate, .skipAd, .editTracksInfo,
      .editAudioTracks, .queueLoad, .queueInsert, .queueUpdate, .queueRemove, .queueReorder, .queueNext,
      .queuePrevious, .queueShuffle, .queueGetItemIDs, .queueGetItems, .queueGetItemRange, .precache,
      .preload, .userAction, .setCredentials, .storeSession, .resumeSession:
      nil
    }
  }
}

extension PlatformRequest {
  /// The reply that completes it.
  var expectation: RequestTable.Expectation {
    switch self {
    case .multizoneStatus: .multizoneStatus
    case .castingGroups: .castingGroups
    case .deviceInformation: .deviceInformation
    case .setupInformation: .setupInformation
    }
  }
}

extension MediaRequest {
  /// The reply that completes it.
  var expectation: RequestTable.Expectation {
    switch self {
    case .load, .queueLoad, .resumeSession: .load
    case .queueGetItemIDs: .queueItemIDs
    case .queueGetItems, .queueGetItemRange: .queueItems
    case .storeSession: .sessionState
    case .getStatus: .wholeMediaStatus
    case .play, .pause, .stop, .seek, .setVolume, .setPlaybackRate, .skipAd, .editTracksInfo,
      .editAudioTracks, .queueInsert, .queueUpdate, .queueRemove, .queueReorder, .queueNext, .queuePrevious,
      .queueShuffle, .precache, .preload, .userAction, .setCredentials:
      .mediaStatus
    }
  }
}
