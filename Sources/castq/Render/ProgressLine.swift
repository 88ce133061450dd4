import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import Synchronization

/// One line that says what plays, redrawn in place; silent where there is no terminal.
final class ProgressLine: Sendable {
  /// What the line is made of.
  private struct Picture {
    var title = ""
    /// Nil while nothing is on the screen.
    var status: MediaStatus?
    /// When the status came.
    var at = Tick.zero
  }

  private let isShown: Bool
  private let time: TimeSource
  private let picture = Mutex(Picture())

  init(isShown: Bool, time: TimeSource = .continuous) {
    self.isShown = isShown
    self.time = time
  }

  /// Lets the position run on until the task is cancelled: receivers are silent while an item plays (protocol 21.1).
  func run() async {
    guard isShown else { return }
    while (try? await time.sleep(.seconds(1))) != nil {
      if picture.withLock({ $0.status?.playerState == .playing }) { drawPicture() }
    }
  }

  func show(_ report: RunnerReport) {
    guard isShown else { return }
    switch report {
    case .connecting(let endpoint):
      forgetStatus()
      draw("connecting to \(endpoint)")
    case .retrying(let error, let pause):
      forgetStatus()
      draw("\(error.message); trying again in \(Int(pause.seconds.rounded(.up))) s")
    case .connected: draw("connected")
    case .waiting(let until):
      forgetStatus()
      draw("nothing is due before \(RFC3339.text(until))")
    case .started(_, let title):
      picture.withLock { $0.title = title }
      draw("▶ \(title)")
    case .status(let status):
      let now = time.now()
      picture.withLock { ($0.status, $0.at) = (status, now) }
      drawPicture()
    case .ended(_, let title, let play, _):
      guard play.outcome != .finished else { return }
      clear()
      Console.say(TerminalText.sanitized("\(play.outcome.rawValue): \(title): \(play.reason?.words ?? "")"))
    case .storeFailed, .storeCaughtUp: clear()
    }
  }

  func clear() { if isShown { Console.redraw("") } }

  private func forgetStatus() { picture.withLock { $0.status = nil } }

  private func drawPicture() {
    let picture = picture.withLock { $0 }
    guard let status = picture.status else { return }
    draw(Self.line(status, title: picture.title, elapsed: (time.now() - picture.at).seconds))
  }

  private static func line(_ status: MediaStatus, title: String, elapsed: Double) -> String {
    let sign =
      switch status.playerState {
      case .playing: "▶"
      case .paused: "⏸"
      default: "…"
      }
    let end = status.mediaInformation?.streamDuration?.seconds ?? .infinity
    let ad = AdProgress(status, elapsed: elapsed)
    // The content waits while an ad plays.
    let moved = status.playerState == .playing && ad == nil ? elapsed * status.playbackRate : 0
    let position = status.streamPosition.map { ClockText.format(min($0.seconds + moved, end)) } ?? "-:--"
    let length = status.mediaInformation?.streamDuration.map { " / \(ClockText.format($0.seconds))" } ?? ""
    return "\(sign) \(title)  \(position)\(length)\(ad.map { "  \($0.words)" } ?? "")"
  }

  private func draw(_ line: String) {
    Console.redraw(TerminalText.excerpt(line, limit: Console.width - 1))
  }
}
