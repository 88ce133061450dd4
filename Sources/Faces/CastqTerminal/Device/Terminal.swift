import CTerminal
import Dispatch
import Glibc
import Synchronization

/// The terminal of the program, in the full screen: the one place that reads from it, writes to it and changes its mode.
///
/// It is given back as it was on every way out: `close`, exit, signals and crashes.
package final class Terminal: Sendable {
  /// What comes from the terminal.
  package enum Input: Sendable, Hashable {
    case event(TerminalEvent)
    /// Its size is another one now.
    case resized
    /// The process was stopped and continues: the screen shows something else.
    case continued
    /// The process must end: the number of the signal, or SIGHUP when the terminal is gone.
    case ended(signal: Int32)
  }

  package struct Unavailable: Error {
    /// Why, in the system's words.
    package var words: String
  }

  /// What comes from the terminal, in its order. What nobody reads is bounded: the oldest 4,096 stay.
  package let input: AsyncStream<Input>

  private let output = DispatchQueue(label: "castq.terminal.output")
  private let slot: Mutex<Slot>

  private struct Slot {
    var writer: ScreenWriter
    /// The newest screen that is not shown; nil when all are.
    var next: Screen?
    var isScheduled = false
  }

  /// Whether standard input and output are a terminal on which a full screen can be drawn.
  package static var isAvailable: Bool {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return false }
    guard let type = getenv("TERM").map({ String(cString: $0) }) else { return false }
    if let colour = getenv("NO_COLOR"), colour.pointee != 0 { return false }
    return !type.isEmpty && type != "dumb"
  }

  /// Whether the terminal's characters are those of Unicode, by the locale of the environment.
  package static var isUnicode: Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let value = getenv(name).map({ String(cString: $0).lowercased() }), !value.isEmpty else {
        continue
      }
      return value.contains("utf-8") || value.contains("utf8")
    }
    return false
  }

  /// Columns and rows; 80 × 24 where the terminal does not say.
  package static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Whether keys can be read one by one: standard input is a terminal, and this process is the one that it listens to.
  package static var hasKeys: Bool { isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp() }

  private static let enter = StaticText(TerminalModes.enter)
  private static let leave = StaticText(TerminalModes.leave)
  private static let nothing = StaticText("")

  /// Takes the terminal.
  /// - Parameters:
  ///   - isFullScreen: whether the whole screen is drawn; otherwise only keys are read one by one, without being shown.
  ///   - palette: the colours of the screen.
  package init(
    isFullScreen: Bool = true, palette: TerminalPalette = TerminalPalette()
  ) throws(Unavailable) {
    slot = Mutex(Slot(writer: ScreenWriter(palette)))
    let signals = castq_terminal_take(
      STDIN_FILENO, STDOUT_FILENO, isFullScreen ? Self.enter.pointer : Self.nothing.pointer,
      isFullScreen ? Self.leave.pointer : Self.nothing.pointer)
    guard signals >= 0 else { throw Unavailable(words: String(cString: strerror(errno))) }
    let (stream, continuation) = AsyncStream.makeStream(
      of: Input.self, bufferingPolicy: .bufferingOldest(4096))
    input = stream
    DispatchQueue(label: "castq.terminal.input").async { Self.read(signals, continuation) }
  }

  /// Gives the terminal back.
  package func close() {
    output.sync {}
    castq_terminal_give_back()
  }

  /// Stops the process, as Ctrl-Z does in a shell; returns when it is continued.
  package func suspend() {
    output.sync { castq_terminal_suspend() }
    slot.withLock { $0.writer.invalidate() }
  }

  /// Takes the terminal again after the process was stopped by somebody else.
  package func retake() {
    output.sync { castq_terminal_retake() }
    slot.withLock { $0.writer.invalidate() }
  }

  /// The terminal draws what stands between two marks at once.
  package func synchronise() { slot.withLock { $0.writer.isSynchronised = true } }

  /// Shows a screen. Never waits: of several screens that a slow terminal has not drawn yet, the newest counts.
  package func show(_ screen: Screen) {
    let isFirst = slot.withLock { slot in
      slot.next = screen
      defer { slot.isScheduled = true }
      return !slot.isScheduled
    }
    guard isFirst else { return }
    output.async { [self] in
      let bytes = slot.withLock { slot -> String in
        slot.isScheduled = false
        guard let next = slot.next else { return "" }
        slot.next = nil
        return slot.writer.update(to: next)
      }
      Self.write(bytes)
    }
  }

  private static func write(_ text: String) {
    var bytes = ArraySlice(text.utf8)
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      if written < 0, errno == EAGAIN {
        var wait = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, 1000)
        continue
      }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }

  // MARK: - Reading

  /// Time after which an escape that begins no sequence is the key. Milliseconds.
  private static let escapePatience: Int32 = 40

  private static func read(_ signals: Int32, _ inputs: AsyncStream<Input>.Continuation) {
    var parser = KeyParser()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var waits = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waits, 2, parser.isWaiting ? escapePatience : -1)
      if ready < 0, errno == EINTR { continue }
      if ready == 0 { parser.flush().forEach { inputs.yield(.event($0)) } }
      if waits[1].revents != 0 { readSignals(signals, &buffer, inputs) }
      guard waits[0].revents != 0 else { continue }
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else {
        inputs.yield(.ended(signal: SIGHUP))
        return inputs.finish()
      }
      parser.read(buffer[..<count]).forEach { inputs.yield(.event($0)) }
    }
  }

  /// A storm of signals of one kind is one input.
  private static func readSignals(
    _ signals: Int32, _ buffer: inout [UInt8], _ inputs: AsyncStream<Input>.Continuation
  ) {
    let count = Glibc.read(signals, &buffer, buffer.count)
    guard count > 0 else { return }
    for number in Set(buffer[..<count]).sorted() {
      switch Int32(number) {
      case SIGWINCH: inputs.yield(.resized)
      case SIGCONT: inputs.yield(.continued)
      case SIGTSTP: inputs.yield(.event(.key(TerminalKey(.character("z"), control: true))))
      case let other: inputs.yield(.ended(signal: other))
      }
    }
  }
}

/// A text that C keeps for the life of the program.
// Its bytes are written before anybody has the pointer, never changed and never freed.
private struct StaticText: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<CChar>?

  init(_ text: String) { pointer = strdup(text) }
}
