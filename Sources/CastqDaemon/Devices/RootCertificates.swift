import FoundationEssentials
import Glibc

/// Certificates that somebody trusts, read from a file: PEM with any number of them, or one in DER.
package enum RootCertificates {
  /// More than this is no list of root certificates. Bytes.
  private static let limit = 1 << 20

  /// What is wrong with a file.
  package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Whether the file itself cannot be read.
    package var isMissing: Bool
    /// What, to which file.
    package var description: String
  }

  /// The certificates of a file in DER, as they stand there.
  package static func load(_ path: String) throws(FileError) -> [[UInt8]] {
    let bytes = try read(path)
    if isWhole(bytes) { return [bytes] }
    let blocks = String(decoding: bytes, as: UTF8.self).components(
      between: "-----BEGIN CERTIFICATE-----", and: "-----END CERTIFICATE-----")
    let certificates = blocks.map { block in
      Data(base64Encoded: block.filter { !$0.isWhitespace }).map { Array($0) } ?? []
    }
    guard !certificates.isEmpty, certificates.allSatisfy(isWhole) else {
      throw FileError(
        isMissing: false,
        description: "\(path) holds no certificates: give a file of them in PEM, or one in DER")
    }
    return certificates
  }

  private static func read(_ path: String) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FileError(
        isMissing: true, description: "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw FileError(
          isMissing: true, description: "cannot read \(path): \(String(cString: strerror(errno)))")
      }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
    throw FileError(isMissing: false, description: "\(path) is too large for a list of certificates")
  }

  /// Whether this is one DER sequence from the first byte to the last; what is in it is judged when it is used.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 4, bytes[0] == 0x30 else { return false }
    guard bytes[1] >= 0x80 else { return bytes.count == 2 + Int(bytes[1]) }
    let count = Int(bytes[1] & 0x7F)
    guard (1...3).contains(count), bytes.count > 2 + count else { return false }
    return bytes.count == 2 + count + bytes[2..<(2 + count)].reduce(0) { $0 << 8 | Int($1) }
  }
}

extension String {
  /// What stands between each pair of marks.
  fileprivate func components(between start: String, and end: String) -> [Substring] {
    var found: [Substring] = []
    var rest = self[...]
    while let begin = rest.firstRange(of: start) {
      rest = rest[begin.upperBound...]
      guard let finish = rest.firstRange(of: end) else { break }
      found.append(rest[..<finish.lowerBound])
      rest = rest[finish.upperBound...]
    }
    return found
  }
}
