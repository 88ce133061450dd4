public import CastProtocol

/// Which devices are worth showing (protocol 13.4, 17.5).
public struct DiscoveryCriteria: Sendable, Hashable {
  /// Applications of which a device has to be able to run one; empty asks for none.
  public var applicationIDs: Set<String>
  /// Namespaces of which the application that runs on a device has to speak one; empty asks for none.
  public var namespaces: Set<String>

  /// Devices that can run the application.
  public init(applicationID: String) {
    applicationIDs = [applicationID]
    namespaces = []
  }

  /// Devices that can run one of the applications, or run one that speaks one of the namespaces.
  public init(applicationIDs: Set<String> = [], namespaces: Set<String> = []) {
    self.applicationIDs = applicationIDs
    self.namespaces = namespaces
  }
}

/// What a session does when it comes upon what an earlier one left behind (protocol 14.1).
public enum SessionResumePolicy: Sendable, Hashable {
  /// Joins the application when it runs, whoever launched it.
  case join
  /// Stops what runs, and launches anew.
  case relaunch
}

/// What a `CastContext` is made from (protocol 17.5).
public struct CastOptions: Sendable {
  /// Google's Default Media Receiver, which plays what it is given an address of (protocol 15).
  public static let defaultMediaReceiverApplicationID = "CC1AD845"

  /// The application to launch or join.
  public var receiverApplicationID: String
  /// Which devices are worth showing; by default those that can run the application.
  public var discoveryCriteria: DiscoveryCriteria
  /// Names or addresses of the network interfaces to look for devices on; nil, the default, takes all that can do multicast.
  public var discoveryInterfaces: Set<String>?
  /// Whether the search for devices begins when the context is made; default true. False leaves it to
  /// `DiscoveryManager.startDiscovery()`, for programs that call devices by their addresses alone.
  public var startsDiscoveryAutomatically = true
  /// Whether discovery queries rarely, for programs that show no list; default false. `DiscoveryManager.isPassive` changes it later
  /// (protocol 13.5).
  public var isDiscoveryPassive = false
  /// How the application is launched.
  public var launchOptions: LaunchOptions
  /// What happens when the application runs already; default `join`.
  public var resumePolicy: SessionResumePolicy
  /// Whether ending a session stops the application; default false leaves it running for others.
  public var stopsReceiverApplicationWhenEndingSession: Bool
  /// Remembers the session, so that a later process can resume it; nil, the default, remembers nothing.
  public var sessionStore: (any SessionStore)?
  /// Whether a session that the store remembers is resumed as soon as the context is made; default true. Otherwise, or to wait for
  /// it, call `SessionManager.resumeSavedSession()`, such as after all listeners were added. A context that is deallocated aborts the
  /// attempt, unless a caller waits for it.
  public var resumesSessionsAutomatically = true
  /// How long a session waits for what; its purpose, launch and namespaces are set by the context.
  public var sessionOptions: SessionOptions
  /// What an application that plays no media has to listen to before its session is active; by default the media namespace.
  public var requiredNamespaces: Set<String>

  /// Options around an application; by default Google's Default Media Receiver.
  public init(
    receiverApplicationID: String = CastOptions.defaultMediaReceiverApplicationID,
    discoveryCriteria: DiscoveryCriteria? = nil, launchOptions: LaunchOptions = LaunchOptions()
  ) {
    self.receiverApplicationID = receiverApplicationID
    self.discoveryCriteria = discoveryCriteria ?? DiscoveryCriteria(applicationID: receiverApplicationID)
    self.launchOptions = launchOptions
    resumePolicy = .join
    stopsReceiverApplicationWhenEndingSession = false
    sessionOptions = SessionOptions(applicationID: receiverApplicationID)
    requiredNamespaces = [SessionOptions.mediaNamespace]
  }

  var discovery: DiscoveryOptions {
    DiscoveryOptions(
      criteria: discoveryCriteria, interfaces: discoveryInterfaces, isPassive: isDiscoveryPassive)
  }

  /// How a session of this context behaves.
  /// - Parameter credentials: what was given to the context after it was made; nil keeps those of the launch options.
  /// - Parameter applicationID: another application than the context's, of a session that is resumed.
  func session(credentials: CredentialsData?, applicationID: String? = nil) -> SessionOptions {
    var options = sessionOptions
    options.purpose = .play(applicationID: applicationID ?? receiverApplicationID)
    options.launch = launchOptions
    options.launch.credentials = credentials ?? launchOptions.credentials
    if resumePolicy == .relaunch { options.launch.relaunchIfRunning = true }
    options.requiredNamespaces = requiredNamespaces
    return options
  }
}
