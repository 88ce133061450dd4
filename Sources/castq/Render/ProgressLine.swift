import CastProtocol
import CastqCore
import CastqDaemon
import Synchronization

/// One line that says what plays, redrawn in place; silent where there is no terminal.
final class ProgressLine: Sendable {
  private let isShown: Bool
  private let title = Mutex("")

  init(isShown: Bool) { self.isShown = isShown }

  func show(_ report: RunnerReport) {
    guard isShown else { return }
    switch report {
    case .connecting(let endpoint): draw("connecting to \(endpoint)")
    case .retrying(let error, let pause):
      draw("\(error.message); trying again in \(Int(pause.seconds.rounded(.up))) s")
    case .connected: draw("connected")
    case .started(_, let title):
      self.title.withLock { $0 = title }
      draw("▶ \(title)")
    case .status(let status): draw(Self.line(status, title: title.withLock { $0 }))
    case .ended(_, let title, let play, _):
      guard play.outcome != .finished else { return }
      clear()
      Console.say(TerminalText.sanitized("\(play.outcome.rawValue): \(title): \(play.reason?.words ?? "")"))
    }
  }

  func clear() { if isShown { Console.redraw("") } }

  private static func line(_ status: MediaStatus, title: String) -> String {
    let sign =
      switch status.playerState {
      case .playing: "▶"
      case .paused: "⏸"
      default: "…"
      }
    let position = status.streamPosition.map { ClockText.format($0.seconds) } ?? "-:--"
    let length = status.mediaInformation?.streamDuration.map { " / \(ClockText.format($0.seconds))" } ?? ""
    return "\(sign) \(title)  \(position)\(length)"
  }

  private func draw(_ line: String) {
    Console.redraw(TerminalText.excerpt(line, limit: Console.width - 1))
  }
}
