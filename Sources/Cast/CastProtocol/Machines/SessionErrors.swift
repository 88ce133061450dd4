// The messages for all errors of a session.

extension CastError {
  package static let replacedByNewer = CastError(
    .replaced, "a newer request of the same kind replaced it")

  package static func unusableNamespace(_ namespace: String, _ problem: String) -> CastError {
    CastError(.invalidRequest, "\(namespace.prefix(200)) cannot be a channel: \(problem)")
  }

  static func channelWithoutApplication(_ namespace: String) -> CastError {
    CastError(
      .channelNotConnected,
      "nothing was sent over \(namespace): no application is joined; wait until the session is active")
  }

  static func channelNotConnected(_ namespace: String, application: String?) -> CastError {
    CastError(
      .channelNotConnected,
      "nothing was sent over \(namespace): \(application ?? "the application") does not support this namespace; "
        + "check the name, and that the right application runs")
  }

  package static let notStarted = CastError(
    .sessionIsNotActive, "the session was not started; start it and wait until it is active")
  package static let notConnectedYet = CastError(
    .deviceNotConnected, "the device is not connected yet; wait until the session is active")
  static let suspendedByCaller = CastError(
    .disconnected, "the session was suspended before the reply arrived; resume it and send the request again")
  static let awayNow = CastError(
    .deviceNotConnected,
    "the connection is lost and is being restored; wait until the session is active again")
  package static let sessionOver = CastError(.sessionIsNotActive, "the session has ended; start another one")
  package static let cancelledByCaller = CastError(
    .cancelled, "cancelled by the caller; a request that was sent may still be carried out")
  package static let endedByCaller = CastError(.cancelled, "the session was ended before the reply arrived")
  static let tooManyRequests = CastError(
    .sendBufferFull,
    "\(RequestTable.limit) requests are already waiting for a reply; wait for some of them first")

  static func notActiveYet(_ request: String) -> CastError {
    CastError(
      .sessionIsNotActive, "\(request) is too early: the application is not ready yet; wait until it is",
      request: request)
  }

  static func applicationAway(_ request: String) -> CastError {
    CastError(
      .sessionIsNotActive,
      "\(request) was not sent: the application closed the connection, and whether it still runs is not "
        + "known yet; wait a moment and try again",
      request: request)
  }

  static func noApplication(_ request: String) -> CastError {
    CastError(
      .applicationNotRunning, "\(request) needs an application that plays media, and none was joined",
      request: request)
  }

  static func nothingLoaded(_ request: String, application: String?) -> CastError {
    CastError(
      .noMediaSession,
      "\(request) needs loaded media, and nothing is loaded in \(application ?? "the application"); load first",
      request: request)
  }

  static func notANumber(_ request: String, _ name: String) -> CastError {
    CastError(
      .invalidRequest, "\(request) was not sent: its \(name) is no number; give a finite one",
      request: request)
  }

  static func tooBig(_ request: String, _ length: Int) -> CastError {
    CastError(
      .messageTooBig,
      "\(request) would take \(length) bytes and the limit is \(FrameCodec.maximumBodyLength); send less at a time",
      request: request)
  }

  static func applicationHungUp(_ name: String?) -> CastError {
    CastError(.applicationNotRunning, "\(name ?? "the application") closed the connection before it answered")
  }

  /// A load that ended in an idle player, without other words.
  static func loadFailed(_ status: MediaStatus) -> CastError {
    CastError(
      .mediaLoadFailed,
      "the receiver could not load \(status.mediaName); check that the device can reach it and plays its format",
      receiverType: "MEDIA_STATUS", receiverReason: "ERROR", itemID: status.currentItemID)
  }

  /// A load whose media session was stopped or taken over before it played.
  static func loadSuperseded(_ status: MediaStatus) -> CastError {
    CastError(
      .cancelled, "loading \(status.mediaName) was cancelled: it was stopped, or other media was loaded",
      receiverType: "MEDIA_STATUS", receiverReason: status.idleReason?.word)
  }
}

extension MediaStatus {
  fileprivate var mediaName: String {
    let media = mediaInformation ?? loadingMedia
    return [media?.url, media?.entity].compactMap(\.self).first { !$0.isEmpty } ?? "the media"
  }
}

extension RunningSession {
  private var deviceName: String { target.deviceName }

  var startTimeoutError: CastError {
    CastError(.timeout, "\(deviceName) was not ready in time; try again, or allow it more time")
  }

  /// The launch took too long: the application does not run, or runs without a namespace that it must support.
  var lateLaunchError: CastError {
    if let application = receiverStatus?.applications.first(where: { isWanted($0) && $0.isAddressable }) {
      let missing = target.requiredNamespaces.subtracting(application.namespaces).sorted()
      return CastError(
        .applicationNotRunningWithNamespaceMismatched,
        "\(application.name) runs on \(deviceName) and does not support \(missing.joined(separator: ", ")); "
          + "check the application id, and which namespaces the session requires")
    }
    let seconds = Int(bounded: target.launchTimeout.seconds)
    return CastError(
      .timeout,
      "\(deviceName) did not start application \(applicationName) within \(seconds) s; try again, or restart the device"
    )
  }

  private var applicationName: String { target.purpose.applicationID ?? "for media" }

  /// It accepts a connection and does not answer.
  var deafDeviceError: CastError {
    CastError(
      .timeout,
      "\(deviceName) accepts the connection but does not answer; check that it is a Cast device, or restart it"
    )
  }

  var deviceHungUpError: CastError {
    CastError(.disconnected, "\(deviceName) ended the connection; try again", receiverType: "CLOSE")
  }

  func floodError(_ limit: Int) -> CastError {
    CastError(
      .tooManyMessages,
      "\(deviceName) sent more than \(limit) messages a second for \(MessageRate.patience) s and was left; restart it, or remove it"
    )
  }

  func silenceError(_ silence: Duration) -> CastError {
    CastError(
      .networkError,
      "nothing was heard from \(deviceName) for \(Int(bounded: silence.seconds)) s; check its power and its network"
    )
  }

  func closeError(_ reason: TransportCloseReason) -> CastError {
    switch reason {
    case .failed(let error): error
    case .closedByPeer: CastError(.disconnected, "\(deviceName) closed the connection; try again")
    }
  }

  func timeoutError(_ entry: RequestTable.Entry) -> CastError {
    let limit = entry.expectation == .load ? target.loadTimeout : target.requestTimeout
    return CastError(
      .timeout,
      "\(deviceName) did not answer \(entry.verb) within \(Int(bounded: limit.seconds)) s; it may still do it"
    )
  }

  func stopTimeoutError(_ application: ApplicationMetadata) -> CastError {
    CastError(
      .timeout,
      "\(deviceName) did not confirm that \(application.name) has stopped; check whether it still runs"
    )
  }

  func leftBeforeStopError(_ application: ApplicationMetadata) -> CastError {
    CastError(
      .cancelled,
      "the session was left before \(deviceName) confirmed that \(application.name) has stopped; "
        + "check whether it still runs"
    )
  }

  /// The application is gone, and the status says who took its place; nil when the device did not answer.
  func goneError(_ application: ApplicationMetadata, now status: ReceiverStatus?) -> CastError {
    guard let status else {
      return CastError(.applicationNotRunning, "\(application.name) on \(deviceName) closed the connection")
    }
    if status.applications.contains(where: { $0.sessionID == application.sessionID }) {
      return CastError(
        .applicationNotRunning,
        "\(application.name) on \(deviceName) keeps closing the connection; restart it")
    }
    guard let successor = status.application else {
      // The platform moves a stream without a message to senders: the application just ends (protocol 14.7).
      if let media = media.status, !media.isEnded,
        media.supportedMediaCommands.contains(.streamTransfer)
      {
        return CastError(
          .applicationNotRunning,
          "\(application.name) on \(deviceName) was stopped or closed itself, or what it played was moved to another device by voice or in the Home app; "
            + "check where it plays, or start again to continue")
      }
      return CastError(
        .applicationNotRunning,
        "\(application.name) on \(deviceName) was stopped or closed itself; start again to continue")
    }
    let who = successor.isApplication(application.applicationID) ? "a new \(successor.name)" : successor.name
    return CastError(
      .applicationReplaced,
      "\(application.name) on \(deviceName) was replaced by \(who); start again to take the device back",
      takenOverBy: successor.name)
  }

  private var nothingWanted: String {
    let needs = target.requiredNamespaces
    if needs.contains(Namespace.media.rawValue) { return "nothing that plays media" }
    return needs.isEmpty
      ? "no application" : "nothing that listens to \(needs.sorted().joined(separator: ", "))"
  }

  func nothingToJoinError(_ id: String?, _ status: ReceiverStatus) -> CastError {
    let running = status.application.map { "\($0.name) runs there" }
    let words =
      switch (id, running) {
      case (let id?, _):
        "application \(id) is not running on \(deviceName): \(running ?? "nothing runs there")"
      case (nil, let running?): "\(nothingWanted) is running on \(deviceName): \(running)"
      case (nil, nil): "\(nothingWanted) is running on \(deviceName)"
      }
    return CastError(.applicationNotRunningForJoin, words)
  }

  /// Another instance of the application runs, or none.
  func sessionGoneError(_ id: String, _ status: ReceiverStatus) -> CastError {
    guard status.applications.contains(where: { $0.isApplication(id) }) else {
      return nothingToJoinError(id, status)
    }
    return CastError(
      .applicationNotRunningForJoin,
      "the session of application \(id) to join has ended on \(deviceName), and another one runs there")
  }

  /// It does not answer, and patience is at its end.
  func givenUpError(_ last: CastError, after wait: Duration) -> CastError {
    CastError(
      .networkError,
      "\(deviceName) has been unreachable for \(Int(bounded: wait.seconds)) s; check its power and its network",
      underlying: last.message)
  }

  /// The device is back, and the application is not.
  func notRunningAnyMore(_ status: ReceiverStatus) -> CastError {
    let isJoin =
      switch target.purpose {
      case .join, .joinSession: true
      case .play, .observe, .device: false
      }
    if let successor = status.application, !isJoin {
      return CastError(
        .applicationReplaced,
        "application \(applicationName) on \(deviceName) was replaced by \(successor.name) while the connection was lost; "
          + "start again to take the device back", takenOverBy: successor.name)
    }
    return CastError(
      isJoin ? .applicationNotRunningForJoinWhenReconnecting : .applicationNotRunningWhenResumed,
      "application \(applicationName) on \(deviceName) had stopped when the connection was restored; start again to continue"
    )
  }

  func notStoppedError() -> CastError {
    CastError(
      .deviceNotConnected,
      "application \(applicationName) on \(deviceName) could not be stopped: the device is unreachable; check whether it still runs"
    )
  }

  /// The device refused the launch (protocol 5.5).
  func launchError(_ failure: LaunchFailure) -> CastError {
    let (code, words): (CastError.Code, String) =
      switch failure.reason {
      case "NOT_FOUND":
        (
          .applicationNotFound,
          "the device does not know it; check the application id, and that it is published"
        )
      case "NOT_ALLOWED":
        (.notAllowed, "the launch is not allowed; consent on the screen, or check the device's settings")
      case "CANCELLED": (.launchRequestCancelled, "other launches interrupted it twice; try again")
      case "TIMEOUT": (.timeout, "it did not start in time; try again, or restart the device")
      default: (.launchFailed, "the device refused; try again, or restart it")
      }
    return CastError(
      code, "\(deviceName) did not launch application \(applicationName): \(words)",
      receiverType: "LAUNCH_ERROR", receiverReason: failure.extendedError ?? failure.reason,
      underlying: failure.message)
  }

  /// The platform refused a request.
  func refusal(_ type: String, reason: String?, of entry: RequestTable.Entry) -> CastError {
    let code: CastError.Code = reason == "INVALID_SESSION_ID" ? .invalidApplicationSessionID : .invalidRequest
    return CastError(
      code, "\(deviceName) refused \(entry.verb)", request: entry.name, receiverType: type,
      receiverReason: reason)
  }

  /// The application refused a request (protocol 6.6).
  func refusal(_ failure: MediaFailure, of entry: RequestTable.Entry) -> CastError {
    let (code, words) = meaning(of: failure)
    return CastError(
      code, "\(entry.verb) failed on \(deviceName): \(words)", request: entry.name,
      receiverType: failure.kind.rawValue,
      receiverReason: failure.reason, detailedErrorCode: failure.detailedErrorCode, itemID: failure.itemID,
      customData: failure.customData)
  }

  func itemError(_ failure: MediaFailure, _ itemID: MediaQueueItemID) -> CastError {
    CastError(
      .mediaLoadFailed,
      "\(deviceName) could not play item \(itemID) of its queue; check that it can reach it and plays its format",
      receiverType: failure.kind.rawValue, receiverReason: failure.reason,
      detailedErrorCode: failure.detailedErrorCode, itemID: itemID, customData: failure.customData)
  }

  private func meaning(of failure: MediaFailure) -> (CastError.Code, String) {
    switch (failure.kind, failure.reason) {
    case (.loadFailed, _):
      (
        .mediaLoadFailed,
        "the media could not be loaded; check that the device can reach it and plays its format"
      )
    case (.loadCancelled, _): (.cancelled, "other media was loaded, or it was stopped")
    case (.invalidPlayerState, _): (.invalidMediaPlayerState, "not possible in the current player state")
    case (_, "INVALID_MEDIA_SESSION_ID"):
      (
        .invalidRequest,
        "the media is no longer loaded, or the device does not let others control its media; load again"
      )
    case (_, "DUPLICATE_REQUEST_ID"), (_, "DUPLICATE_REQUESTID"):
      (.duplicateRequest, "its request ID was used before; check the status before sending it again")
    case (_, "NOT_SUPPORTED"): (.unsupportedFeature, "the application does not support it for this media")
    case (.invalidRequest, _): (.invalidRequest, "the receiver calls the request invalid")
    case (.error, _): (.mediaError, "the receiver reports an error")
    }
  }
}

extension RequestTable.Entry {
  /// The request's type without its number, which is for logs.
  fileprivate var verb: Substring { name.prefix { $0 != " " } }
}

extension ApplicationMetadata {
  fileprivate var name: String { displayName ?? applicationID }
}
