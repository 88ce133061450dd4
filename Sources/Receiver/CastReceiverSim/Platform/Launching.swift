import CastProtocol

/// Starting, joining and ending applications (protocol 5.4–5.6, 14).
extension ReceiverModel {
  mutating func launch(_ body: JSONValue, _ number: Int, from requester: Requester) {
    guard let appID = body["appId"]?.string else {
      return launchError("BAD_PARAMETER", number, to: requester)
    }
    // Faults and consent concern the sender under test, not other senders.
    let isForeign = requester == .nobody
    let asks = configuration.launchStyle == .withConsent && !isForeign
    var refusal: String?
    if !isForeign, let fault = faults.strikes(.launchError, value: nil) {
      refusal = fault.value ?? "SYSTEM_ERROR"
      // A person declines when asked; all else fails at once.
      guard asks, fault.value?.hasSuffix("/USER_NOT_ALLOWED") == true else {
        return launchError(refusal ?? "", number, to: requester)
      }
    }
    // Without a list of types only web applications may be started (protocol 5.4).
    let types = body["supportedAppTypes"]?.array?.compactMap(\.string) ?? ["WEB"]
    guard let profile = platform.profile(of: appID) ?? (isForeign ? groupApplication(appID) : nil) else {
      return launchError("NOT_FOUND", number, to: requester)
    }
    let isAndroid = profile.androidID != nil && types.contains("ANDROID_TV")
    guard isAndroid || types.contains("WEB") else { return launchError("NOT_FOUND", number, to: requester) }
    if pageCancelsLaunch(of: profile) { return launchError("CANCELLED", number, to: requester) }
    if let earlier = platform.launch {
      launchError("CANCELLED", earlier.requestID, to: earlier.requester)
      actions.append(.cancelTimer(.launch))
      platform.launch = nil
    }
    if let running = platform.application, running.universalID == profile.appID, running.isReady,
      !configuration.platform.relaunches
    {
      return replyStatus(number, to: requester)  // a second LAUNCH joins
    }
    platform.launch = PlatformState.Launch(
      step: asks ? .consent : .start, requester: requester, requestID: number, profile: profile,
      isAndroid: isAndroid, data: Self.launchData(body), refusal: refusal)
    if asks { launchStatus("USER_PENDING_AUTHORIZATION", number, to: requester) }
    actions.append(
      .startTimer(.launch, after: asks ? configuration.consentDelay : configuration.launchDelay))
  }

  /// The launch data that the application keeps; empty when they are too long.
  private static func launchData(_ body: JSONValue) -> JSONValue {
    let checked = body["appParams"]?["launchCheckerParams"]?["credentialsData"]
    let data: JSONValue = .members([
      "language": JSONValue(body["language"]?.string),
      "credentials": JSONValue(checked?["credentials"]?.string),
      "credentialsType": JSONValue(checked?["credentialsType"]?.string),
    ])
    return data.text.utf8.count <= 8192 ? data : [:]
  }

  /// - Parameter reason: `REASON`, or `REASON/EXTENDED` with an extendedError (protocol 5.5).
  private mutating func launchError(_ reason: String, _ number: Int, to requester: Requester) {
    let parts = reason.split(separator: "/", maxSplits: 1).map(String.init)
    let extended = parts.count > 1 ? parts[1] : nil
    let body: JSONValue = .members([
      "type": "LAUNCH_ERROR", "reason": JSONValue(parts.first ?? reason),
      "extendedError": JSONValue(extended),
      "error": extended == nil ? nil : "Launch rejected",
    ])
    reply(body, number, to: requester)
  }

  private mutating func launchStatus(_ status: String, _ number: Int, to requester: Requester) {
    let body: JSONValue = [
      "type": "LAUNCH_STATUS", "launchRequestId": .integer(Int64(number)), "status": .string(status),
    ]
    send(body, .receiver, from: .receiver, to: requester.source, over: requester.connection)
  }

  /// Performs the next step of the launch.
  mutating func continueLaunch() {
    guard let launch = platform.launch else { return }
    switch launch.step {
    case .consent:
      if let refusal = launch.refusal {
        platform.launch = nil
        return launchError(refusal, launch.requestID, to: launch.requester)
      }
      launchStatus("USER_ALLOWED", launch.requestID, to: launch.requester)
      platform.launch?.step = .start
      actions.append(.startTimer(.launch, after: configuration.launchDelay))
    case .start:
      endApplication(announcing: false)
      var application = platform.makeApplication(
        for: launch, usesWebTransport: faults.has(.webTransport), at: now)
      application.isReady = configuration.launchStyle == .atOnce
      platform.application = application
      if application.isReady { return applicationIsReady(answering: launch) }
      if configuration.launchStyle == .earlyReply { replyStatus(launch.requestID, to: launch.requester) }
      broadcastStatus()
      platform.launch?.step = .namespaces
      actions.append(.startTimer(.launch, after: configuration.namespaceDelay))
    case .namespaces:
      platform.application?.isReady = true
      applicationIsReady(answering: configuration.launchStyle == .earlyReply ? nil : launch)
    }
  }

  private mutating func applicationIsReady(answering launch: PlatformState.Launch?) {
    platform.launch = nil
    platform.application?.readyAt = now
    broadcastStatus()
    if let launch { replyStatus(launch.requestID, to: launch.requester) }
    armFaults(.killApplication)
    armFaults(.emptyStatus)
    armFaults(.strayStatus)
    armFaults(.partialStatus)
    armFaults(.hush)
    beginPages()
    withMedia { _, _ in }
    if let stored = launch?.resumes { loadForeign(stored.state["loadRequestData"] ?? [:]) }
  }

  /// Ends the running application: its senders receive CLOSE, every sender the new status (protocol 5.6, 14.5).
  /// - Parameter isCrash: whether it ends without CLOSE; only the platform reports it.
  mutating func endApplication(announcing: Bool = true, isCrash: Bool = false) {
    guard var application = platform.application else { return }
    if var media = application.media {
      media.shutDown()
      application.media = nil
      perform(media.takeOutputs(), transport: application.transport)
    }
    platform.application = nil
    if let launch = platform.launch, launch.step == .namespaces {
      actions.append(.cancelTimer(.launch))
      platform.launch = nil
    }
    actions.append(.cancelTimer(.application))
    if application.pages != nil { actions.append(.cancelTimer(.pages)) }
    speak()
    forgetFaults(of: nil)
    for sender in connections.disconnectAll(from: application.transport) {
      let link = VirtualLink(source: sender.source, destination: application.transport)
      if !isCrash { refuse(link, over: sender.connection) }
    }
    if announcing { broadcastStatus() }
  }
}

/// Messages and actions between the device and the media application inside it.
extension ReceiverModel {
  mutating func applicationMessage(_ body: JSONValue, to transport: EndpointID, from requester: Requester) {
    guard let application = platform.application, application.transport == transport, application.isReady
    else { return }
    if let type = body["type"]?.string, faults.strikes(.killApplication, value: type) != nil {
      return endApplication()
    }
    withMedia { media, now in media.receive(body, from: requester, at: now) }
  }

  mutating func fetched(_ fetch: SimFetchID, _ result: FetchResult) {
    withMedia { media, now in media.fetched(fetch, result, at: now) }
  }

  mutating func applicationTimerFired() {
    withMedia { media, now in media.timerFired(at: now) }
  }

  /// Runs `work` on the media application, then carries out its actions.
  mutating func withMedia(_ work: (inout MediaApplication, Tick) -> Void) {
    guard var application = platform.application, var media = application.media, application.isReady else {
      return
    }
    work(&media, now)
    media.arm(at: now)
    let outputs = media.takeOutputs()
    application.media = media
    platform.application = application
    perform(outputs, transport: application.transport)
  }

  private mutating func perform(_ outputs: [MediaOutput], transport: EndpointID) {
    for output in outputs {
      switch output {
      case .broadcast(let body): broadcast(body, .media, from: transport)
      case .reply(let body, let requester):
        guard connections.isOpen(requester.connection) else { continue }
        send(body, .media, from: transport, to: requester.source, over: requester.connection)
      case .fetch(let fetch, let url, let contentType):
        actions.append(.fetch(fetch, url: url, contentType: contentType))
      case .cancelFetch(let fetch): actions.append(.cancelFetch(fetch))
      case .startTimer(let delay): actions.append(.startTimer(.application, after: delay))
      case .cancelTimer: actions.append(.cancelTimer(.application))
      case .exit: endApplication()
      }
    }
  }
}
