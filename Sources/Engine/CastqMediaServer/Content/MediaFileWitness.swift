/// Recognizes a file that is overwritten while it is served.
///
/// A file that is replaced by a rename needs none: the open one keeps its content. One that is written to may grow, as a recording does;
/// then its first bytes stay. One that becomes shorter, or whose first sent bytes are others, is another file.
struct MediaFileWitness {
  /// Bytes that are compared: enough that two files of the same kind differ. They are about to be sent, so reading them costs no wait for
  /// the disk.
  private static let length = 4096

  private let range: Range<Int>
  /// Nil when the bytes could not be read.
  private let digest: Int?
  private let size: Int
  private var modified: MediaFileStamp.Moment

  /// - Parameters:
  ///   - offset: where the response begins in the file.
  ///   - bytes: receives the bytes that are compared, which begin there; empty when they could not be read.
  init(_ file: MediaFile, at offset: Int, bytes: inout [UInt8]) {
    let (end, over) = offset.addingReportingOverflow(Self.length)
    range = offset..<max(offset, min(over ? file.version.size : end, file.version.size))
    size = file.version.size
    modified = file.modified
    let read = file.bytes(range)
    digest = read.map(Self.digest)
    bytes = read ?? []
  }

  /// Whether the file has the content it had at the beginning. Bytes are read only after a write to the file.
  mutating func confirms(_ file: MediaFile) -> Bool {
    // With less than was promised, sendfile would send nothing for ever, without an error.
    guard let stamp = file.stamp, stamp.size >= size else { return false }
    guard stamp.modified != modified else { return true }
    guard let digest, file.bytes(range).map(Self.digest) == digest else { return false }
    modified = stamp.modified
    return true
  }

  /// For comparison within this process, which needs no memory for the bytes.
  private static func digest(_ bytes: [UInt8]) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
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
