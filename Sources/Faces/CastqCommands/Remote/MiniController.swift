import CastProtocol
import CastSender
import CastqOperations
import CastqTerminal
import CastqText
import Glibc
import Synchronization

/// The mini controller: one line that is kept up to date, and one key that does what can be done now.
///
/// It is drawn on stderr, as the progress of a run is, once a second while something plays.
final class MiniController: Sendable {
  private struct State {
    var screen: ScreenState?
    /// When the status was seen.
    var at = Tick.zero
    /// What a key has just failed to do.
    var complaint: String?
    var start = CastingStart()
  }

  /// How it ends when nothing went wrong.
  enum Ending: Sendable {
    /// The person has left, or a signal came.
    case left(ExitStatus)
    /// The expanded controller is to be opened.
    case opens
  }

  private let source: StatusSource
  private let state = Mutex(State())
  private let last = LastLine()
  private let opensWhenCasting: Bool

  /// - Parameter opensWhenCasting: whether it ends by itself when casting begins, so that the expanded controller opens.
  init(source: StatusSource, opensWhenCasting: Bool = false) {
    self.source = source
    self.opensWhenCasting = opensWhenCasting
  }

  /// Runs until a signal or `q` ends it, or the expanded controller is to be opened.
  /// - Returns: whether that is to be opened.
  func run() async throws -> Bool {
    let terminal = Terminal.hasKeys ? try? Terminal(isFullScreen: false) : nil
    defer {
      Console.redraw("")
      terminal?.close()
    }
    guard let terminal else {
      try await untilInterrupted { _ = try await self.follow() }
      return false
    }
    let ending = try await withThrowingTaskGroup(of: Ending.self) { group in
      group.addTask { try await self.follow() }
      group.addTask { await self.readKeys(of: terminal) }
      defer { group.cancelAll() }
      return try await group.next()
    }
    switch ending {
    case nil, .left(.done)?: return false
    case .left(let status)?: throw Silent(exit: status)
    case .opens?: return true
    }
  }

  private struct CastingBegins: Error {}

  private func follow() async throws -> Ending {
    do { try await followStatus() } catch is CastingBegins { return .opens }
    return .left(.done)
  }

  private func followStatus() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        try await source.follow { [self] device, seen in
          let screen = try source.workspace.state(of: device, seen.untimed)
          let now = source.time.now()
          let begins = state.withLock { state in
            (state.screen, state.at) = (screen, now)
            return state.start.receive(
              isConnected: screen.picture != nil, showing: screen.isPlaying ? screen.subject : nil)
          }
          if opensWhenCasting, begins { throw CastingBegins() }
          draw()
        }
      }
      group.addTask { [self] in
        while true {
          try await source.time.sleep(.seconds(1))
          if state.withLock({ $0.screen?.isPlaying == true }) { draw() }
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func draw() {
    let now = source.time.now()
    let state = state.withLock { $0 }
    guard let screen = state.screen else { return }
    let width = Console.width - 1
    func line(_ columns: Int) -> String {
      state.complaint.map { DisplayWidth.fitted(TerminalText.sanitized($0), columns: columns) }
        ?? screen.line(
          columns: columns, elapsed: now - state.at, hint: Terminal.hasKeys ? Self.hint(screen) : "")
    }
    let text = Terminal.isUnicode ? line(width) : ASCIIText.fitted(columns: width, line)
    if last.changes(to: text) { Console.redraw(text) }
  }

  // MARK: - Keys

  private static func hint(_ screen: ScreenState) -> String {
    "[space \(isStopped(screen) ? "stop" : screen.media?.playerState == .paused ? "play" : "pause")]"
  }

  /// Live media have no pause: what is missed is lost, and stopping says so.
  private static func isStopped(_ screen: ScreenState) -> Bool {
    screen.information?.isLive == true && screen.media?.playerState != .paused
  }

  private func readKeys(of terminal: Terminal) async -> Ending {
    for await input in terminal.input {
      switch input {
      case .event(.key(let key)):
        switch key.name {
        case .character("c") where key.hasControl: return .left(.interrupted)
        case .character("z") where key.hasControl: terminal.suspend()
        case .character("q"): return .left(.done)
        case .enter where Terminal.isAvailable: return .opens
        case .character(" "): await act()
        default: continue
        }
      case .continued: terminal.retake()
      case .ended(let signal): return .left(signal == SIGINT ? .interrupted : .terminated)
      case .event, .resized: break
      }
      _ = last.changes(to: "")
      draw()
    }
    return .left(.terminated)
  }

  /// Pauses or resumes; stops what is live.
  private func act() async {
    let screen = state.withLock { state in
      state.complaint = nil
      return state.screen
    }
    let control = LiveControl(global: source.global, workspace: source.workspace, device: source.device)
    do throws(Failure) {
      if screen.map(Self.isStopped) == true {
        try await control.stop(quits: false)
      } else {
        try await control.toggle()
      }
    } catch {
      state.withLock { $0.complaint = error.shownMessage }
    }
  }
}
