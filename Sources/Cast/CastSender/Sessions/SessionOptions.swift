public import CastProtocol

/// The options of a session. The defaults suit a receiver in the local network.
public struct SessionOptions: Sendable {
  /// The purpose of the session.
  public var purpose: SessionPurpose
  /// Time limit for TCP, TLS and, if `trust` requires one, the device's proof together; default 10 s.
  public var connectTimeout: Duration
  /// Time limit for the launch of the application, including a person's consent; default 60 s.
  public var launchTimeout: Duration
  /// Time limit for all of `start()`; nil sets no limit beyond the others.
  public var startTimeout: Duration?
  /// Time limit for the reply to a request that loads nothing; default 10 s.
  public var requestTimeout: Duration
  /// Time limit for a load until it plays or has failed; default 60 s.
  public var loadTimeout: Duration
  /// How an application is launched; not used when it is joined.
  public var launch: LaunchOptions
  /// Namespaces the application must list before the session is active and accepts commands; by default the media namespace alone.
  /// Pass the namespace of a custom channel for an application that plays no media (protocol 5.2, 16). An application that runs
  /// without one of them until `launchTimeout` fails the start with `applicationNotRunningWithNamespaceMismatched`.
  public var requiredNamespaces: Set<String>

  /// When to reconnect after a lost connection; nil ends the session with the loss. The default reconnects at once, then after 1,
  /// 2, 4, 8, 15 and every 30 s, without end (protocol 14.6).
  public var reconnection: ReconnectPolicy?
  /// What to do if the application no longer runs when the device is reachable again; by default it is relaunched, unless another
  /// application has replaced it.
  public var recovery = SessionRecoveryPolicy.relaunch

  /// The proof that the device must give on each connection; by default none (protocol 2).
  public var trust = DeviceTrust.off

  /// Messages that a device may send in a second, on average, besides its answers to requests of this session; at least 1, default
  /// 200, nil sets no limit. A device that sends more for 5 seconds in a row costs its readers the processor: its session ends with
  /// `tooManyMessages`. Raise it for an application whose custom channel says more, or for a queue that programs edit without a pause.
  public var messageLimit: Int? = 200

  /// The namespace that `RemoteMediaClient` uses.
  public static let mediaNamespace = "urn:x-cast:com.google.cast.media"

  /// Options for a purpose.
  public init(
    purpose: SessionPurpose, connectTimeout: Duration = .seconds(10), launchTimeout: Duration = .seconds(60),
    startTimeout: Duration? = nil, requestTimeout: Duration = .seconds(10),
    loadTimeout: Duration = .seconds(60), launch: LaunchOptions = LaunchOptions(),
    requiredNamespaces: Set<String> = [SessionOptions.mediaNamespace],
    reconnection: ReconnectPolicy? = ReconnectPolicy()
  ) {
    self.purpose = purpose
    self.connectTimeout = connectTimeout
    self.launchTimeout = launchTimeout
    self.startTimeout = startTimeout
    self.requestTimeout = requestTimeout
    self.loadTimeout = loadTimeout
    self.launch = launch
    self.requiredNamespaces = requiredNamespaces
    self.reconnection = reconnection
  }

  /// Options to join or launch an application; the default one is Google's Default Media Receiver.
  public init(
    applicationID: String = "CC1AD845", connectTimeout: Duration = .seconds(10),
    launchTimeout: Duration = .seconds(60)
  ) {
    self.init(
      purpose: .play(applicationID: applicationID), connectTimeout: connectTimeout,
      launchTimeout: launchTimeout)
  }
}
