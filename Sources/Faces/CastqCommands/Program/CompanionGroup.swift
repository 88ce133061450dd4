import CastqPrograms
import CastqText
import Glibc
import UnixSignals

/// Programs that run together: a signal ends all of them, and so does the end of one.
actor CompanionGroup {
  private enum News: Sendable {
    case signal(UnixSignal)
    case ended(String, Int32)
  }

  private var running: [String: StartedProgram] = [:]
  private var signalled: ExitStatus?
  /// The first that has ended by itself, with its exit code.
  private var first: (name: String, code: Int32)?
  private let news: AsyncStream<News>
  private let send: AsyncStream<News>.Continuation

  init() { (news, send) = AsyncStream.makeStream() }

  /// Ends what runs when one of these comes; a second one ends it at once.
  func obey(_ signals: UnixSignalsSequence) {
    Task { [send] in for await signal in signals { send.yield(.signal(signal)) } }
  }

  /// - Parameter name: what people call it.
  func add(_ name: String, _ program: StartedProgram) {
    running[name] = program
    Task { [send] in send.yield(.ended(name, await program.ending())) }
  }

  /// Waits until nothing runs any more.
  /// - Returns: the exit status and, where a program has ended by itself, what to say about it.
  func ended() async -> (exit: ExitStatus, words: String?) {
    guard !running.isEmpty else { return outcome }
    for await each in news {
      switch each {
      case .signal(let signal):
        let isSecond = signalled != nil
        signalled = signalled ?? (signal == .sigint ? .interrupted : .terminated)
        end(with: isSecond ? SIGKILL : SIGTERM)
      case .ended(let name, let code):
        running[name] = nil
        if signalled == nil, first == nil {
          // Ctrl-C is typed to the whole group, and this one may hear of it last.
          if code == ExitStatus.interrupted.rawValue {
            signalled = .interrupted
          } else {
            first = (name, code)
          }
          end(with: SIGTERM)
        }
      }
      if running.isEmpty { break }
    }
    return outcome
  }

  private func end(with signal: Int32) { running.values.forEach { $0.signal(signal) } }

  private var outcome: (exit: ExitStatus, words: String?) {
    if let signalled { return (signalled, nil) }
    guard let (name, code) = first else { return (.done, nil) }
    // What ends by itself though it should not has gone wrong.
    let exit = code == 0 ? .bug : ExitStatus(rawValue: code) ?? .bug
    return (exit, "\(name) has ended with exit code \(code)")
  }
}
