/// The viewer's credentials, in the application's own format (protocol 5.4, 17.4).
public struct CredentialsData: Sendable, Hashable {
  /// The credentials, opaque to the SDK; never logged.
  public var credentials: String
  /// The type of the sender; nil leaves it out. Applications know values such as `ios`, `android`, `web`.
  public var credentialsType: String?

  /// Credentials of a type.
  public init(credentials: String, credentialsType: String? = nil) {
    self.credentials = credentials
    self.credentialsType = credentialsType
  }
}

/// Options of a launch (protocol 5.4, 17.4).
public struct LaunchOptions: Sendable, Hashable {
  /// BCP 47 language for the application; nil sends none.
  public var language: String?
  /// Whether a running application is stopped and relaunched; default false joins it.
  public var relaunchIfRunning: Bool
  /// Whether a native Android TV application may run instead of the web application; default false.
  public var androidReceiverCompatible: Bool
  /// The viewer's credentials; nil sends none.
  public var credentials: CredentialsData?

  /// Options that join a running application, allow web applications only, and send nothing else, apart from the given values.
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
