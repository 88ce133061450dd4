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
    let parts = [
      UInt64(truncatingIfNeeded: size), UInt64(truncatingIfNeeded: modified),
      UInt64(truncatingIfNeeded: nanoseconds), inode,
    ]
    etag = "\"" + parts.map { String($0, radix: 16) }.joined(separator: "-") + "\""
    lastModified = HTTPDate.text(secondsSince1970: modified)
  }

  init(_ facts: stat) {
    self.init(
      size: Int(facts.st_size), modified: Int(facts.st_mtim.tv_sec),
      nanoseconds: Int(facts.st_mtim.tv_nsec), inode: UInt64(facts.st_ino))
  }
}
