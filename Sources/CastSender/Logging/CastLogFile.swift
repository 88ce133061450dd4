import Glibc
import Synchronization

/// Where records are kept: one file that grows, and older ones with `.1`, `.2` … behind their name (protocol 17.8).
public struct CastLogFileOptions: Sendable, Hashable {
  /// The newest file.
  public let path: String
  /// A file that would grow beyond this is put aside. Bytes, 32 KiB at least.
  public let maximumFileSize: Int
  /// Files kept, the newest included; 2 at least.
  public let maximumFileCount: Int

  /// Values below what is allowed are brought up to it.
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
  /// The operating system's words.
  public var reason: String

  /// One sentence for a person.
  public var description: String { "cannot write the log file \(path): \(reason)" }
}

/// The files behind `CastLogFileOptions`. Only its owner may read them. What cannot be written is dropped: a full disk must not
/// stop what is logged about.
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

  /// Every file moves up by one; the last one is overwritten.
  private func rotate(_ state: inout State) {
    for number in stride(from: options.maximumFileCount - 1, to: 1, by: -1) {
      _ = rename("\(options.path).\(number - 1)", "\(options.path).\(number)")
    }
    if rename(options.path, "\(options.path).1") == 0 {
      close(state.descriptor)
      state = Self.open(options.path) ?? State(descriptor: -1, size: 0)
    } else if ftruncate(state.descriptor, 0) == 0 {
      // A folder that takes no new names: to start over is better than to grow for ever.
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

  /// One line for whoever looks at standard error.
  static func writeToStandardError(_ line: String) { _ = write(Array(line.utf8), to: STDERR_FILENO) }

  /// Bytes written.
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
