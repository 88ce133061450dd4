public import CastProtocol
public import Logging
public import NIOCore
import NIOPosix
import Synchronization

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
  /// The device as it is known now: its place changes when it moves, and all of it with a transfer to another one.
  public nonisolated var device: Device { picture.device }
  /// How the session behaves.
  public nonisolated let options: SessionOptions

  /// What reaches the actor from elsewhere: callers, the connection, the timers.
  enum Input: Sendable {
    case request(RequestToken, SenderRequest, any PendingRequest)
    /// The device was found elsewhere, or tells other things of itself.
    case located(Device)
    /// The attempt with this number has succeeded.
    case opened(Int, any TransportConnection)
    /// What the connection of that attempt reports, and when it arrived.
    case transport(Int, TransportEvent, at: Tick)
    case command(SessionMachine.Event)
    case timersDue
    case cancelled(RequestToken)
    case startCancelled
  }

  nonisolated let subscribers = EventSubscribers()
  nonisolated let listeners = ListenerSet<any SessionListener>()
  nonisolated let mediaListeners = ListenerSet<any RemoteMediaClientListener>()
  nonisolated let channels = ChannelRoster()
  nonisolated let companions = SessionCompanions()
  nonisolated let front: Mutex<Front>
  nonisolated let inbox: AsyncStream<Input>.Continuation
  nonisolated let inputs: AsyncStream<Input>
  var transport: any Transport
  let resolver: (any DeviceResolver)?
  /// The application session of an earlier session that is to be taken up; nil starts afresh.
  let previous: ApplicationSessionID?
  nonisolated let time: TimeSource
  let logger: Logger
  var log: SessionLog

  var machine = SessionMachine()
  /// The moment of the event that the machine handles, or handled last: when that event arrived, not when its turn came.
  var moment = Tick.zero
  var timers: TimerSet<TimerID>
  var connection: (any TransportConnection)?
  /// The number of the newest attempt to connect. What older ones still tell is not heard.
  var attempt = 0
  var opening: Task<Void, Never>?
  /// Closes connections that are no longer used; done when nothing is left of them.
  var farewell: Task<Void, Never>?
  /// The task that takes inputs; it ends when the session is over and nothing is left of it.
  var loop: Task<Void, Never>?
  var pending: [RequestToken: any PendingRequest] = [:]
  var startWaiter: CheckedContinuation<Result<ApplicationMetadata?, CastError>, Never>?

  /// What callers see and use without waiting for the actor.
  struct Front: Sendable {
    var picture: SessionPicture
    var isStarted = false
    var lastToken = 0
  }

  /// A logger that says nothing, whatever the shared one is told.
  public static let silentLogger = Logger(label: "castq.session", factory: { _ in SwiftLogNoOpLogHandler() })

  /// A session that has not begun.
  /// - Parameters:
  ///   - device: whom to call.
  ///   - options: how it behaves; by default it plays on Google's Default Media Receiver.
  ///   - eventLoopGroup: where the connection lives; nil is the process-wide one.
  ///   - resolver: asked for the device's present place when it cannot be reached; nil calls the same address again.
  ///   - previous: a session of this device that is to be taken up, such as one of a process that crashed; nil starts afresh.
  ///   - logger: where it says what it does; by default that of `CastLogger.shared`, which is silent until it is told to speak.
  ///   - time: where time comes from.
  public init(
    device: Device, options: SessionOptions = SessionOptions(),
    eventLoopGroup: (any EventLoopGroup)? = nil, resolver: (any DeviceResolver)? = nil,
    resuming previous: SavedSession? = nil,
    logger: Logger = CastLogger.shared.logger(for: .session),
    time: TimeSource = .continuous
  ) {
    self.init(
      device: device, options: options,
      transport: TLSTransport(group: eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton),
      resolver: resolver, resuming: previous, logger: logger, time: time)
  }

  /// A session over another kind of connection, for tests.
  package init(
    device: Device, options: SessionOptions, transport: any Transport, resolver: (any DeviceResolver)? = nil,
    resuming previous: SavedSession? = nil,
    logger: Logger = CastLogger.shared.logger(for: .session), time: TimeSource
  ) {
    front = Mutex(Front(picture: SessionPicture(device: device)))
    self.options = options
    self.transport = AuthenticatingTransport.wrapping(
      transport, device: device, trust: options.trust, time: time)
    self.resolver = resolver
    self.previous = previous.map { ApplicationSessionID($0.applicationSessionID) }
    var logger = logger
    logger[metadataKey: "cast.device"] = "\(device.endpoint)"
    self.logger = logger
    log = SessionLog(logger)
    self.time = time
    let (inputs, inbox) = AsyncStream.makeStream(of: Input.self)
    self.inputs = inputs
    self.inbox = inbox
    timers = TimerSet(time: time) { inbox.yield(.timersDue) }
  }

  /// The newest status of the device; nil before the first one.
  public nonisolated var receiverStatus: ReceiverStatus? { picture.receiverStatus }
  /// The application that is joined; nil while there is none.
  public nonisolated var application: ApplicationMetadata? { picture.application }
  /// The merged picture of the media session; nil when nothing is loaded. After the media has ended this is its last picture, with the
  /// idle reason: `isEnded` is true then, and `RemoteMediaClient.mediaStatus` is nil.
  public nonisolated var mediaStatus: MediaStatus? { picture.mediaStatus }
  /// Where it stands in its life.
  public nonisolated var state: SessionState { picture.state }

  nonisolated var picture: SessionPicture { front.withLock(\.picture) }

  /// Commands the media.
  public nonisolated var remoteMediaClient: RemoteMediaClient { RemoteMediaClient(session: self) }

  /// Everything that happens from now on, in order; every call makes a subscription of its own.
  ///
  /// Call it before `start()` to see everything. The last event is `.ended`. A `.lossless` stream that falls 4096 events behind
  /// finishes without `.ended`, as it could not be complete any more.
  public nonisolated func events(_ buffering: EventBuffering = .lossless) -> AsyncStream<SessionEvent> {
    subscribers.add(buffering)
  }

  /// Calls `receive` with each event from now on, in order, until it returns false or the session has ended. It runs on the
  /// session's actor, so it must not block.
  package nonisolated func subscribe(_ receive: @escaping @Sendable (StampedSessionEvent) -> Bool) {
    subscribers.add(receive)
  }

  /// Adds a listener; it is held weakly, and may be added or removed at any time.
  public nonisolated func add(_ listener: any SessionListener) {
    listeners.add(ObjectIdentifier(listener)) { [weak listener] in listener }
  }

  /// Removes a listener; one that is not there is no mistake.
  public nonisolated func remove(_ listener: any SessionListener) {
    listeners.remove(ObjectIdentifier(listener))
  }

  /// Adds a channel, at any time; it connects by itself while the application listens to its namespace (protocol 16). The
  /// session keeps it. Another channel of the same namespace is taken out.
  public nonisolated func add(_ channel: any CastChannel) { channels.add(channel, to: self) }

  /// Takes a channel out; it is told that it is disconnected when it was connected.
  public nonisolated func remove(_ channel: any CastChannel) { channels.remove(channel) }

  /// Connects, joins or launches, and returns when the session is active.
  ///
  /// - Returns: the application that was joined; nil for a device session, and for an observer when nothing is running.
  /// - Throws: `hostUnknown`, `connectionRefused`, `networkNotReachable`, `secureTransportError`, `timeout`,
  ///   `applicationNotFound`, `notAllowed`, `launchFailed` and others: each says in words what happened and what to do.
  ///   `cancelled` when the task was cancelled, `invalidState` when the session was started before. After an error the
  ///   session has ended and nothing is left of it.
  @discardableResult
  public func start() async throws(CastError) -> ApplicationMetadata? {
    guard loop == nil, picture.ending == nil else {
      throw CastError(.invalidState, "a session can be started only once; create another one")
    }
    loop = Task { await self.run() }
    front.withLock { $0.isStarted = true }
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
    setEnding()
    handle(.end(action))
    await loop?.value
    return picture.ending?.error
  }

  /// Gives the connection up until `resume()`, such as before the computer sleeps; what plays goes on playing. Returns at once,
  /// and does nothing while the session is not active (protocol 17.4).
  public nonisolated func suspend() { inbox.yield(.command(.suspend)) }

  /// Calls a device that is away at once, whatever the policy would wait for; returns at once (protocol 14.6).
  public nonisolated func resume() { inbox.yield(.command(.resume)) }

  /// Stops the application and ends the session; returns when the device no longer shows the application.
  /// - Throws: `timeout` when the device does not confirm it, or what broke the session before; it has ended all the same.
  public func stopApplication() async throws(CastError) {
    if let error = await end(.stopApplication) { throw error }
  }

  /// Ends the session; what plays goes on playing.
  public func leave() async { await end(.leave) }
}
