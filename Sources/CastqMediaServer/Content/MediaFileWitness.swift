/// Recognizes a file that is overwritten while it is served.
///
/// A file that is replaced by a rename needs none: the open one keeps its content. One that is written to may grow, as a recording does;
/// then its first bytes stay. One that becomes shorter, or whose first sent bytes are others, is another file.
struct MediaFileWitness {
  /// Bytes that are compared: enough that two files of the same kind differ. They are about to be sent, so reading them costs no wait for
  /// the disk.
  private static let length = 4096

  private let range: Range<Int>
  private let digest: Int?
  private let size: Int
  private var modified: MediaFileStamp.Moment

  /// - Parameter offset: where the response begins in the file.
  init(_ file: MediaFile, at offset: Int) {
    let (end, over) = offset.addingReportingOverflow(Self.length)
    range = offset..<max(offset, min(over ? file.version.size : end, file.version.size))
    size = file.version.size
    modified = file.modified
    digest = file.digest(of: range)
  }

  /// Whether the file has the content it had at the beginning. Bytes are read only after a write to the file.
  mutating func confirms(_ file: MediaFile) -> Bool {
    // With less than was promised, sendfile would send nothing for ever, without an error.
    guard let stamp = file.stamp, stamp.size >= size else { return false }
    guard stamp.modified != modified else { return true }
    guard let digest, file.digest(of: range) == digest else { return false }
    modified = stamp.modified
    return true
  }
}

/// What a write to a file changes.
struct MediaFileStamp: Equatable {
  struct Moment: Equatable {
    let seconds: Int
    let nanoseconds: Int
  }

  /// Bytes.
  let size: Int
  let modified: Moment
}
