import CastProtocol
import CastSender
import CastqOutput
import CastqTerminal
import CastqText
import Glibc

/// Output: data goes to stdout, messages go to stderr.
///
/// Writes are unbuffered: nothing is lost when the process is killed, and a closed pipe ends the program quietly instead of
/// with a signal. A program that feeds or serves has its messages written by a thread of their own (`Logging.beginService`).
struct Console: Sendable {
  /// Whether stdout is a terminal with cursor movement.
  static let isTerminal = isatty(STDOUT_FILENO) == 1 && Self.canMoveCursor
  /// Whether stderr is a terminal with cursor movement.
  static let talksToTerminal = isatty(STDERR_FILENO) == 1 && Self.canMoveCursor

  private static let canMoveCursor: Bool = {
    guard let term = getenv("TERM") else { return false }
    return String(cString: term) != "dumb"
  }()

  /// Prints one line of data. A write error ends the program, so that a truncated report does not look complete.
  static func print(_ line: String) { printLines(line + "\n") }

  /// Prints a line for people: sanitized and without the secrets of addresses, for others look on.
  static func printWords(_ line: String) { print(TerminalText.sanitized(AddressText.withoutSecrets(line))) }

  /// What a command prints for one device of several, beside which its messages are said as always; nil prints at once.
  @TaskLocal static var printed: PrintedOutput?

  /// Prints lines of data, each ending in a line feed. A feeder that is left behind does not end with the command.
  static func printLines(_ text: String) {
    if let printed { return printed.print(text) }
    if StandardStream.print(text, by: "castq") { return }
    if !LeftFeeder.leave(.inputOutput) { Glibc.exit(ExitStatus.inputOutput.rawValue) }
  }

  /// Prints a document on one line; what cannot be seen is escaped.
  static func print(_ document: JSONValue) { print(escaped(document.text)) }

  /// The text of a document in which what cannot be seen is escaped: control characters, marks of direction, invisible ones.
  static func escaped(_ text: String) -> String { TerminalText.escaped(document: text) }

  /// Prints a message on one line.
  static func say(_ line: String) { StandardStream.sayWords(line) }

  /// Writes a question, behind which a person types the answer.
  static func prompt(_ question: String) { StandardStream.redraw(TerminalText.sanitized(question)) }

  /// Redraws the progress line.
  static func redraw(_ line: String) { StandardStream.redraw("\r\u{1B}[2K" + line) }

  /// Waits until nobody reads standard output any more: the other end of its pipe is closed, or its terminal is gone.
  /// - Returns: false if the task was cancelled, or what is printed is read within this program.
  static func readerEnded() async -> Bool {
    if printed != nil { return false }
    while !hasNoReader {
      do { try await TimeSource.continuous.sleep(.seconds(1)) } catch { return false }
    }
    return true
  }

  /// A pipe without a reader reports an error, and a socket or a terminal that the other end has left hangs up.
  private static var hasNoReader: Bool {
    var question = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    guard poll(&question, 1, 0) > 0 else { return false }
    return Int32(question.revents) & (POLLERR | POLLHUP) != 0
  }

  /// Columns of the terminal; 80 if unknown.
  static var width: Int { size.map { Int($0.ws_col) } ?? 80 }

  /// Lines of the terminal; 24 if unknown.
  static var height: Int { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } ?? 24 }

  /// The terminal on stdout; nil if stdout is not a terminal, and then nothing may be cut.
  static var dataTerminal: OutputTerminal? {
    guard isTerminal, let size = size(of: STDOUT_FILENO) else { return nil }
    return OutputTerminal(
      columns: Int(size.ws_col), isColoured: Ink.isOnStdout, isUnicode: Terminal.isUnicode)
  }

  private static var size: winsize? { size(of: STDERR_FILENO) }

  private static func size(of descriptor: Int32) -> winsize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return size
  }
}
