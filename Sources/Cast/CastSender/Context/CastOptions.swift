public import CastProtocol

/// The devices to find (protocol 13.4, 17.5). The first 16 ids and namespaces together are used, ids before namespaces and each in
/// alphabetical order; the rest is ignored.
public struct DiscoveryCriteria: Sendable, Hashable {
  /// Application ids; a device must be able to run at least one of them. Empty requires none.
  public var applicationIDs: Set<String>
  /// Namespaces; the application that runs on a device must support at least one of them. Empty requires none.
  public var namespaces: Set<String>

  /// Devices that can run the application.
  public init(applicationID: String) {
    applicationIDs = [applicationID]
    namespaces = []
  }

  /// Devices that can run one of the applications, or run one that supports one of the namespaces.
  public init(applicationIDs: Set<String> = [], namespaces: Set<String> = []) {
    self.applicationIDs = applicationIDs
    self.namespaces = namespaces
  }
}

/// What a session does with an application that runs already (protocol 14.1).
public enum SessionResumePolicy: Sendable, Hashable {
  /// Joins the application of any sender.
  case join
  /// Stops what runs, and launches the application.
  case relaunch
}

/// The options of a `CastContext` (protocol 17.5).
public struct CastOptions: Sendable {
  /// Google's Default Media Receiver, which plays media by address (protocol 15).
  public static let defaultMediaReceiverApplicationID = "CC1AD845"

  /// The application to launch or join.
  public var receiverApplicationID: String
  /// The devices to find; by default those that can run the application.
  public var discoveryCriteria: DiscoveryCriteria
  /// Names or addresses of the network interfaces that discovery uses; nil, the default, uses all that support multicast.
  public var discoveryInterfaces: Set<String>?
  /// Whether discovery starts with the context; default true. With false, call `DiscoveryManager.startDiscovery()`; programs that
  /// connect by address need no discovery.
  public var startsDiscoveryAutomatically = true
  /// Whether discovery queries rarely, for programs that show no list; default false. `DiscoveryManager.isPassive` changes it later
  /// (protocol 13.5).
  public var isDiscoveryPassive = false
  /// How the application is launched.
  public var launchOptions: LaunchOptions
  /// What to do when the application runs already; default `join`.
  public var resumePolicy: SessionResumePolicy
  /// Whether ending a session stops the application; the default, false, leaves it running.
  public var stopsReceiverApplicationWhenEndingSession: Bool
  /// Stores the session, so that a later process can resume it; nil, the default, stores nothing.
  public var sessionStore: (any SessionStore)?
  /// Whether a stored session is resumed as soon as the context is created; default true. Otherwise, or to wait for the outcome,
  /// call `SessionManager.resumeSavedSession()`, for example after all listeners were added. Deallocating the context aborts the
  /// attempt, unless a caller waits for it.
  public var resumesSessionsAutomatically = true
  /// Time limits and other options of sessions; the context sets their purpose, launch options and namespaces.
  public var sessionOptions: SessionOptions
  /// Namespaces the application must support before its session is active; by default the media namespace. Change it for an
  /// application that plays no media.
  public var requiredNamespaces: Set<String>

  /// Options for an application; by default Google's Default Media Receiver.
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

  /// The options of a session of this context.
  /// - Parameter credentials: those set on the context after its creation; nil uses those of the launch options.
  /// - Parameter applicationID: the application of a resumed session; nil is the context's.
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
