/// Paths of this computer as addresses, and back, byte by byte.
package enum FileURL {
  private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)

  /// The `file:///…` address of an absolute path.
  package static func url(forPath path: String) -> String {
    var url = "file://"
    for byte in path.utf8 {
      if unreserved.contains(byte) {
        url.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        url += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return url
  }

  /// The path behind a `file:` address; nil when it is none, or is of another computer.
  package static func path(of url: String) -> String? {
    guard url.utf8.count > 7, url.prefix(7).lowercased() == "file://" else { return nil }
    var rest = url.dropFirst(7)
    if rest.lowercased().hasPrefix("localhost/") { rest = rest.dropFirst(9) }
    guard rest.hasPrefix("/") else { return nil }
    var bytes: [UInt8] = []
    var index = rest.utf8.startIndex
    while index < rest.utf8.endIndex {
      let byte = rest.utf8[index]
      index = rest.utf8.index(after: index)
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let end = rest.utf8.index(index, offsetBy: 2, limitedBy: rest.utf8.endIndex)
      guard let end, let value = UInt8(rest[index..<end], radix: 16), value != 0 else { return nil }
      bytes.append(value)
      index = end
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
