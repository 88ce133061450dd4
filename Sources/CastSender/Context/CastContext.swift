public import CastProtocol
import Glibc
public import Logging
public import NIOCore
import NIOPosix
import Synchronization

/// Whether there is something to cast to, and whether we do (protocol 17.4).
public enum CastState: Sendable, Hashable {
  /// No session, and a search for devices has found none so far.
  case noDevicesAvailable
  /// No session.
  case notConnected
  /// A session is starting.
  case connecting
  /// A session is active.
  case connected
}

/// The one place that knows a program's options, its session and what is shared between its parts.
///
/// Make it once, early, and use it from anywhere:
///
///     try CastContext.setSharedInstance(with: CastOptions(receiverApplicationID: "CC1AD845"))
///     …
///     let session = try await CastContext.shared.sessionManager.startSession(with: device)
///
/// A context is safe to use from any task; programs that want several, tests among them, make their own with `init`.
public final class CastContext: Sendable {
  /// What it was made from.
  public let options: CastOptions
  /// Starts and ends the session, and tells what becomes of it.
  public let sessionManager: SessionManager
  /// Finds devices, from the start unless the options say otherwise; sessions ask it for devices that have moved.
  public let discoveryManager: DiscoveryManager

  private struct Images: Sendable {
    var picker: any ImagePicker = FirstImagePicker()
    var cache: (any ImageCache)?
  }
  private let images = Mutex(Images())
  /// Stops waiting for the session that this context resumes by itself; nil when it resumes none.
  private let leaveResumption: (@Sendable () -> Void)?

  private static let instance = Mutex<CastContext?>(nil)

  /// A context of your own.
  /// - Parameters:
  ///   - options: what it is made from; by default for Google's Default Media Receiver.
  ///   - eventLoopGroup: where connections live; nil is the process-wide one.
  ///   - resolver: asked for a device's present place when it cannot be reached; nil asks the discovery manager.
  ///   - logger: where sessions, the manager and discovery log; by default that of `CastLogger.shared`, which is silent until it is
  ///     configured.
  ///   - time: where time comes from.
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
    sessionManager = SessionManager(options: options, logger: logger.speaking(for: .sessionManager)) {
      device, options, previous in
      Session(
        device: device, options: options, eventLoopGroup: group, resolver: resolver, resuming: previous,
        logger: logger, time: time)
    }
    if options.startsDiscoveryAutomatically { discovery.startDiscovery() }
    // Listeners hear the outcome; a program that wants to wait for it calls `resumeSavedSession()`.
    if options.resumesSessionsAutomatically, options.sessionStore != nil,
      case .running(let resumption, let waiter) = sessionManager.joinResumption()
    {
      leaveResumption = { [weak resumption] in resumption?.leave(waiter) }
    } else {
      leaveResumption = nil
    }
  }

  // A device that is off must not be called for ever on behalf of a context that is gone.
  deinit { leaveResumption?() }

  /// Makes the shared context.
  /// - Throws: `alreadyInitialized` when it was made before: options cannot be changed under those who use it.
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

  /// Whether the shared context was made.
  public static var isSharedInstanceInitialized: Bool { instance.withLock { $0 != nil } }

  /// Whether we cast.
  public var castState: CastState {
    switch sessionManager.currentSession?.state {
    case .starting: .connecting
    // A session that is away is still ours.
    case .active, .suspended, .ending: .connected
    case .idle, .ended, nil:
      discoveryManager.isDiscovering && discoveryManager.devices.isEmpty ? .noDevicesAvailable : .notConnected
    }
  }

  /// Chooses among the pictures of media for whoever shows artwork; the first one by default, replaceable at any time
  /// (protocol 17.3).
  public var imagePicker: any ImagePicker {
    get { images.withLock(\.picker) }
    set { images.withLock { $0.picker = newValue } }
  }

  /// Fetches and keeps pictures for whoever shows artwork; by default files in the user's cache folder, replaceable at any time
  /// (protocol 17.3). Nothing is written before a picture is asked for.
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

  /// `castsender/images` in the user's cache folder, or in the system's temporary one for a user without a home.
  private static var cacheFolder: String {
    func variable(_ name: String) -> String? {
      guard let value = getenv(name), value.pointee != 0 else { return nil }
      return String(cString: value)
    }
    let caches = variable("XDG_CACHE_HOME") ?? variable("HOME").map { "\($0)/.cache" }
    return "\(caches ?? "/tmp/castsender-\(getuid())")/castsender/images"
  }

  /// Says who is watching, for sessions that start from now on; nil goes back to what the options say (protocol 17.4).
  public func setLaunchCredentials(_ credentials: CredentialsData?) {
    sessionManager.setCredentials(credentials)
  }
}
