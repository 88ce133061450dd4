/// A picture's size and range, for `videoInfo` (protocol 6.5).
package struct VideoPicture: Sendable, Hashable {
  package var width: Int
  package var height: Int
  /// `sdr`, `hdr` or `dv`.
  package var hdrType: String

  package init(width: Int, height: Int, hdrType: String = "sdr") {
    self.width = width
    self.height = height
    self.hdrType = hdrType
  }

  /// Reads `3840x2160`, `3840x2160-hdr`, `4k` or `4k-dv`; nil for anything else.
  package init?(parsing text: some StringProtocol) {
    let parts = text.lowercased().split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let range = parts.count > 1 ? String(parts[1]) : "sdr"
    guard let size = parts.first, ["sdr", "hdr", "dv"].contains(range) else { return nil }
    let sides = size == "4k" ? [3840, 2160] : size.split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2, sides.allSatisfy({ (1...16_384).contains($0) }) else { return nil }
    self.init(width: sides[0], height: sides[1], hdrType: range)
  }

  /// The picture a medium's address asks for by `?video=4k-hdr`; nil when it does not.
  init?(markedIn url: String) {
    guard let query = url.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
    let marks = query.split(separator: "&").filter { $0.hasPrefix("video=") }
    guard let mark = marks.first else { return nil }
    self.init(parsing: mark.dropFirst(6))
  }
}
