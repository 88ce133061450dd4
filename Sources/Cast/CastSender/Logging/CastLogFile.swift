import Glibc
import Synchronization

/// Options of the log files: one file that grows, and older ones with `.1`, `.2` … appended to their name (protocol 17.8).
public struct CastLogFileOptions: Sendable, Hashable {
  /// The newest file.
  public let path: String
  /// A file is rotated before it exceeds this size. Bytes, 32 KiB at least.
  public let maximumFileSize: Int
  /// Files kept, the newest included; 2 at least.
  public let maximumFileCount: Int

  /// Creates options; values below the minimum are raised to it.
  public init(path: String, maximumFileSize: Int = 2 << 20, maximumFileCount: Int = 2) {
    self.path = path
    self.maximumFileSize = max(maximumFileSize, 32 << 10)
    self.maximumFileCount = min(max(maximumFileCount, 2), 1000)
  }
}

/// A log file that cannot be written.
public struct CastLogFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// The operating system's message.
  public var reason: String

  /// A message for a person.
  public var description: String { "cannot write the log file \(path): \(reason)" }
}

/// The files of `CastLogFileOptions`. Only their owner may read them. What cannot be written is dropped: a full disk must not stop
/// the program that logs.
final class CastLogFile: Sendable {
  private struct State {
    var descriptor: Int32
    var size: Int
  }

  let options: CastLogFileOptions
  private let state: Mutex<State>

  init(_ options: CastLogFileOptions) throws(CastLogFileError) {
    self.options = options
    guard let opened = Self.open(options.path) else {
      throw CastLogFileError(path: options.path, reason: String(cString: strerror(errno)))
    }
    state = Mutex(opened)
  }

  deinit { state.withLock { _ = close($0.descriptor) } }

  /// Appends one line.
  func write(_ line: String) {
    let bytes = Array(line.utf8)
    state.withLock { state in
      if state.size > 0, state.size + bytes.count > options.maximumFileSize { rotate(&state) }
      if state.descriptor < 0, let opened = Self.open(options.path) { state = opened }
      guard state.descriptor >= 0 else { return }
      state.size += Self.write(bytes, to: state.descriptor)
    }
  }

  /// Renames each file to the next number; the last one is overwritten.
  private func rotate(_ state: inout State) {
    for number in stride(from: options.maximumFileCount - 1, to: 1, by: -1) {
      _ = rename("\(options.path).\(number - 1)", "\(options.path).\(number)")
    }
    if rename(options.path, "\(options.path).1") == 0 {
      close(state.descriptor)
      state = Self.open(options.path) ?? State(descriptor: -1, size: 0)
    } else if ftruncate(state.descriptor, 0) == 0 {
      // The folder does not allow renaming: truncating is better than unlimited growth.
      state.size = 0
    }
  }

  private static func open(_ path: String) -> State? {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    fstat(descriptor, &status)
    return State(descriptor: descriptor, size: Int(status.st_size))
  }

  /// Writes one line to standard error.
  static func writeToStandardError(_ line: String) { _ = write(Array(line.utf8), to: STDERR_FILENO) }

  /// - Returns: number of bytes written.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int {
    var count = 0
    while count < bytes.count {
      let written = bytes[count...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { break }
      count += written
    }
    return count
  }
}
