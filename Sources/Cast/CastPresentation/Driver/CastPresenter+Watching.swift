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

  /// Feeds what a session has reported before it was watched. What was read when an event arrives is older
  /// than the event, and is read again.
  private func adopt(_ session: Session) {
    while let heard = state.withLock({ $0.watched?.session === session ? $0.watched?.heard : nil }) {
      let phase: SessionPhase
      var isKnown = true
      switch session.state {
      case .active: phase = .connected
      case .suspended: phase = .suspended(reason: nil, nextAttempt: nil)
      case .idle, .starting:
        phase = .connecting(.reaching)
        isKnown = false
      case .ending: phase = .connecting(.reaching)
      case .ended: return
      }
      let status = mediaStatus(of: session)
      var events = [PresentationEvent.session(PresentedSession(device: session.device, phase: phase))]
      if isKnown {
        events += [
          .receiverStatus(session.receiverStatus), .application(session.application), .mediaStatus(status),
        ]
      }
      let isNews = feedEvents { state in
        guard state.watched?.session === session, state.watched?.heard == heard else { return nil }
        state.watched?.phase = phase
        state.watched?.currentItemID = status?.currentItemID
        return events
      }
      guard isNews else { continue }
      if phase == .connected { followRest(of: session) }
      return
    }
  }

  /// The media status with its position as of now.
  private func mediaStatus(of session: Session) -> MediaStatus? {
    let client = session.remoteMediaClient
    var status = session.mediaStatus
    status?.streamPosition = client.approximateStreamPosition()
    status?.liveSeekableRange = client.approximateLiveSeekableRange()
    return status
  }

  /// Notes that an event of a session is handled.
  /// - Returns: whether it is the watched session.
  private func hear(_ session: Session) -> Bool {
    state.withLock { state in
      guard state.watched?.session === session else { return false }
      state.watched?.heard += 1
      return true
    }
  }

  /// - Parameter isStep: whether it is a step of the start; while a session is restored, or moves, the steps
  ///   are those of the restoration, and change nothing.
  private func setPhase(_ phase: SessionPhase, of session: Session, isStep: Bool = false) {
    feedEvents { state in
      guard let watched = state.watched, watched.session === session else { return nil }
      if isStep {
        switch watched.phase {
        case .suspended, .moving: return nil
        case .connecting, .connected, .ended: break
        }
      }
      state.watched?.phase = phase
      return [.session(PresentedSession(device: session.device, phase: phase))]
    }
  }

  func deviceChanged(of session: Session) {
    feedEvents { state in
      guard let watched = state.watched, watched.session === session else { return nil }
      return [.session(PresentedSession(device: session.device, phase: watched.phase))]
    }
  }

  /// Accepts an event of a session, in the session's order.
  /// - Returns: whether the next one is wanted.
  private func handle(_ stamped: StampedSessionEvent, of session: Session) -> Bool {
    guard hear(session) else { return false }
    switch stamped.event {
    case .connecting: setPhase(.connecting(.reaching), of: session, isStep: true)
    case .launching: setPhase(.connecting(.launching), of: session, isStep: true)
    case .waitingForConsent: setPhase(.connecting(.waitingForConsent), of: session, isStep: true)
    case .active(let application), .resumed(let application, _):
      setPhase(.connected, of: session)
      feed(.application(application))
      followRest(of: session)
    case .suspended(.transfer): setPhase(.moving, of: session)
    case .suspended(.byCaller): setPhase(.suspended(reason: nil, nextAttempt: nil), of: session)
    case .suspended(.connectionLost(let error)):
      setPhase(.suspended(reason: error.message, nextAttempt: nil), of: session)
    case .retrying(let error, let wait):
      setPhase(.suspended(reason: error.message, nextAttempt: wait), of: session)
    case .receiverStatus(let status): feed(.receiverStatus(status), .application(session.application))
    case .mediaStatus(let status):
      feed(.mediaStatus(status, age: max(time.now() - stamped.heardAt, .zero)))
      noteItem(status)
      feedQueuePlace()
    case .multizone(let event):
      feed(.multizone(event))
      // What has changed is not published (protocol 5.9).
      if case .playbackSessionUpdated = event { _ = session.requestMultizoneStatus() }
    case .foreignAction(let action): feed(.foreignAction(action))
    case .ended(let error):
      feed(.session(PresentedSession(device: session.device, phase: .ended(error))))
      state.withLock { if $0.watched?.session === session { $0.watched = nil } }
      return false
    case .resuming, .queueItemIDs, .queueItems, .queueChange, .queueItemError, .queueItemFailed,
      .channelMessage, .credentialsWanted:
      break
    }
    return true
  }

  /// Follows what an active session has beside its media.
  private func followRest(of session: Session) {
    followQueue(of: session)
    // Its reply is an event, too. Devices that are no group may not reply (protocol 5.9).
    if session.device.isGroup { _ = session.requestMultizoneStatus() }
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
