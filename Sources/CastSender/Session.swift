public import CastProtocol
public import Logging
public import NIOCore
import NIOPosix

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
///
/// All decisions are made by a `SessionMachine`; the actor carries them out and keeps what cannot be a value: the connection,
/// the timers, and who waits for what.
public actor Session {
  /// The device.
  public nonisolated let device: Device
  /// How the session behaves.
  public nonisolated let options: SessionOptions

  /// The newest status of the device; nil before the first one.
  public internal(set) var receiverStatus: ReceiverStatus?
  /// The application that is joined; nil while there is none.
  public internal(set) var application: ApplicationMetadata?
  /// The merged picture of the media session; nil when nothing is loaded.
  public internal(set) var mediaStatus: MediaStatus?

  /// What reaches the actor from elsewhere: the connection, the timers, cancelled callers.
  enum Input: Sendable {
    case opened(any TransportConnection)
    case transport(TransportEvent)
    case timersDue
    case cancelled(RequestToken)
    case startCancelled
  }

  nonisolated let subscribers = EventSubscribers()
  nonisolated let inbox: AsyncStream<Input>.Continuation
  nonisolated let inputs: AsyncStream<Input>
  let transport: any Transport
  let time: TimeSource
  let logger: Logger

  var machine = SessionMachine()
  var timers: TimerSet<TimerID>
  var connection: (any TransportConnection)?
  var opening: Task<Void, Never>?
  /// The task that takes inputs; it ends when the session is over and nothing is left of it.
  var loop: Task<Void, Never>?
  var waiters: [RequestToken: CheckedContinuation<Result<Reply, CastError>, Never>] = [:]
  var startWaiter: CheckedContinuation<Result<ApplicationMetadata?, CastError>, Never>?
  var lastToken = 0
  /// How the session ended; nil while it has not.
  var ending: Ending?

  /// The end of a session.
  struct Ending: Sendable { var error: CastError? }

  /// A logger that says nothing.
  public static let silentLogger = Logger(label: "castq.session", factory: { _ in SwiftLogNoOpLogHandler() })

  /// A session that has not begun.
  /// - Parameters:
  ///   - eventLoopGroup: where the connection lives; the process-wide one by default.
  ///   - logger: where it says what it does; silent by default.
  ///   - time: where time comes from.
  public init(
    device: Device, options: SessionOptions = SessionOptions(),
    eventLoopGroup: (any EventLoopGroup)? = nil,
    logger: Logger = Session.silentLogger,
    time: TimeSource = .continuous
  ) {
    self.init(
      device: device, options: options,
      transport: TLSTransport(group: eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton), logger: logger,
      time: time)
  }

  /// A session over another kind of connection, for tests.
  package init(
    device: Device, options: SessionOptions, transport: any Transport, logger: Logger = Session.silentLogger,
    time: TimeSource
  ) {
    self.device = device
    self.options = options
    self.transport = transport
    self.logger = logger
    self.time = time
    let (inputs, inbox) = AsyncStream.makeStream(of: Input.self)
    self.inputs = inputs
    self.inbox = inbox
    timers = TimerSet(time: time) { inbox.yield(.timersDue) }
  }

  /// Commands the media.
  public nonisolated var remoteMediaClient: RemoteMediaClient { RemoteMediaClient(session: self) }

  /// Everything that happens from now on, in order; every call makes a subscription of its own.
  ///
  /// Call it before `start()` to see everything. The last event is `.ended`. A `.lossless` stream that falls 4096 events behind
  /// finishes without `.ended`, as it could not be complete any more.
  public nonisolated func events(_ buffering: EventBuffering = .lossless) -> AsyncStream<SessionEvent> {
    subscribers.add(buffering)
  }

  /// Connects, joins or launches, and returns when the session is active.
  ///
  /// - Returns: the application that was joined; nil for a device session, and for an observer when nothing is running.
  /// - Throws: `hostUnknown`, `connectionRefused`, `networkNotReachable`, `secureTransportError`, `timeout`,
  ///   `applicationNotFound`, `notAllowed`, `launchFailed` and others: each says in words what happened and what to do.
  ///   `cancelled` when the task was cancelled, `invalidState` when the session was started before. After an error the
  ///   session has ended and nothing is left of it.
  @discardableResult
  public func start() async throws(CastError) -> ApplicationMetadata? {
    guard loop == nil, ending == nil else {
      throw CastError(.invalidState, "a session can be started only once; make another one")
    }
    loop = Task { await self.run() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        startWaiter = continuation
        handle(.start(target))
      }
    } onCancel: {
      inbox.yield(.startCancelled)
    }
    if case .failure = result { await loop?.value }
    return try result.get()
  }

  /// Ends the session and returns when nothing is left of it: no task, no timer, no descriptor. Ending twice is fine.
  ///
  /// - Returns: nil when all went well, else what ended it, such as a device that did not confirm the stop.
  @discardableResult
  public func end(_ action: SessionEndAction) async -> CastError? {
    handle(.end(action))
    await loop?.value
    return ending?.error
  }

  /// Stops the application and ends the session; returns when the device no longer shows the application.
  public func stopApplication() async throws(CastError) {
    if let error = await end(.stopApplication) { throw error }
  }

  /// Ends the session; what plays goes on playing.
  public func leave() async { await end(.leave) }

  /// Sets the loudness of the device, 0 to 1; values beyond are brought into range. Returns when the device has answered.
  @discardableResult
  public func setDeviceVolume(_ level: Double) async throws(CastError) -> ReceiverStatus {
    try await receiverStatus(after: .setVolume(.level(level)))
  }

  /// Mutes the device. Returns when the device has answered.
  @discardableResult
  public func setDeviceMuted(_ isMuted: Bool) async throws(CastError) -> ReceiverStatus {
    try await receiverStatus(after: .setVolume(.muted(isMuted)))
  }

  /// Asks the device for its status anew.
  @discardableResult
  public func requestReceiverStatus() async throws(CastError) -> ReceiverStatus {
    try await receiverStatus(after: .getStatus)
  }

  private func receiverStatus(after request: ReceiverRequest) async throws(CastError) -> ReceiverStatus {
    guard case .receiverStatus(let status) = try await perform(.receiver(request)) else {
      throw CastError(.protocolError, "\(device.endpoint) answered \(request.type) with something else")
    }
    return status
  }
}
