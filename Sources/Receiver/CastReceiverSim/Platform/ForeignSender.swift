package import CastProtocol

/// A media session as it is transferred between devices (protocol 6.9, 14.7).
package struct StoredSession: Sendable, Hashable {
  package var appID: String
  /// The `sessionState` of SESSION_STATE.
  package var state: JSONValue
}

/// Actions of other senders; their answers are discarded (protocol 14.4, 14.7).
extension ReceiverModel {
  /// The current session, for another device to resume.
  package func storedSession(at tick: Tick) throws(SimControlError) -> StoredSession {
    guard let application = platform.application, let media = application.media, media.session != nil else {
      throw SimControlError(description: "nothing is loaded that could be transferred")
    }
    guard let state = media.sessionState(at: max(tick, now)) else {
      throw SimControlError(
        description: "it does not store sessions; start it with --behaviour transfers-sessions")
    }
    return StoredSession(appID: application.universalID, state: state)
  }

  /// Whether a launch, a load or a change of items is under way.
  package var isBusy: Bool {
    platform.launch != nil || platform.application?.media?.transition != nil
  }

  func groupApplication(_ appID: String) -> ReceiverConfiguration.Application? {
    PlatformState.groupApplications.first { $0.appID == appID.uppercased() }
  }

  mutating func launchForeign(_ appID: String, resuming stored: StoredSession? = nil) {
    let body: JSONValue = ["appId": .string(appID), "supportedAppTypes": ["WEB", "ANDROID_TV"]]
    launch(body, 0, from: .nobody)
    guard let stored else { return }
    if platform.launch?.requester == .nobody {
      platform.launch?.resumes = stored
    } else {
      // The application was running: the launch has joined it.
      loadForeign(stored.state["loadRequestData"] ?? [:])
    }
  }

  mutating func loadForeign(_ load: JSONValue) {
    guard case .object(var body) = load, let transport = platform.application?.transport else { return }
    foreignRequests += 1
    body["type"] = "LOAD"
    // The number of a LOAD is broadcast (protocol 21.21); no other sender uses these.
    body["requestId"] = .integer(Int64(1_000_000 + foreignRequests))
    applicationMessage(.object(body), to: transport, from: .nobody)
  }

  /// Sends the request of another sender to this application.
  mutating func askForeign(_ request: JSONValue) {
    guard case .object(var body) = request, let transport = platform.application?.transport else { return }
    foreignRequests += 1
    body["requestId"] = .integer(Int64(1_000_000 + foreignRequests))
    if body["mediaSessionId"] == nil { body["mediaSessionId"] = JSONValue(mediaSessionID) }
    applicationMessage(.object(body), to: transport, from: .nobody)
  }

  private var mediaSessionID: Int? { platform.application?.media?.session?.id }

  /// Throws when what a control started has failed.
  func checkEffect(of control: SimControl) throws(SimControlError) {
    switch control.beginning {
    case .application(let appID):
      guard let running = platform.application,
        [running.appID, running.universalID].contains(where: { $0.uppercased() == appID.uppercased() })
      else {
        throw SimControlError(description: "the application was not launched, or has ended at once")
      }
    case .media:
      guard platform.application?.media?.session != nil else {
        throw SimControlError(description: "it could not be loaded")
      }
    case nil: break
    }
  }
}

extension SimControl {
  /// What takes time to start.
  enum Beginning {
    /// The application with this identity.
    case application(String)
    case media
  }

  /// What the control starts; nil when it takes effect at once.
  var beginning: Beginning? {
    switch self {
    case .takeover(let appID): .application(appID)
    case .foreignLoad, .resume: .media
    case .activeInput, .standBy, .volume, .muted, .key, .member, .memberLeft, .playbackSessionUpdated,
      .statusText, .wantCredentials, .say, .sayBytes, .listen, .liveEnded, .exit, .crash, .hush, .speak,
      .emptyStatus, .repeatStatus, .strayStatus, .partialStatus, .reboot, .powerOff, .powerOn, .drop,
      .returnToNetwork, .resetConnections, .sleep, .wake, .move, .rename, .foreignRequest:
      nil
    }
  }
}
