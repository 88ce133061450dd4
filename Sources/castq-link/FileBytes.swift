import Glibc

/// Why a file could not be read or written.
struct FileFailure: Error {
  /// `errno`; `ETIMEDOUT` for a pipe into which nobody writes.
  let number: Int32

  var words: String {
    number == ETIMEDOUT ? "nobody writes into it" : String(cString: strerror(number))
  }
}

/// Whole files.
enum FileBytes {
  /// How long a pipe may say nothing, in milliseconds.
  private static let patience: Int32 = 10_000

  /// The bytes of a file; more than the limit is `EFBIG`. A pipe into which nobody writes for ten seconds is
  /// `ETIMEDOUT`.
  static func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    // Opening a pipe would otherwise wait for whoever writes into it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileFailure(number: errno) }
    defer { close(descriptor) }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      if !isFile { try wait(for: descriptor) }
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw FileFailure(number: errno) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
      if bytes.count > limit { throw FileFailure(number: EFBIG) }
    }
  }

  private static func wait(for descriptor: Int32) throws(FileFailure) {
    var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = poll(&one, 1, patience)
    if count == 0 { throw FileFailure(number: ETIMEDOUT) }
    guard count > 0 || errno == EINTR else { throw FileFailure(number: errno) }
  }

  /// Writes a file beside its place, and then renames it: a reader sees the old or the new one.
  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws(FileFailure) {
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileFailure(number: errno) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw failure(descriptor, temporary) }
      rest = rest.dropFirst(written)
    }
    guard fsync(descriptor) == 0 else { throw failure(descriptor, temporary) }
    close(descriptor)
    guard rename(temporary, path) == 0 else { throw FileFailure(number: errno) }
  }

  private static func failure(_ descriptor: Int32, _ path: String) -> FileFailure {
    let number = errno
    close(descriptor)
    unlink(path)
    return FileFailure(number: number)
  }
}
