import CastProtocol
import Logging

/// Logs one line for each change of a session's state; repetitions are omitted.
struct SessionLog: Sendable {
  private let logger: Logger
  private let media: Logger
  private var playerState: MediaPlayerState?
  private var item: MediaQueueItemID?
  /// A device that connects and disconnects without becoming active is one incident, and one line.
  private var isAway = false
  /// One that is called anew each time until it answers is none.
  private var hasBeenActive = false
  private var failure: Failure?

  /// A failure that was logged as a warning, with what came of others before the next one may be.
  private struct Failure {
    /// One that fails again and again is one incident; nil once something plays.
    var item: MediaQueueItemID?
    let loggedAt: Tick
    var omitted = 0
  }

  /// Time between two warnings of failed items: a receiver may let items fail and play in turn.
  private static let pause = Duration.seconds(10)

  init(_ logger: Logger) {
    self.logger = logger
    media = logger.speaking(for: .remoteMediaClient)
  }

  /// - Parameter now: when it happened.
  mutating func logEvent(_ event: SessionEvent, at now: Tick) {
    switch event {
    case .connecting: logger.info("connecting")
    case .launching: logger.info("launching")
    case .waitingForConsent: logger.info("waiting for consent")
    case .active(let application):
      hasBeenActive = true
      logger.info(
        "session active", metadata: ["cast.application": "\(application?.applicationID ?? "none")"])
    case .suspended(.connectionLost(let error)):
      guard !isAway else { break }
      isAway = true
      logger.notice("connection lost, reconnecting", metadata: ["cast.error": "\(error)"])
    case .retrying(let error, let pause):
      logger.debug(
        "connection attempt failed", metadata: ["cast.error": "\(error)", "cast.pause": "\(pause)"])
    case .suspended(.byCaller): logger.info("session suspended")
    case .suspended(.transfer): logger.speaking(for: .sessionTransfer).info("transferring to another device")
    case .resumed(let application, let isSame):
      isAway = false
      logger.notice(
        "session resumed",
        metadata: [
          "cast.application": "\(application?.applicationID ?? "none")",
          "cast.application_session": isSame ? "same" : "new",
        ])
    case .foreignAction(let action):
      media.info("another sender acted", metadata: ["cast.action": "\(action.words)"])
    case .mediaStatus(let status): logStatus(status)
    case .queueItemError(let item, let error):
      media.debug("item named in an error", metadata: ["cast.item": "\(item)", "cast.error": "\(error)"])
    case .queueItemFailed(let item, let error): logFailure(of: item, error, at: now)
    case .ended(nil): logger.info("session ended")
    // Whoever opened a session that never was knows; a daemon that calls a screen for days would fill the log.
    case .ended(let error?):
      logger.log(
        level: hasBeenActive ? .warning : .debug, "session ended", metadata: ["cast.error": "\(error)"])
    case .resuming, .receiverStatus, .queueItemIDs, .queueItems, .queueChange, .channelMessage, .multizone,
      .credentialsWanted:
      break
    }
  }

  private mutating func logFailure(of item: MediaQueueItemID, _ error: CastError, at now: Tick) {
    var metadata: Logger.Metadata = ["cast.item": "\(item)", "cast.error": "\(error)"]
    if let last = failure, last.item == item || now - last.loggedAt < Self.pause {
      failure?.item = item
      failure?.omitted += 1
      return media.debug("queue item failed", metadata: metadata)
    }
    if let omitted = failure?.omitted, omitted > 0 { metadata["cast.omitted"] = "\(omitted)" }
    failure = Failure(item: item, loggedAt: now)
    media.warning("queue item failed", metadata: metadata)
  }

  private mutating func logStatus(_ status: MediaStatus?) {
    guard status?.playerState != playerState || status?.currentItemID != item else { return }
    playerState = status?.playerState
    item = status?.currentItemID
    if playerState == .playing { failure?.item = nil }
    guard let status else { return media.debug("media session ended") }
    media.debug(
      "media state",
      metadata: [
        "cast.state": "\(status.playerState.word)", "cast.item": "\(item.map { "\($0)" } ?? "none")",
        "cast.media_session": "\(status.mediaSessionID)",
        "cast.idle_reason": "\(status.idleReason?.word ?? "none")",
      ])
  }
}

extension ForeignAction {
  /// The action as text for a log line.
  var words: String {
    switch self {
    case .loaded(let status): "loaded \(status.mediaInformation?.metadata?.title ?? "something else")"
    case .stoppedMedia: "stopped the media"
    case .paused: "paused"
    case .resumed: "resumed"
    case .changedVolume(let volume):
      volume.isMuted ? "muted" : "set the volume to \(Int(bounded: (volume.level * 100).rounded())) %"
    }
  }
}
