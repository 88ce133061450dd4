/// A version of a local file: what was read of it holds as long as its size and its time do.
package struct ProbedFile: Sendable, Hashable {
  /// Absolute.
  package var path: String
  /// Bytes.
  package var size: Int64
  /// The last change of its content, in nanoseconds since 1970.
  package var modified: Int64

  package init(path: String, size: Int64, modified: Int64) {
    self.path = path
    self.size = size
    self.modified = modified
  }
}

/// What is remembered of a version of a file.
package enum ProbeResult: Sendable, Hashable {
  case media(MediaProbe)
  /// It is no media that `ffprobe` reads, for this reason in words.
  case notMedia(String)

  /// What the file is made of; nil when it is no media.
  package var probe: MediaProbe? {
    if case .media(let probe) = self { probe } else { nil }
  }
}
