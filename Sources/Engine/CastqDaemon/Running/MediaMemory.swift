import CastTLS
import CastqFiles

/// Keeps the addresses of local files the same across restarts of castq, so that a device that keeps playing meanwhile can keep
/// fetching: the port, and a secret from which each file's address is derived. Stored in a private file beside the database.
struct MediaMemory: Sendable {
  /// The port; nil before the first use.
  private(set) var port: Int?
  private let secret: [UInt8]
  /// Whether port and secret stem from an earlier process.
  private(set) var isOld: Bool
  private let path: String?

  /// The file of a database.
  static func path(ofDatabase path: String) -> String { "\(path).media" }

  /// Reads the file; creates a new secret if it is missing or invalid.
  /// - Parameter path: the file; nil stores nothing.
  /// - Throws: when the file may be somebody else's: who knows the secret reads what is served.
  init(path: String?) throws(OwnFileError) {
    self.path = path
    let lines = try Self.text(path).split(separator: "\n")
    if lines.count == 2, let port = Int(lines[0]), (1...65_535).contains(port),
      let secret = Self.bytes(hexadecimal: lines[1]), secret.count == 32
    {
      (self.port, self.secret, isOld) = (port, secret, true)
    } else {
      var random = SystemRandomNumberGenerator()
      secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
      isOld = false
    }
  }

  /// The unguessable token in a file's address; nil if hashing fails, and the server then picks a random one.
  func token(for file: String) -> String? {
    // Hashed twice with the secret in front, as in HMAC, so that one token does not reveal another.
    guard let inner = try? SHA256.digest(of: secret + Array(file.utf8)) else { return nil }
    return try? SHA256.text(of: secret + inner)
  }

  /// Stores another port for the next process. A failure costs only a short gap after a restart.
  mutating func move(to port: Int) {
    self.port = port
    isOld = false
    keep()
  }

  private func keep() {
    guard let path, let port else { return }
    let digits = Array("0123456789abcdef".utf8)
    let word = String(
      decoding: secret.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    let bytes = Array("\(port)\n\(word)\n".utf8)
    // Atomic, even when two processes start at the same time.
    try? OwnFile.replace(path, with: bytes)
  }

  private static func text(_ path: String?) throws(OwnFileError) -> String {
    guard let path else { return "" }
    return String(decoding: try OwnFile.bytes(of: path, limit: 200) ?? [], as: UTF8.self)
  }

  private static func bytes(hexadecimal text: Substring) -> [UInt8]? {
    let digits: [Int] = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { (index: Int) -> UInt8 in
      UInt8(digits[index] * 16 + digits[index + 1])
    }
  }
}
