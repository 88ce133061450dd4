public import CastProtocol

/// How a session behaves. The defaults suit a receiver in the same house.
public struct SessionOptions: Sendable {
  /// What the session is for.
  public var purpose: SessionPurpose
  /// How long TCP and TLS may take together; default 10 s.
  public var connectTimeout: Duration
  /// How long the application may take to start, consent of a person included; default 60 s.
  public var launchTimeout: Duration
  /// How long all of `start()` may take; nil sets no limit beyond the others.
  public var startTimeout: Duration?
  /// How long the receiver may take to answer a request that loads nothing; default 10 s.
  public var requestTimeout: Duration
  /// How long a load may take until it plays or has failed; default 60 s.
  public var loadTimeout: Duration
  /// BCP 47 tag that a launched application is told; nil tells it none.
  public var language: String?

  /// Options for a purpose.
  public init(
    purpose: SessionPurpose, connectTimeout: Duration = .seconds(10), launchTimeout: Duration = .seconds(60),
    startTimeout: Duration? = nil, requestTimeout: Duration = .seconds(10),
    loadTimeout: Duration = .seconds(60), language: String? = nil
  ) {
    self.purpose = purpose
    self.connectTimeout = connectTimeout
    self.launchTimeout = launchTimeout
    self.startTimeout = startTimeout
    self.requestTimeout = requestTimeout
    self.loadTimeout = loadTimeout
    self.language = language
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
