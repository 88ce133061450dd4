/// The body of a response with bytes of a file: its parts, with what stands before and after them.
struct MediaBody: Equatable {
  struct Part: Equatable {
    /// The delimiter and the header of a part; empty unless there are several parts.
    var heading = ""
    /// Half-open range of the file, never empty.
    var range: Range<Int>
  }

  /// At least one.
  let parts: [Part]
  /// The last delimiter; empty unless there are several parts.
  let ending: String
  /// Bytes in all, headings included.
  let length: Int

  /// One part, plain.
  init(_ range: Range<Int>) {
    parts = [Part(range: range)]
    ending = ""
    length = range.count
  }

  /// A body of the type `multipart/byteranges` (RFC 9110 14.6).
  ///
  /// Nil without a part, or when a size in bytes could not express its length, as with a sparse file that is as large as files can be.
  /// - Parameters:
  ///   - size: the size of the whole file.
  ///   - boundary: text that is not in the file; random, because nobody looks.
  init?(_ ranges: [Range<Int>], contentType: String, size: Int, boundary: String) {
    guard !ranges.isEmpty else { return nil }
    parts = ranges.enumerated().map { index, range in
      let heading =
        (index == 0 ? "" : "\r\n") + "--\(boundary)\r\nContent-Type: \(contentType)\r\n"
        + "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)\r\n\r\n"
      return Part(heading: heading, range: range)
    }
    ending = "\r\n--\(boundary)--\r\n"
    var length = ending.utf8.count
    for part in parts {
      for count in [part.heading.utf8.count, part.range.count] {
        let (sum, over) = length.addingReportingOverflow(count)
        guard !over else { return nil }
        length = sum
      }
    }
    self.length = length
  }

  /// Offset of the first byte in the file.
  var offset: Int { parts[0].range.lowerBound }
}
