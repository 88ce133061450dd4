import CastqPaths
package import CastqText
import Glibc

/// A file that a person names as input: a regular one, a pipe that somebody writes to, or standard input.
///
/// Devices are refused, because they may never end, and a pipe to which nobody writes is left after a while. What a shell gives for `<(…)` is a
/// pipe.
package struct InputFile {
  package let descriptor: Int32
  /// As it was given.
  package let path: String
  private let patience: Duration
  private let isPipe: Bool

  /// Opens a file; `-` is standard input.
  /// - Parameter patience: how long a pipe may say nothing.
  package init(_ path: String, patience: Duration) throws(Failure) {
    self.path = path
    self.patience = patience
    guard path != "-" else {
      descriptor = dup(STDIN_FILENO)
      isPipe = false
      guard descriptor >= 0 else { throw Self.missing(path, String(cString: strerror(errno))) }
      return
    }
    // Opening a pipe would otherwise wait for whoever writes to it.
    descriptor = open(PathText.system(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.missing(path, String(cString: strerror(errno))) }
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    switch status.st_mode & S_IFMT {
    case S_IFREG where isKnown: isPipe = false
    case S_IFIFO where isKnown: isPipe = true
    case let kind:
      Glibc.close(descriptor)
      let words = kind == S_IFDIR ? "it is a directory" : "it is a device, not a file; `-` is standard input"
      throw Self.missing(path, words)
    }
  }

  package func close() { _ = Glibc.close(descriptor) }

  /// Reads the next bytes into a piece.
  /// - Returns: how many; 0 at the end.
  package func read(into piece: inout [UInt8]) throws(Failure) -> Int {
    while true {
      try awaitBytes()
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count >= 0 { return count }
      guard errno == EINTR || errno == EAGAIN else {
        throw Failure(
          "input_output", "cannot read \(path): \(String(cString: strerror(errno)))", exit: .inputOutput)
      }
    }
  }

  /// The whole file, or a little more than the limit.
  package func bytes(limit: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = try read(into: &piece)
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// A whole file. A pipe may say nothing for ten seconds.
  /// - Throws: `input_missing` also for one that is longer than the limit.
  package static func bytes(of path: String, limit: Int) throws(Failure) -> [UInt8] {
    let file = try InputFile(path, patience: .seconds(10))
    defer { file.close() }
    let bytes = try file.bytes(limit: limit)
    guard bytes.count <= limit else { throw missing(path, String(cString: strerror(EFBIG))) }
    return bytes
  }

  private func awaitBytes() throws(Failure) {
    guard isPipe else { return }
    var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&question, 1, Int32(clamping: patience.components.seconds * 1000)) == 0 else { return }
    throw Self.missing(path, "nothing was written to the pipe for \(patience.components.seconds) s")
  }

  private static func missing(_ path: String, _ words: String) -> Failure {
    Failure("input_missing", "cannot read \(path): \(words)", exit: .inputMissing)
  }
}
