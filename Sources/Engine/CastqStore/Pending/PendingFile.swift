import CastqFeeding
import CastqFiles
import Glibc
import Synchronization

/// A file beside the database for what a process could not write until its end. One process has it, from its start to its end.
///
/// It is as long as its room from the beginning, so that a disk that fills up meanwhile does not matter: what is not written is zeros.
final class PendingFile: Sendable {
  let path: String
  private let descriptor: Int32
  /// What is in it.
  private let state: Mutex<PendingContents>

  /// The bytes that are kept free for each device: a night of short clips is about as much.
  static let room = 64 << 10

  /// Opens the file, and makes it if it is this process's own.
  /// - Returns: nil when another process has it, or when it is gone.
  init?(path: String, isOwn: Bool) throws(OwnFileError) {
    self.path = path
    let descriptor: Int32
    do throws(OwnFileError) { descriptor = try OwnFile.open(path, for: isOwn ? .keeping : .changing) } catch {
      if error.problem == .system(ENOENT) { return nil }
      throw error
    }
    // Its last holder may have removed it between the two calls.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isStill(path, descriptor) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    state = Mutex(PendingContents(Self.bytes(of: descriptor)))
  }

  deinit {
    // A program that is just being started has the descriptor for a moment, too.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  var contents: PendingContents { state.withLock { $0 } }

  /// Makes the file so long that what may come finds room, and removes what was half written at its end.
  /// - Returns: false when the disk has no room.
  func reserve(devices: Int) -> Bool {
    let end = contents.end
    let wanted = Self.room.multipliedReportingOverflow(by: max(devices, 1))
    guard !wanted.overflow, wanted.partialValue < PendingContents.limit else { return false }
    if contents.isTorn { ftruncate(descriptor, off_t(end)) }
    return posix_fallocate(descriptor, off_t(end), off_t(wanted.partialValue)) == 0
  }

  /// Adds a batch. It is on the disk, and found there by its name, when this returns.
  func append(_ batch: PendingBatch) throws(OwnFileError) {
    let contents = contents
    let bytes = contents.bytes(adding: batch)
    // Of a line that was half written nothing may stay behind the new ones.
    if contents.isTorn { ftruncate(descriptor, off_t(contents.end)) }
    guard Self.write(bytes, to: descriptor, at: contents.end), fsync(descriptor) == 0 else {
      let reason = errno
      // Some of its lines may be there, and the whole of it waits for another attempt.
      ftruncate(descriptor, off_t(contents.end))
      throw OwnFileError(path: path, problem: .system(reason))
    }
    OwnFile.synchronizeFolder(of: path)
    state.withLock { $0 = PendingContents(Self.bytes(of: descriptor)) }
  }

  /// Empties the file, because what is in it has been written elsewhere, and keeps room free again. A damaged one of which there is no
  /// copy stays as it is.
  func clear(reserving devices: Int) {
    if contents.damage != nil { return state.withLock { $0 = $0.done } }
    ftruncate(descriptor, 0)
    fsync(descriptor)
    state.withLock { $0 = PendingContents([]) }
    _ = reserve(devices: devices)
  }

  /// Nobody needs it any more.
  func remove() {
    if contents.damage != nil { return state.withLock { $0 = $0.done } }
    guard Self.isStill(path, descriptor) else { return }
    unlink(path)
    OwnFile.synchronizeFolder(of: path)
  }

  /// Copies a damaged file to a name under which nothing of it is used, and removes what cannot be relied on.
  /// - Returns: that name; nil when no copy could be made, and the file stays as it is.
  func setAside() -> String? {
    for number in 1...99 {
      let copy = "\(path).damaged-\(number)"
      guard access(copy, F_OK) != 0 else { continue }
      let bytes = Self.bytes(of: descriptor)
      do throws(OwnFileError) { try OwnFile.replace(copy, with: bytes) } catch { return nil }
      ftruncate(descriptor, off_t(contents.end))
      fsync(descriptor)
      state.withLock { $0 = PendingContents(Self.bytes(of: descriptor)) }
      return copy
    }
    return nil
  }

  private static func bytes(of descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < PendingContents.limit {
      let count = pread(descriptor, &piece, piece.count, off_t(bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, at place: Int) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(place + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  private static func isStill(_ path: String, _ descriptor: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return lstat(path, &named) == 0 && fstat(descriptor, &opened) == 0
      && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
  }
}
