public import CastProtocol

/// How a session behaves. The defaults suit a receiver in the same house.
public struct SessionOptions: Sendable {
  /// What the session is for.
  public var purpose: SessionPurpose
  /// How long TCP and TLS may take together, and the device's proof where `trust` asks for one; default 10 s.
  public var connectTimeout: Duration
  /// How long the application may take to start, consent of a person included; default 60 s.
  public var launchTimeout: Duration
  /// How long all of `start()` may take; nil sets no limit beyond the others.
  public var startTimeout: Duration?
  /// How long the receiver may take to answer a request that loads nothing; default 10 s.
  public var requestTimeout: Duration
  /// How long a load may take until it plays or has failed; default 60 s.
  public var loadTimeout: Duration
  /// How an application is launched; not asked when it is joined.
  public var launch: LaunchOptions
  /// Namespaces the application has to list before the session is active, and before commands are taken; by default the media
  /// namespace alone. Give the namespace of a custom channel for an application that plays no media (protocol 5.2, 16).
  public var requiredNamespaces: Set<String>

  /// When the device is called again after a lost connection; nil ends the session with the loss. The default calls at once, then
  /// after 1, 2, 4, 8, 15 and every 30 s, and never gives up (protocol 14.6).
  public var reconnection: ReconnectPolicy?
  /// What becomes of a session whose application is gone when the device is back; by default it is launched anew, unless another
  /// application has taken its place meanwhile.
  public var recovery = SessionRecoveryPolicy.relaunch

  /// What the device has to prove on each connection; by default nothing (protocol 2).
  public var trust = DeviceTrust.off

  /// The namespace of everything a `RemoteMediaClient` does.
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
