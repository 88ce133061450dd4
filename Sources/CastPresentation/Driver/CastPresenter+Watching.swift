import CastProtocol
import CastSender
import Synchronization

// Facts about the context, as they change.

extension CastPresenter {
  func feedDevices() {
    let discovery = context.discoveryManager
    let found = discovery.devices
    let added = state.withLock(\.added).filter { one in !found.contains { $0.presentedID == one.presentedID }
    }
    feed(
      .devices(
        found + added, isSearching: discovery.isDiscovering,
        problems: discovery.problems.map(\.description)))
  }

  /// Watches a session, unless it is watched already.
  func watch(_ session: Session) {
    let previous = state.withLock { state -> (isNew: Bool, old: Session?) in
      guard !state.isClosed, state.watched?.session !== session else { return (false, nil) }
      let old = state.watched?.session
      state.watched = Watched(session: session, phase: .connecting(.reaching))
      return (true, old)
    }
    guard previous.isNew else { return }
    // Its last event may be on its way, and is ignored from now on.
    if let old = previous.old { feed(.session(PresentedSession(device: old.device, phase: .ended(nil)))) }
    session.subscribe { [weak self, weak session] stamped in
      guard let self, let session else { return false }
      return self.handle(stamped, of: session)
    }
    adopt(session)
  }

  /// Feeds what a session has reported before it was watched.
  private func adopt(_ session: Session) {
    switch session.state {
    case .active: setPhase(.connected, of: session)
    case .suspended: setPhase(.suspended(reason: nil, nextAttempt: nil), of: session)
    case .idle, .starting, .ending: setPhase(.connecting(.reaching), of: session)
    case .ended: return
    }
    let client = session.remoteMediaClient
    var status = session.mediaStatus
    status?.streamPosition = client.approximateStreamPosition()
    status?.liveSeekableRange = client.approximateLiveSeekableRange()
    guard isWatched(session), session.state != .starting, session.state != .idle else { return }
    feed(
      .receiverStatus(session.receiverStatus), .application(session.application), .mediaStatus(status))
    noteItem(status)
    if session.state == .active { followQueue(of: session) }
  }

  private func isWatched(_ session: Session) -> Bool { state.withLock { $0.watched?.session === session } }

  /// The phase of the watched session; nil when it is another one.
  private func phase(of session: Session) -> SessionPhase? {
    state.withLock { $0.watched?.session === session ? $0.watched?.phase : nil }
  }

  private func setPhase(_ phase: SessionPhase, of session: Session) {
    let isWatched = state.withLock { state in
      guard state.watched?.session === session else { return false }
      state.watched?.phase = phase
      return true
    }
    if isWatched { feed(.session(PresentedSession(device: session.device, phase: phase))) }
  }

  func deviceChanged(of session: Session) {
    guard let phase = phase(of: session) else { return }
    feed(.session(PresentedSession(device: session.device, phase: phase)))
  }

  /// Accepts an event of a session, in the session's order.
  /// - Returns: whether the next one is wanted.
  private func handle(_ stamped: StampedSessionEvent, of session: Session) -> Bool {
    guard let phase = phase(of: session) else { return false }
    switch stamped.event {
    case .connecting: advance(to: .reaching, from: phase, of: session)
    case .launching: advance(to: .launching, from: phase, of: session)
    case .waitingForConsent: advance(to: .waitingForConsent, from: phase, of: session)
    case .active(let application), .resumed(let application, _):
      setPhase(.connected, of: session)
      feed(.application(application))
      followQueue(of: session)
    case .suspended(let reason):
      var words: String?
      if case .connectionLost(let error) = reason { words = error.message }
      setPhase(.suspended(reason: words, nextAttempt: nil), of: session)
    case .retrying(let error, let wait):
      setPhase(.suspended(reason: error.message, nextAttempt: wait), of: session)
    case .receiverStatus(let status): feed(.receiverStatus(status), .application(session.application))
    case .mediaStatus(let status):
      feed(.mediaStatus(status, age: max(time.now() - stamped.heardAt, .zero)))
      noteItem(status)
      feedQueuePlace()
    case .foreignAction(let action): feed(.foreignAction(action))
    case .ended(let error):
      feed(.session(PresentedSession(device: session.device, phase: .ended(error))))
      state.withLock { if $0.watched?.session === session { $0.watched = nil } }
      return false
    case .resuming, .queueItemIDs, .queueItems, .queueChange, .queueItemError, .queueItemFailed,
      .channelMessage, .multizone, .credentialsWanted:
      break
    }
    return true
  }

  /// A step of the start; while a session is restored, the steps are those of the restoration.
  private func advance(to step: ConnectingStep, from phase: SessionPhase, of session: Session) {
    if case .suspended = phase { return }
    setPhase(.connecting(step), of: session)
  }

  // MARK: - The queue

  private func noteItem(_ status: MediaStatus?) {
    state.withLock { $0.watched?.currentItemID = status?.currentItemID }
  }

  private func followQueue(of session: Session) {
    let queue = session.remoteMediaClient.mediaQueue
    let isNew = state.withLock { state in
      guard state.watched?.session === session, state.watched?.queue == nil else { return false }
      state.watched?.queue = queue
      return true
    }
    if isNew { listen(to: queue) }
    feedQueuePlace()
  }

  /// The place of the current item, as soon as the whole queue is known.
  func feedQueuePlace() {
    guard let watched = state.withLock(\.watched), let queue = watched.queue else { return }
    guard queue.isComplete, queue.itemCount > 0 else { return feed(.queuePlace(nil)) }
    let index = watched.currentItemID.flatMap { queue.indexOfItem(withID: $0) }
    feed(.queuePlace(QueuePlace(index: index, count: queue.itemCount)))
  }
}
