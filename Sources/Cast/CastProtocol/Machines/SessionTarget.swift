/// The device of a session, its purpose and its time limits.
package struct SessionTarget: Sendable, Hashable {
  package var endpoint: DeviceEndpoint
  /// The device's name; for messages.
  package var deviceName: String
  package var purpose: SessionPurpose
  /// This sender's end of the virtual connections; unique on the socket, preferably random (protocol 3.3).
  package var senderID: EndpointID
  /// Number of the first request. A random start makes it unlikely that another sender's reply has a number of this session
  /// (protocol 21.21).
  package var firstRequestID: Int
  package var launchTimeout: Duration
  /// Time limit until the session is active; nil sets none.
  package var startTimeout: Duration?
  package var requestTimeout: Duration
  package var loadTimeout: Duration
  /// The identity that this sender reports.
  package var identity = SenderIdentity(userAgent: "castq", version: "1.0")
  /// How an application is launched.
  package var launch = LaunchOptions()
  /// When to reconnect after a lost connection; nil ends the session with the loss.
  package var reconnection: ReconnectPolicy?
  /// What to do if the application no longer runs when the connection is restored.
  package var recovery = SessionRecoveryPolicy.relaunch
  /// The application session to resume; nil starts a new one.
  package var resumes: ApplicationSessionID?
  /// For the jitter of waits.
  package var jitterSeed: UInt64 = 1
  /// Namespaces that the application must support before the session is active.
  package var requiredNamespaces: Set<String> = [Namespace.media.rawValue]

  /// Messages of a second that are no flood; nil sets no limit.
  package var messageLimit: Int? = 200

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

  /// Whether this is the required application, or any that plays media if none is required.
  package func wants(_ application: ApplicationMetadata) -> Bool {
    switch purpose {
    case .device: false
    case .play(let id), .join(let id?), .observe(let id?): application.isApplication(id)
    case .joinSession(let id, let session):
      application.isApplication(id) && application.sessionID.rawValue == session
    case .join(nil), .observe(nil):
      !application.isIdleScreen && requiredNamespaces.isSubset(of: application.namespaces)
    }
  }
}
