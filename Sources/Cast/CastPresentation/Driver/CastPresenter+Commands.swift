import CastProtocol
import CastSender
import Synchronization

// Commands to the device, its application and its media.

extension CastPresenter {
  func carryOut(_ action: PresentationAction) {
    switch action {
    case .perform(let command, let id): perform(command, id)
    case .showDeviceList(let isShown):
      if isShown { context.discoveryManager.startDiscovery() }
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
      replaceAttempt(id) { () async throws(CastError) in
        // What plays on the other device goes on there.
        try await manager.endSession(stoppingCasting: false)
        // Another device was chosen, or none, while that one was being left.
        guard !Task.isCancelled else { throw CastError(.cancelled, "the attempt to connect was aborted") }
        try await manager.startSession(with: device)
      }
    case .cancelConnecting:
      // An attempt that has no session yet would begin after the end of none.
      replaceAttempt(id) { () async throws(CastError) in
        try await manager.endSession(stoppingCasting: false)
      }
    case .disconnect:
      attempt(id) { () async throws(CastError) in try await manager.endSession(stoppingCasting: false) }
    case .stopCasting:
      attempt(id) { () async throws(CastError) in try await manager.endSession(stoppingCasting: true) }
    case .transfer(to: let device):
      replaceAttempt(id) { () async throws(CastError) in try await manager.transfer(to: device) }
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
      switch command {
      case .setDeviceVolume(let level, let unmuting):
        changeVolume(in: session, .setLevel(level, unmuting: unmuting, for: id))
      case .setDeviceMuted(let isMuted): changeVolume(in: session, .setMuted(isMuted, for: id))
      case .setMemberVolume(let level, of: let member):
        changeVolume(ofMember: member, in: session, .setLevel(level, unmuting: false, for: id))
      case .setMemberMuted(let isMuted, of: let member):
        changeVolume(ofMember: member, in: session, .setMuted(isMuted, for: id))
      default:
        if let request = request(command, to: session.remoteMediaClient) { follow(request, id) }
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
    case .connect, .cancelConnecting, .reconnect, .disconnect, .stopCasting, .transfer, .setDeviceVolume,
      .setDeviceMuted, .setMemberVolume, .setMemberMuted, .custom:
      nil
    }
  }

  // MARK: - Outcomes

  /// Reports the outcome of some work, unless it is part of another one, then calls `whenDone`.
  @discardableResult
  func attempt(
    _ id: IntentID?, _ work: @escaping @Sendable () async throws(CastError) -> Void,
    whenDone: @escaping @Sendable () -> Void = {}
  ) -> Task<Void, Never> {
    Task { [weak self] in
      defer { whenDone() }
      do throws(CastError) {
        try await work()
        if let id { self?.feed(.finished(id, nil)) }
      } catch {
        if let id { self?.feed(.finished(id, PresentationFailure(error))) }
      }
    }
  }

  /// Cancels the attempt before, and begins this one when that has ended: there is one session at a time.
  private func replaceAttempt(
    _ id: IntentID, _ work: @escaping @Sendable () async throws(CastError) -> Void
  ) {
    let previous = state.withLock { state in
      let previous = state.attempt
      state.attempt = attempt(id) { () async throws(CastError) in
        await previous?.value
        try await work()
      }
      return previous
    }
    previous?.cancel()
  }

  /// Reports the outcome of a request, unless it is part of another one, then calls `whenDone`.
  func follow<Value>(
    _ request: Request<Value>, _ id: IntentID?, whenDone: @escaping @Sendable () -> Void = {}
  ) {
    Task { [weak self] in
      let outcome = await request.outcome
      defer { whenDone() }
      guard let id else { return }
      switch outcome {
      case .completed: self?.feed(.finished(id, nil))
      case .failed(let error): self?.feed(.finished(id, PresentationFailure(error)))
      case .aborted: self?.feed(.superseded(id))
      }
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
