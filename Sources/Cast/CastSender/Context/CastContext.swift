public import CastProtocol
import Glibc
public import Logging
public import NIOCore
import NIOPosix
import Synchronization

/// Whether devices are available and a session is active (protocol 17.4).
public enum CastState: Sendable, Hashable {
  /// No session, and no device is known: discovery has found none so far, or was never started.
  case noDevicesAvailable
  /// No session; at least one device is known.
  case notConnected
  /// A session is starting.
  case connecting
  /// A session is active.
  case connected
}

/// Holds a program's options, its session and the services its parts share.
///
/// Create it once, early, and use it from anywhere:
///
///     try CastContext.setSharedInstance(with: CastOptions(receiverApplicationID: "CC1AD845"))
///     …
///     let session = try await CastContext.shared.sessionManager.startSession(with: device)
///
/// A context is safe to use from any task; programs that need several, such as tests, create their own with `init`. Keep a context for
/// as long as its session: a context that is released leaves its session, and what plays continues.
public final class CastContext: Sendable {
  /// The options it was created with.
  public let options: CastOptions
  /// Starts and ends the session, and notifies listeners about it.
  public let sessionManager: SessionManager
  /// Finds devices, from the start unless the options disable that; also the resolver of devices that have moved.
  public let discoveryManager: DiscoveryManager

  private struct Images: Sendable {
    var picker: any ImagePicker = FirstImagePicker()
    var cache: (any ImageCache)?
  }
  private let images = Mutex(Images())
  private let stateWatch = CastStateWatch()
  /// Leaves the attempt to resume a session that this context started; nil if it started none.
  private let leaveResumption: (@Sendable () -> Void)?

  private static let instance = Mutex<CastContext?>(nil)

  /// Creates a context apart from the shared one.
  /// - Parameters:
  ///   - options: the options; by default for Google's Default Media Receiver.
  ///   - eventLoopGroup: runs the connections; nil uses the process-wide group.
  ///   - resolver: finds the current endpoint of a device that cannot be reached; nil uses the discovery manager.
  ///   - logger: the logger of sessions, the manager and discovery; by default that of `CastLogger.shared`, which is silent until
  ///     configured.
  ///   - time: the source of time.
  public init(
    options: CastOptions = CastOptions(), eventLoopGroup: (any EventLoopGroup)? = nil,
    resolver: (any DeviceResolver)? = nil, logger: Logger = CastLogger.shared.logger(for: .session),
    time: TimeSource = .continuous
  ) {
    self.options = options
    let group = eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton
    let discovery = DiscoveryManager(
      options: options.discovery, eventLoopGroup: group, logger: logger.speaking(for: .discoveryManager),
      time: time)
    discoveryManager = discovery
    let resolver = resolver ?? discovery
    let manager = SessionManager(options: options, logger: logger.speaking(for: .sessionManager)) {
      device, options, previous in
      Session(
        device: device, options: options, eventLoopGroup: group, resolver: resolver, resuming: previous,
        logger: logger, time: time)
    }
    sessionManager = manager
    stateWatch.begin { [weak manager, weak discovery] in
      guard let manager, let discovery else { return nil }
      return CastState(manager, discovery)
    }
    manager.watch(by: stateWatch)
    discovery.add(stateWatch)
    if options.startsDiscoveryAutomatically { discovery.startDiscovery() }
    // Listeners get the outcome; a program that waits for it calls `resumeSavedSession()`.
    if options.resumesSessionsAutomatically, options.sessionStore != nil,
      case .running(let resumption, let waiter) = sessionManager.joinResumption()
    {
      leaveResumption = { [weak resumption] in resumption?.leave(waiter) }
    } else {
      leaveResumption = nil
    }
  }

  // Attempts to reach a device that is off must not outlive the context.
  deinit {
    leaveResumption?()
    stateWatch.end()
  }

  /// Creates the shared context.
  /// - Throws: `alreadyInitialized` when it exists already: options cannot change while the context is in use.
  public static func setSharedInstance(with options: CastOptions) throws(CastError) {
    let isFirst = instance.withLock { instance in
      guard instance == nil else { return false }
      instance = CastContext(options: options)
      return true
    }
    guard isFirst else {
      throw CastError(
        .alreadyInitialized, "the shared context exists already; create it once, when the program starts")
    }
  }

  /// The shared context.
  /// - Throws: `notInitialized` before `setSharedInstance(with:)`.
  public static var shared: CastContext {
    get throws(CastError) {
      guard let context = instance.withLock({ $0 }) else {
        throw CastError(
          .notInitialized,
          "the shared context does not exist yet; call CastContext.setSharedInstance(with:) first")
      }
      return context
    }
  }

  /// Whether the shared context exists.
  public static var isSharedInstanceInitialized: Bool { instance.withLock { $0 != nil } }

  /// The state of discovery and the session.
  public var castState: CastState { CastState(sessionManager, discoveryManager) }

  /// The present state, then each change of it. A slow reader gets the newest state; the sequence ends with the context.
  public func castStates() -> AsyncStream<CastState> { stateWatch.states() }

  /// Selects among the images of media for user interfaces that show artwork; by default the first, replaceable at any time
  /// (protocol 17.3).
  public var imagePicker: any ImagePicker {
    get { images.withLock(\.picker) }
    set { images.withLock { $0.picker = newValue } }
  }

  /// Fetches and caches images for user interfaces that show artwork; by default files in the user's cache folder, replaceable at
  /// any time (protocol 17.3). Nothing is written before an image is requested.
  public var imageCache: any ImageCache {
    get {
      images.withLock { images in
        let cache = images.cache ?? FileImageCache(folder: Self.cacheFolder)
        images.cache = cache
        return cache
      }
    }
    set { images.withLock { $0.cache = newValue } }
  }

  /// `castsender/images` in the user's cache folder, or in the system's temporary folder for a user without a home.
  private static var cacheFolder: String {
    func variable(_ name: String) -> String? {
      guard let value = getenv(name), value.pointee != 0 else { return nil }
      return String(cString: value)
    }
    let caches = variable("XDG_CACHE_HOME") ?? variable("HOME").map { "\($0)/.cache" }
    return "\(caches ?? "/tmp/castsender-\(getuid())")/castsender/images"
  }

  /// Sets the viewer's credentials for sessions that start from now on; nil restores those of the options (protocol 17.4).
  public func setLaunchCredentials(_ credentials: CredentialsData?) {
    sessionManager.setCredentials(credentials)
  }
}

extension CastState {
  fileprivate init(_ sessions: SessionManager, _ discovery: DiscoveryManager) {
    self =
      switch sessions.currentSession?.state {
      case .starting: .connecting
      // A suspended session still exists.
      case .active, .suspended, .ending: .connected
      case .idle, .ended, nil: discovery.devices.isEmpty ? .noDevicesAvailable : .notConnected
      }
  }
}
