import CastPresentation
import CastProtocol
import CastSender
import CastqCore
import CastqOperations
import CastqStore
import CastqTerminal

extension RemoteStatus {
  /// The status for the screen: what the models of `CastPresentation` say of it, and what castq's own rows add.
  init(_ document: StatusDocument, connection: SeenStatus.Connection, at now: Tick) {
    let snapshot = document.snapshot(at: now)
    self.init(
      connection == .connected ? .connected : connection == .connecting ? .connecting : .offline,
      application: document.application?.displayName,
      volume: snapshot.deviceVolume.level.map { level in
        Volume(
          level: Int(bounded: (level * 100).rounded()), isMuted: snapshot.deviceVolume.isMuted,
          isFixed: snapshot.deviceVolume.isFixed, configured: document.configuredLevel)
      },
      media: RemoteMedia(document, snapshot, at: now), waiting: document.reason())
  }
}

extension StatusDocument {
  /// What the models of `CastPresentation` make of what the device reports.
  fileprivate func snapshot(at now: Tick) -> PresentationSnapshot {
    var machine = PresentationMachine()
    guard let picture else { return machine.snapshot(at: now) }
    for event: PresentationEvent in [
      .session(PresentedSession(device: device.castDevice, phase: .connected)),
      .receiverStatus(picture.receiver),
      .application(application), .mediaStatus(picture.media),
    ] { _ = machine.handle(event, at: now) }
    return machine.snapshot(at: now)
  }
}

extension RemoteMedia {
  /// Nil when nothing is on the screen.
  fileprivate init?(_ document: StatusDocument, _ snapshot: PresentationSnapshot, at now: Tick) {
    guard document.isPlaying else { return nil }
    let information = document.information
    let controller = snapshot.media
    // A page reports nothing, and a picture has no position: it stays for its time.
    let isStill = document.media == nil || information?.isPicture == true
    let state: State =
      switch controller.playbackState {
      case .loading: .loading
      case .buffering: .buffering
      case .paused: isStill ? .showing : .paused
      case .playing, .none, .ended: isStill ? .showing : .playing
      }
    self.init(
      state, title: document.queue.row?.title ?? controller.title ?? information?.label ?? "something",
      at: now)
    subtitle = controller.subtitle
    isLive = controller.isLive
    rate = controller.playbackRate
    position = isStill ? document.queue.still?.shown : controller.streamPosition?.seconds
    let length = isStill ? document.queue.still?.length : controller.streamDuration?.seconds
    duration = length.flatMap { $0 > 0 ? $0 : nil }
    canPause = controller.canPause || controller.canPlay
    canSeek = controller.canSeek
    canChangeRate = controller.canSetPlaybackRate
    let chooser = snapshot.trackChooser
    tracks =
      chooser.audio.compactMap { Track($0, kind: .audio) }
      + chooser.text.compactMap { Track($0, kind: .text) }
    ad = controller.ad.map { Ad($0) }
    adMarks = isLive ? [] : controller.adMarks.compactMap { $0.position?.seconds ?? length }
    entry = document.queue.entry?.rawValue
    image = document.artwork?.url
  }
}

extension RemoteMedia.Ad {
  fileprivate init(_ ad: AdModel) {
    let number = ad.clipNumber.flatMap { number in ad.clipCount.map { "Ad \(number)/\($0)" } } ?? "Ad"
    self.init(
      label: ad.title.map { "\(number): \($0)" } ?? number,
      skippableIn: ad.canSkip ? 0 : ad.secondsUntilSkippable.map(Double.init))
  }
}

extension RemoteMedia.Track {
  /// Nil for the row that hides all text.
  fileprivate init?(_ row: TrackChooserModel.Row, kind: Kind) {
    guard let id = row.trackID else { return nil }
    self.init(id: id, kind: kind, label: row.label, isActive: row.isSelected)
  }
}
