public import CastProtocol
public import CastSender
import Synchronization

/// Presents a context: it watches the context's discovery, its session and what that plays, keeps the models up to date, and carries
/// out what a person wants.
///
///     let presenter = CastPresenter(context: context)
///     for await snapshot in presenter.snapshots() { draw(snapshot) }
///     …
///     presenter.send(.pressCastButton)
///     try await presenter.perform(.chooseDevice(row.id))
///
/// Any number of presenters may present one context; each has its own dialogs, and all show the same device. A presenter ends with
/// `close()`, or when it is deallocated; the session continues.
public final class CastPresenter: Sendable {
  /// The context that is presented.
  public let context: CastContext
  let introductions: any IntroductionStore
  let artworkSizes: [ArtworkUse: PixelSize]
  let time: TimeSource
  let state: Mutex<State>
  let presses = UpdateStreams<String>(limit: 64)
  private let ears: PresenterEars

  struct State: Sendable {
    var machine: PresentationMachine
    var snapshot: PresentationSnapshot
    var timers: TimerSet<Alarm>
    var readers: [Int: AsyncStream<PresentationSnapshot>.Continuation] = [:]
    var lastReader = 0
    var lastIntent = 0
    /// Callers that wait for the outcome of an intent.
    var waiters: [IntentID: AsyncStream<IntentOutcome>.Continuation] = [:]
    /// The session that is watched; events of others are ignored.
    var watched: Watched?
    /// The newest session of which a volume was changed, and its lanes; nil when none was.
    var volumes: SessionVolumes?
    /// The last attempt to connect, to abort that, or to move to another device; it may be over.
    var attempt: Task<Void, Never>?
    /// Whether the list of devices is on this presenter's screen.
    var isListShown = false
    /// Devices that the program added.
    var added: [Device] = []
    var isClosed = false

    mutating func makeIntentID() -> IntentID {
      lastIntent += 1
      return IntentID(lastIntent)
    }

    /// Passes outcomes to those who wait for them, before newer intents take the places of their records.
    mutating func answerWaiters() {
      for (id, waiter) in waiters {
        guard let record = machine.records.last(where: { $0.id == id }), !record.isPending else { continue }
        waiter.yield(record.outcome)
        waiter.finish()
        waiters[id] = nil
      }
    }
  }
  enum Alarm: Hashable, Sendable {
    case models
    case volume(VolumeOutput)
  }

  /// A session and the copy of its queue.
  struct Watched: Sendable {
    let session: Session
    var phase: SessionPhase
    /// Number of its events that were handled.
    var heard = 0
    var currentItemID: MediaQueueItemID?
    var queue: MediaQueue?
  }

  /// Starts to present a context. An open session and its media are shown at once.
  /// - Parameters:
  ///   - context: the context.
  ///   - options: what the program may choose.
  ///   - introductions: where it is kept that the introduction was shown; by default a file in the user's state folder.
  ///   - artworkSizes: the sizes in pixels at which artwork is drawn, for the context's image picker; none accepts any.
  ///   - time: the source of time; it must be that of the context.
  public init(
    context: CastContext, options: PresentationOptions = PresentationOptions(),
    introductions: any IntroductionStore = FileIntroductionStore(),
    artworkSizes: [ArtworkUse: PixelSize] = [:], time: TimeSource = .continuous
  ) {
    self.context = context
    self.introductions = introductions
    self.artworkSizes = artworkSizes
    self.time = time
    let ears = PresenterEars()
    self.ears = ears
    let machine = PresentationMachine(options: options)
    state = Mutex(
      State(
        machine: machine, snapshot: machine.snapshot(at: time.now()),
        timers: TimerSet(time: time) { ears.presenter?.alarm() }))
    ears.set(self)
    context.discoveryManager.add(ears)
    context.sessionManager.add(ears)
    feedDevices()
    if let session = context.sessionManager.currentSession { watch(session) }
  }

  deinit {
    state.withLock { state in
      showList(false, &state)
      _ = state.timers.end()
      for reader in state.readers.values { reader.finish() }
    }
    presses.finish()
  }

  /// The models now, with positions as of now.
  public var snapshot: PresentationSnapshot {
    state.withLock { $0.machine.snapshot(at: time.now()) }
  }

  /// The models now, then each change of them; positions advance once a second while something plays. A slow reader gets the newest
  /// models only. It ends with the presenter.
  public func snapshots() -> AsyncStream<PresentationSnapshot> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: PresentationSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> Int? in
      continuation.yield(state.machine.snapshot(at: time.now()))
      guard !state.isClosed else { return nil }
      state.lastReader += 1
      state.readers[state.lastReader] = continuation
      return state.lastReader
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
    }
    return stream
  }

  /// The names of the program's own buttons, as they are pressed from now on. It ends with the presenter, and when its reader falls 64
  /// presses behind.
  public func customPresses() -> AsyncStream<String> { presses.add() }

  /// Wants something, and returns at once; the outcome is in the snapshots under the number.
  @discardableResult
  public func send(_ intent: PresentationIntent) -> IntentID {
    let id = state.withLock { $0.makeIntentID() }
    feed(.intent(intent, id))
    return id
  }

  /// Wants something, and returns when it is done, or when a newer intent of the same kind has replaced it.
  /// - Throws: `PresentationFailure` in words, with a next step; code `cancelled` when the task was cancelled or the presenter closed:
  ///   the command may still be carried out.
  public func perform(_ intent: PresentationIntent) async throws(PresentationFailure) {
    let (outcomes, waiter) = AsyncStream.makeStream(of: IntentOutcome.self)
    let id = state.withLock { state in
      let id = state.makeIntentID()
      if state.isClosed { waiter.finish() } else { state.waiters[id] = waiter }
      return id
    }
    defer { state.withLock { _ = $0.waiters.removeValue(forKey: id) } }
    feed(.intent(intent, id))
    for await outcome in outcomes {
      switch outcome {
      case .done, .superseded: return
      case .failed(let failure): throw failure
      case .pending: continue
      }
    }
    throw PresentationFailure(
      CastError(.cancelled, "nobody waits any more for the outcome; look at what the device does"))
  }

  /// Maximum number of devices that `addDevice(_:)` keeps; the oldest go first.
  public static let addedDeviceLimit = 256

  /// Adds a device to the list, such as one whose address a person has typed where discovery finds nothing. A device that discovery
  /// finds under the same `presentedID` takes its place, and so does a newer one.
  public func addDevice(_ device: Device) {
    state.withLock { state in
      state.added.removeAll { $0.presentedID == device.presentedID }
      state.added.append(device)
      if state.added.count > Self.addedDeviceLimit { state.added.removeFirst() }
    }
    feedDevices()
  }

  /// The bytes of an artwork, from the context's image cache.
  /// - Throws: `CastError` of the cache when the image is unavailable.
  public func image(of artwork: Artwork) async throws(CastError) -> CachedImage {
    try await context.imageCache.image(at: artwork.image.url)
  }

  /// Ends all streams and stops watching; the session continues. Does nothing the second time.
  public func close() {
    context.discoveryManager.remove(ears)
    context.sessionManager.remove(ears)
    let (readers, waiters) = state.withLock { state in
      showList(false, &state)
      state.isClosed = true
      state.watched = nil
      state.volumes = nil
      _ = state.timers.end()
      defer { (state.readers, state.waiters) = ([:], [:]) }
      return (Array(state.readers.values), Array(state.waiters.values))
    }
    for reader in readers { reader.finish() }
    for waiter in waiters { waiter.finish() }
    presses.finish()
  }

  // MARK: - The machine

  /// Passes events to the machine, publishes the models if they changed, and carries out its actions.
  func feed(_ events: PresentationEvent...) { feedEvents { _ in events } }

  /// The same with events that depend on the state, which does not change before they are handled.
  /// - Parameter read: returns them; nil when there is nothing to report. It must not call out.
  /// - Returns: whether something was reported.
  @discardableResult
  func feedEvents(_ read: (inout State) -> [PresentationEvent]?) -> Bool {
    let now = time.now()
    let actions = state.withLock { state -> [PresentationAction]? in
      guard !state.isClosed, let events = read(&state) else { return nil }
      let actions = events.flatMap { state.machine.handle($0, at: now) }
      for action in actions {
        switch action {
        case .startTimer(let wait): state.timers.start(.models, after: wait)
        case .stopTimer: state.timers.cancel(.models)
        // Under the lock, so that discovery learns of it in order.
        case .showDeviceList(let isShown): showList(isShown, &state)
        default: break
        }
      }
      state.answerWaiters()
      let snapshot = state.machine.snapshot(at: now)
      if snapshot != state.snapshot {
        state.snapshot = snapshot
        // Under the lock, so that no older models can follow newer ones.
        for reader in state.readers.values { reader.yield(snapshot) }
      }
      return actions
    }
    for action in actions ?? [] { carryOut(action) }
    return actions != nil
  }

  /// Discovery asks often while any presenter shows its list.
  private func showList(_ isShown: Bool, _ state: inout State) {
    guard isShown != state.isListShown else { return }
    state.isListShown = isShown
    if isShown { context.discoveryManager.listAppeared() } else { context.discoveryManager.listDisappeared() }
  }

  func listen(to queue: MediaQueue) { queue.add(ears) }

  func alarm() {
    let due = state.withLock { $0.timers.takeDue() }
    for alarm in due {
      switch alarm {
      case .models: feed(.timerFired)
      case .volume(let output): paceVolume(of: output, .timerFired)
      }
    }
  }
}
