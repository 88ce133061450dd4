import CastqPaths
package import CastqText
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
    descriptor = open(PathText.system(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
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
package struct LineReader {
  /// What comes next in the file.
  package enum Line {
    case line([UInt8])
    /// A line that is longer than the limit.
    case overlong
    /// A line that has no end within `longest`. Nothing behind it is read.
    case endless
  }

  /// Bytes of a line that are passed over to find its end.
  private static let longest = 64 << 20

  private let file: InputFile
  private let limit: Int
  private var piece = [UInt8](repeating: 0, count: 1 << 16)
  private var rest: ArraySlice<UInt8> = []
  private var line: [UInt8] = []
  /// Bytes of the line so far, including those that were passed over.
  private var length = 0

  /// - Parameter limit: the most bytes of a line.
  package init(_ file: InputFile, limit: Int) {
    self.file = file
    self.limit = limit
  }

  /// The next line, without its line feed; nil at the end.
  package mutating func next() throws(Failure) -> Line? {
    while length <= Self.longest {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        append(rest[..<end])
        rest = rest[(end + 1)...]
        return take()
      }
      append(rest)
      let count = try file.read(into: &piece)
      rest = piece[..<count]
      if count == 0 { return length == 0 ? nil : take() }
    }
    return .endless
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    length += bytes.count
    if length <= limit { line += bytes } else { line = [] }
  }

  private mutating func take() -> Line {
    defer { (line, length) = ([], 0) }
    return length > limit ? .overlong : .line(line)
  }
}
