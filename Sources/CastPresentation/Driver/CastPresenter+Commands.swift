import CastProtocol
import CastSender
import Synchronization

// Commands to the device, its application and its media.

/// The volume as a slider sends it: one request at a time, then the newest of those that were wanted meanwhile (protocol 5.7).
struct VolumeLane: Sendable {
  struct Level: Sendable {
    let level: Double
    let unmuting: Bool
    let id: IntentID
  }
  private var isOpen = false
  private var waiting: Level?

  /// - Returns: whether to send it now, and the one that it replaces; nil replaces none.
  mutating func accept(_ level: Level) -> (sends: Bool, replaced: IntentID?) {
    guard isOpen else {
      isOpen = true
      return (true, nil)
    }
    defer { waiting = level }
    return (false, waiting?.id)
  }

  /// - Returns: the next one to send; nil when there is none.
  mutating func completed() -> Level? {
    defer { waiting = nil }
    isOpen = waiting != nil
    return waiting
  }
}

extension CastPresenter {
  func carryOut(_ action: PresentationAction) {
    switch action {
    case .perform(let command, let id): perform(command, id)
    case .showDeviceList(let isShown):
      let discovery = context.discoveryManager
      if isShown { discovery.startDiscovery() }
      discovery.isPassive = isShown ? false : context.options.isDiscoveryPassive
      feedDevices()
    case .claimIntroduction: feed(.introductionClaimed(isFirst: introductions.claim()))
    case .loadArtwork(let images, let use): load(images, use)
    // Carried out with the machine's state.
    case .startTimer, .stopTimer: break
    }
  }

  private func perform(_ command: PresentationCommand, _ id: IntentID) {
    let manager = context.sessionManager
    switch command {
    case .connect(let device):
      let connecting = attempt(id) { () async throws(CastError) in
        // What plays on the other device goes on there.
        try await manager.endSession(stoppingCasting: false)
        try await manager.startSession(with: device)
      }
      state.withLock { $0.attempt = connecting }
    case .cancelConnecting:
      // Cancelled first: an attempt that has no session yet would begin after the end of none.
      let connecting = state.withLock { $0.attempt }
      connecting?.cancel()
      attempt(id) { () async throws(CastError) in
        await connecting?.value
        try await manager.endSession(stoppingCasting: false)
      }
    case .disconnect:
      attempt(id) { () async throws(CastError) in try await manager.endSession(stoppingCasting: false) }
    case .stopCasting:
      attempt(id) { () async throws(CastError) in try await manager.endSession(stoppingCasting: true) }
    case .reconnect:
      manager.resumeSession()
      feed(.finished(id, nil))
    case .custom(let name):
      presses.yield(name)
      feed(.finished(id, nil))
    default:
      guard let session = manager.currentSession else {
        return feed(
          .finished(id, PresentationFailure(CastError(.sessionIsNotActive, "the session has ended"))))
      }
      if case .setDeviceVolume(let level, let unmuting) = command {
        setVolume(VolumeLane.Level(level: level, unmuting: unmuting, id: id), of: session)
      } else if case .setDeviceMuted(let isMuted) = command {
        follow(session.setDeviceMuted(isMuted), id)
      } else if let request = request(command, to: session.remoteMediaClient) {
        follow(request, id)
      }
    }
  }

  /// The request of a media command; nil for other commands.
  private func request(_ command: PresentationCommand, to client: RemoteMediaClient) -> Request<MediaStatus?>?
  {
    switch command {
    case .play: client.play()
    case .pause: client.pause()
    case .stop: client.stop()
    case .seek(to: let position): client.seek(to: position)
    case .skip(by: let offset): client.seek(by: offset)
    case .seekToLiveEdge: client.seekToLiveEdge()
    case .skipToNext: client.queueNextItem()
    case .skipToPrevious: client.queuePreviousItem()
    case .skipAd: client.skipAd()
    case .setPlaybackRate(let rate): client.setPlaybackRate(rate)
    case .setRepeatMode(let mode): client.queueSetRepeatMode(mode)
    case .setShuffled(let isShuffled): client.queueSetShuffle(isShuffled)
    case .setStreamMuted(let isMuted): client.setStreamMuted(isMuted)
    case .setStreamVolume(let level): client.setStreamVolume(level)
    case .setActiveTracks(let ids): client.setActiveTrackIDs(ids)
    case .setTextTrackStyle(let style): client.setTextTrackStyle(style)
    case .connect, .cancelConnecting, .reconnect, .disconnect, .stopCasting, .setDeviceVolume,
      .setDeviceMuted, .custom:
      nil
    }
  }

  private func setVolume(_ wanted: VolumeLane.Level, of session: Session) {
    let (sends, replaced) = state.withLock { $0.volume.accept(wanted) }
    if let replaced { feed(.superseded(replaced)) }
    if sends { sendVolume(wanted, to: session) }
  }

  private func sendVolume(_ wanted: VolumeLane.Level, to session: Session) {
    if wanted.unmuting { session.setDeviceMuted(false) }
    follow(session.setDeviceVolume(wanted.level), wanted.id) { [weak self] in
      guard let next = self?.state.withLock({ $0.volume.completed() }) else { return }
      self?.sendVolume(next, to: session)
    }
  }

  // MARK: - Outcomes

  @discardableResult
  private func attempt(
    _ id: IntentID, _ work: @escaping @Sendable () async throws(CastError) -> Void
  ) -> Task<Void, Never> {
    Task { [weak self] in
      do throws(CastError) {
        try await work()
        self?.feed(.finished(id, nil))
      } catch {
        self?.feed(.finished(id, PresentationFailure(error)))
      }
    }
  }

  /// Reports the outcome of a request, then calls `whenDone`.
  private func follow<Value>(
    _ request: Request<Value>, _ id: IntentID, whenDone: @escaping @Sendable () -> Void = {}
  ) {
    Task { [weak self] in
      switch await request.outcome {
      case .completed: self?.feed(.finished(id, nil))
      case .failed(let error): self?.feed(.finished(id, PresentationFailure(error)))
      case .aborted: self?.feed(.superseded(id))
      }
      whenDone()
    }
  }

  // MARK: - Artwork

  private func load(_ images: [Image], _ use: ArtworkUse) {
    let hints = ImageHints(kind: use.imageKind, wantedSize: artworkSizes[use])
    guard let image = context.imagePicker.image(from: images, hints: hints) else {
      return feed(.artwork(use, nil, .unavailable))
    }
    feed(.artwork(use, image, .loading))
    let cache = context.imageCache
    Task { [weak self] in
      do throws(CastError) {
        _ = try await cache.image(at: image.url)
        self?.feed(.artwork(use, image, .ready))
      } catch {
        self?.feed(.artwork(use, image, .unavailable))
      }
    }
  }
}

extension ArtworkUse {
  fileprivate var imageKind: ImageHints.Kind {
    switch self {
    case .castDialog: .castDialog
    case .miniController: .miniController
    case .expandedController: .background
    }
  }
}
