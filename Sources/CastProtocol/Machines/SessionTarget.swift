/// Whom a session calls, what for, and how long it waits for what.
package struct SessionTarget: Sendable, Hashable {
  package var endpoint: DeviceEndpoint
  /// The device as a person knows it; for messages.
  package var deviceName: String
  package var purpose: SessionPurpose
  /// Our end of the virtual connections; unique on the socket, random by preference (protocol 3.3).
  package var senderID: EndpointID
  /// Number of the first request. A random start makes it unlikely that another sender's answer carries a number of ours
  /// (protocol 21.21).
  package var firstRequestID: Int
  package var launchTimeout: Duration
  /// Bound for everything until the session is active; nil sets none.
  package var startTimeout: Duration?
  package var requestTimeout: Duration
  package var loadTimeout: Duration
  /// What we tell of ourselves.
  package var identity = SenderIdentity(userAgent: "castq", version: "1.0")
  /// How an application is launched.
  package var launch = LaunchOptions()
  /// When the device is called again after a lost connection; nil ends the session with the loss.
  package var reconnection: ReconnectPolicy?
  /// What becomes of a session whose application is gone when the device is back.
  package var recovery = SessionRecoveryPolicy.relaunch
  /// The application session of an earlier session that is to be taken up; nil starts afresh.
  package var resumes: ApplicationSessionID?
  /// For the jitter of waits.
  package var jitterSeed: UInt64 = 1
  /// What the application has to listen to before the session is active.
  package var requiredNamespaces: Set<String> = [Namespace.media.rawValue]

  package init(
    endpoint: DeviceEndpoint, deviceName: String? = nil, purpose: SessionPurpose,
    senderID: EndpointID = "sender-1", firstRequestID: Int = 1, launchTimeout: Duration = .seconds(60),
    startTimeout: Duration? = nil, requestTimeout: Duration = .seconds(10),
    loadTimeout: Duration = .seconds(60)
  ) {
    self.endpoint = endpoint
    self.deviceName = deviceName ?? endpoint.description
    self.purpose = purpose
    self.senderID = senderID
    self.firstRequestID = firstRequestID
    self.launchTimeout = launchTimeout
    self.startTimeout = startTimeout
    self.requestTimeout = requestTimeout
    self.loadTimeout = loadTimeout
  }

  /// Whether this application is the one that is wanted, or any that plays media when none is named.
  package func wants(_ application: ApplicationMetadata) -> Bool {
    switch purpose {
    case .device: false
    case .play(let id), .join(let id?), .observe(let id?): application.isApplication(id)
    case .join(nil), .observe(nil):
      !application.isIdleScreen && requiredNamespaces.isSubset(of: application.namespaces)
    }
  }
}
