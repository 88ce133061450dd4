public import CastProtocol
public import Logging
public import NIOCore

/// Our relationship with one device and, as a rule, one application on it.
///
/// Make it, subscribe with `events()`, `start()` it, use it, and `end(_:)` it: a session that was started and never ended keeps
/// its connection. A session is used once; make another one to try again.
///
///     let session = Session(device: device, options: SessionOptions(applicationID: "CC1AD845"))
///     let events = session.events()
///     try await session.start()
///     try await session.remoteMediaClient.load(media)
///     for await event in events { … }
///     await session.end(.leave)
public actor Session {
  /// The device.
  public nonisolated let device: Device
  /// How the session behaves.
  public nonisolated let options: SessionOptions

  /// The newest status of the device; nil before the first one.
  public private(set) var receiverStatus: ReceiverStatus?
  /// The application that is joined; nil while there is none.
  public private(set) var application: ApplicationMetadata?
  /// The merged picture of the media session; nil when nothing is loaded.
  public private(set) var mediaStatus: MediaStatus?

  /// A session that has not begun.
  /// - Parameters:
  ///   - eventLoopGroup: where the connection lives; the process-wide one by default.
  ///   - logger: where it says what it does; silent by default.
  ///   - time: where time comes from.
  public init(
    device: Device, options: SessionOptions = SessionOptions(),
    eventLoopGroup: (any EventLoopGroup)? = nil,
    logger: Logger = Logger(label: "castq.session", factory: { _ in SwiftLogNoOpLogHandler() }),
    time: TimeSource = .continuous
  ) {
    self.device = device
    self.options = options
  }

  /// Commands the media.
  public nonisolated var remoteMediaClient: RemoteMediaClient { RemoteMediaClient(session: self) }

  /// Everything that happens from now on, in order; every call makes a subscription of its own.
  ///
  /// Call it before `start()` to see everything. The last event is `.ended`. A `.lossless` stream that falls 4096 events behind
  /// finishes without `.ended`, as it could not be complete any more.
  public nonisolated func events(_ buffering: EventBuffering = .lossless) -> AsyncStream<SessionEvent> {
    AsyncStream { $0.finish() }
  }

  /// Connects, joins or launches, and returns when the session is active.
  ///
  /// - Returns: the application that was joined; nil for a device session, and for an observer when nothing is running.
  /// - Throws: `hostUnknown`, `connectionRefused`, `networkNotReachable`, `secureTransportError`, `timeout`,
  ///   `applicationNotFound`, `notAllowed`, `launchFailed` and others: each says in words what happened and what to do.
  ///   `invalidState` when it was started before. After an error the session has ended and nothing is left of it.
  @discardableResult
  public func start() async throws(CastError) -> ApplicationMetadata? {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Ends the session and returns when nothing is left of it: no task, no timer, no descriptor. Ending twice is fine.
  ///
  /// - Returns: nil when all went well, else what went wrong, such as a device that did not confirm the stop.
  @discardableResult
  public func end(_ action: SessionEndAction) async -> CastError? { nil }

  /// Stops the application and ends the session; returns when the device no longer shows the application.
  public func stopApplication() async throws(CastError) {}

  /// Ends the session; what plays goes on playing.
  public func leave() async {}

  /// Sets the loudness of the device, 0 to 1; values beyond are brought into range. Returns when the device has answered.
  @discardableResult
  public func setDeviceVolume(_ level: Double) async throws(CastError) -> ReceiverStatus {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Mutes the device. Returns when the device has answered.
  @discardableResult
  public func setDeviceMuted(_ isMuted: Bool) async throws(CastError) -> ReceiverStatus {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Asks the device for its status anew.
  @discardableResult
  public func requestReceiverStatus() async throws(CastError) -> ReceiverStatus {
    throw CastError(.sessionIsNotActive, "")
  }
}

/// What a subscription does when its reader is slower than the session.
public enum EventBuffering: Sendable, Hashable {
  /// Keeps every event, for histories.
  case lossless
  /// Keeps only the newest event, for screens.
  case latest
}
