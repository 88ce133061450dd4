import Glibc

/// The HTTP validators of a file's content (RFC 9110 8.8).
package struct MediaFileVersion: Sendable, Equatable {
  /// Bytes.
  package let size: Int
  /// Strong: another size, time (in nanoseconds) or inode means another content. An atomic rename changes the inode.
  package let etag: String
  /// Seconds since 1970, UTC.
  package let modified: Int
  /// `modified` as an HTTP date; nil when an HTTP date cannot express its year.
  package let lastModified: String?

  package init(size: Int, modified: Int, nanoseconds: Int, inode: UInt64) {
    self.size = size
    self.modified = modified
    func hex(_ number: Int) -> String { String(UInt64(truncatingIfNeeded: number), radix: 16) }
    etag = "\"\(hex(size))-\(hex(modified))-\(hex(nanoseconds))-\(String(inode, radix: 16))\""
    lastModified = HTTPDate.text(secondsSince1970: modified)
  }

  init(_ facts: stat) {
    self.init(
      size: Int(facts.st_size), modified: Int(facts.st_mtim.tv_sec),
      nanoseconds: Int(facts.st_mtim.tv_nsec), inode: UInt64(facts.st_ino))
  }
}
