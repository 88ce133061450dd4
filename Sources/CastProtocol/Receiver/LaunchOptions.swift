/// Who is watching, in the application's own format (protocol 5.4, 17.4).
public struct CredentialsData: Sendable, Hashable {
  /// Proof, opaque to us; never logged.
  public var credentials: String
  /// What kind of sender it comes from; nil leaves it out. Applications know words such as `ios`, `android`, `web`.
  public var credentialsType: String?

  /// Credentials of a kind.
  public init(credentials: String, credentialsType: String? = nil) {
    self.credentials = credentials
    self.credentialsType = credentialsType
  }
}

/// How an application is launched (protocol 5.4, 17.4).
public struct LaunchOptions: Sendable, Hashable {
  /// BCP 47 language that the application is told; nil tells it none.
  public var language: String?
  /// Whether an application that runs already is stopped and launched anew; default false joins it.
  public var relaunchIfRunning: Bool
  /// Whether a native Android TV application may stand in for the web one; default false.
  public var androidReceiverCompatible: Bool
  /// Who is watching; nil tells nothing.
  public var credentials: CredentialsData?

  /// Joins what runs, web applications only, and tells nothing, apart from what is given.
  public init(
    language: String? = nil, relaunchIfRunning: Bool = false, androidReceiverCompatible: Bool = false,
    credentials: CredentialsData? = nil
  ) {
    self.language = language
    self.relaunchIfRunning = relaunchIfRunning
    self.androidReceiverCompatible = androidReceiverCompatible
    self.credentials = credentials
  }
}
