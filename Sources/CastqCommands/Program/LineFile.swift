import CastqCore
import Glibc

/// A file of lines that is written from its beginning to its end.
struct LineFile {
  private let path: String?
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Replaces the file at a path; nil and `-` are standard output.
  init(_ path: String?) throws(Failure) {
    self.path = path == "-" ? nil : path
    guard let path = self.path else {
      descriptor = STDOUT_FILENO
      return
    }
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw Failure(
        "cannot_create", "cannot write \(path): \(String(cString: strerror(errno)))", exit: .cannotCreate)
    }
  }

  mutating func write(_ line: String) throws(Failure) {
    buffer += Array(line.utf8)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Writes what waits. Lines are on the disk when it returns.
  mutating func close() throws(Failure) {
    try flush()
    guard path != nil else { return }
    let isSynchronised = fsync(descriptor) == 0 || errno == EINVAL
    let reason = errno
    guard Glibc.close(descriptor) == 0, isSynchronised else { throw failure(reason) }
  }

  private mutating func flush() throws(Failure) {
    var rest = buffer[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw failure(errno) }
      rest = rest.dropFirst(written)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func failure(_ reason: Int32) -> Failure {
    Failure(
      "input_output", "cannot write \(path ?? "to standard output"): \(String(cString: strerror(reason)))",
      exit: .inputOutput)
  }
}

/// Reads a file line by line, in memory that does not depend on its length.
struct LineReader {
  /// What comes next in the file.
  enum Line {
    case line([UInt8])
    /// A line that is longer than the limit.
    case overlong
  }

  private let path: String
  private let descriptor: Int32
  private let limit: Int
  private var piece = [UInt8](repeating: 0, count: 1 << 16)
  private var rest: ArraySlice<UInt8> = []
  private var line: [UInt8] = []
  private var isOverlong = false

  /// - Parameter limit: the most bytes of a line.
  init(_ path: String, limit: Int) throws(Failure) {
    self.path = path
    self.limit = limit
    descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(
        "input_missing", "cannot read \(path): \(String(cString: strerror(errno)))", exit: .inputMissing)
    }
  }

  func close() { _ = Glibc.close(descriptor) }

  /// The next line, without its line feed; nil at the end.
  mutating func next() throws(Failure) -> Line? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        append(rest[..<end])
        rest = rest[(end + 1)...]
        return take()
      }
      append(rest)
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR {
        rest = []
        continue
      }
      guard count >= 0 else {
        throw Failure(
          "input_output", "cannot read \(path): \(String(cString: strerror(errno)))", exit: .inputOutput)
      }
      rest = piece[..<count]
      if count == 0 { return line.isEmpty && !isOverlong ? nil : take() }
    }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard !isOverlong, line.count + bytes.count <= limit else {
      isOverlong = true
      line = []
      return
    }
    line += bytes
  }

  private mutating func take() -> Line {
    defer {
      line = []
      isOverlong = false
    }
    return isOverlong ? .overlong : .line(line)
  }
}
