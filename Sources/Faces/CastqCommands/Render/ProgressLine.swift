import CastProtocol
import CastSender
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqSchedule
import CastqText
import Synchronization

/// The progress line of a run, redrawn in place; off without a terminal.
final class ProgressLine: FeedingProgress {
  /// The content of the line.
  private struct Picture {
    var title = ""
    /// Nil while nothing plays.
    var status: MediaStatus?
    /// When the status arrived.
    var at = Tick.zero
    /// When the item started.
    var startedAt = Tick.zero
  }

  private let isShown: Bool
  private let clock: SiteClock
  private let time: TimeSource
  private let picture = Mutex(Picture())

  /// - Parameter clock: the clocks of the site.
  init(isShown: Bool, clock: SiteClock = SiteClock(), time: TimeSource = .continuous) {
    self.isShown = isShown
    self.clock = clock
    self.time = time
  }

  /// Advances the position every second until the task is cancelled: receivers are silent while an item plays (protocol 21.1).
  func run() async {
    guard isShown else { return }
    while (try? await time.sleep(.seconds(1))) != nil {
      if picture.withLock({ $0.status?.isMoving == true }) { drawPicture() }
    }
  }

  func show(_ report: RunnerReport) {
    guard isShown else { return }
    switch report {
    case .connecting(let endpoint):
      forgetStatus()
      draw("connecting to \(endpoint)")
    case .retrying(let error, let pause, _):
      forgetStatus()
      draw("\(error.message); trying again in \(Int(bounded: pause.seconds.rounded(.up))) s")
    case .connected: draw("connected")
    case .waiting(let outlook):
      forgetStatus()
      draw(outlook.words(hasCommands: false) { clock.text($0) } ?? "nothing on")
    case .started(_, let title, _):
      let now = time.now()
      picture.withLock { ($0.title, $0.startedAt) = (title, now) }
      draw("▶ \(title)")
    case .status(let status):
      let now = time.now()
      picture.withLock { ($0.status, $0.at) = (status, now) }
      drawPicture()
    case .ended(_, let title, let play, _):
      guard play.outcome != .finished else { return }
      clear()
      Console.say("\(play.outcome.rawValue): \(title): \(play.reasonWords ?? "")")
    case .measured, .fencePassed, .unanswered: break
    case .replaced, .sentTo, .decided, .scheduleNoted, .storeFailed, .storeCaughtUp: clear()
    }
  }

  func clear() { if isShown { Console.redraw("") } }

  private func forgetStatus() { picture.withLock { $0.status = nil } }

  private func drawPicture() {
    let picture = picture.withLock { $0 }
    guard let status = picture.status else { return }
    let now = time.now()
    let line = Self.line(
      status, title: picture.title, elapsed: now - picture.at,
      shown: (now - picture.startedAt).seconds)
    Console.redraw(line.text(columns: Console.width - 1))
  }

  /// - Parameters:
  ///   - elapsed: since the status arrived.
  ///   - shown: seconds since the item started.
  private static func line(_ status: MediaStatus, title: String, elapsed: Duration, shown: Double)
    -> FittedLine
  {
    let ad = AdProgress(status, elapsed: elapsed.seconds)
    let adWords = ad.map { "  \($0.words)" } ?? ""
    // A picture has no position: it stays, paused, for its time (protocol 21.7).
    if status.mediaInformation?.isPicture == true, !status.isLoading {
      return FittedLine("▶ ", title, "  \(ClockText.format(shown))\(adWords)")
    }
    let sign =
      switch status.playerState {
      case .playing: "▶"
      case .paused: "⏸"
      case .idle, .buffering, .loading, .unknown: "…"
      }
    let length = status.mediaInformation?.streamDuration?.seconds
    let position = status.streamPosition(after: elapsed)?.seconds
    return FittedLine("\(sign) ", title, "  \(ClockText.progress(position, of: length))\(adWords)")
  }

  private func draw(_ line: String) {
    Console.redraw(DisplayWidth.fitted(TerminalText.sanitized(line), columns: Console.width - 1))
  }
}

extension MediaStatus {
  /// Whether its line changes with time.
  fileprivate var isMoving: Bool {
    playerState == .playing || (mediaInformation?.isPicture == true && !isEnded)
  }
}
