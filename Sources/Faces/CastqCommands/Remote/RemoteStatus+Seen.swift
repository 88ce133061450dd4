import CastPresentation
import CastProtocol
import CastSender
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqTerminal

extension RemoteStatus {
  /// The status for the screen: what the models of `CastPresentation` say of it, and what castq's own rows add.
  init(_ state: ScreenState, at now: Tick) {
    let snapshot = state.snapshot(at: now)
    self.init(
      state.seen.connection == .connected
        ? .connected : state.seen.connection == .connecting ? .connecting : .offline,
      application: state.application?.displayName,
      volume: snapshot.deviceVolume.level.map { level in
        Volume(
          level: Int(bounded: (level * 100).rounded()), isMuted: snapshot.deviceVolume.isMuted,
          isFixed: snapshot.deviceVolume.isFixed, configured: state.configuredLevel)
      },
      media: RemoteMedia(state, snapshot, at: now), waiting: state.reason())
  }
}

extension ScreenState {
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
  fileprivate init?(_ state: ScreenState, _ snapshot: PresentationSnapshot, at now: Tick) {
    guard state.isPlaying else { return nil }
    let information = state.information
    let controller = snapshot.media
    // A page reports nothing, and a picture has no position: it stays for its time.
    let isStill = state.media == nil || information?.isPicture == true
    let player: State =
      switch controller.playbackState {
      case .loading: .loading
      case .buffering: .buffering
      case .paused: isStill ? .showing : .paused
      case .playing, .none, .ended: isStill ? .showing : .playing
      }
    self.init(player, title: state.label, at: now)
    subtitle = controller.subtitle
    isLive = controller.isLive
    rate = controller.playbackRate
    speed = isStill ? (state.rows.still == nil ? 0 : 1) : state.speed
    let (position, length) = isStill ? (state.rows.still?.shown, state.rows.still?.length) : state.progress()
    self.position = position
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
    entry = state.rows.entry?.rawValue
    image = state.artwork?.url
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
