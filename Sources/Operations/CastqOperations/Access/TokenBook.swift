import CastProtocol
import CastTLS
import CastqFiles
package import CastqText
import Glibc
import Synchronization

/// A token that somebody was given.
package struct WebToken: Sendable, Hashable {
  package var name: String
  package var role: WebRole
  /// SHA-256 of the token, in hexadecimal digits; the token itself is stored nowhere.
  package var hash: String
  /// When it was made, as RFC 3339 has it.
  package var madeAt: String
}

/// The tokens in a file that only its owner may read.
///
/// The file is read again when it has changed, so that a token that was removed opens nothing from then on.
package final class TokenBook: Sendable {
  package let path: String
  private struct Read {
    var version: FileState?
    var tokens: [WebToken] = []
  }
  private let read = Mutex(Read())
  /// Is told why the file cannot be used, once for each version of it.
  private let report: @Sendable (String) -> Void
  /// The most tokens of a file.
  private static let most = 1000

  package init(path: String, report: @escaping @Sendable (String) -> Void = { _ in }) {
    self.path = path
    self.report = report
  }

  /// Why a token cannot be made or removed.
  package struct Problem: Error {
    package let message: String
    package var hint: Hint?
    /// Whether something is in the place of the file, or it may be somebody else's.
    package var isOfFile = false
  }

  /// Makes a token.
  /// - Returns: the token, which is shown once.
  package func add(_ name: String, role: WebRole, at moment: String) throws(Problem) -> String {
    let lock = try lock()
    defer { close(lock) }
    var tokens = try all()
    guard !tokens.contains(where: { $0.name == name }) else {
      throw Problem(message: "there is a token \(name) already", hint: .removeToken(name))
    }
    guard tokens.count < Self.most else { throw Problem(message: "there are \(Self.most) tokens already") }
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let token = "castq_" + Self.hexadecimal(bytes)
    guard let hash = Self.hash(token) else { throw Problem(message: "OpenSSL computes no SHA-256") }
    tokens.append(WebToken(name: name, role: role, hash: hash, madeAt: moment))
    try write(tokens)
    return token
  }

  /// Removes a token.
  package func remove(_ name: String) throws(Problem) {
    let lock = try lock()
    defer { close(lock) }
    let tokens = try all()
    guard tokens.contains(where: { $0.name == name }) else {
      throw Problem(message: "there is no token \(name)", hint: .listTokens)
    }
    try write(tokens.filter { $0.name != name })
  }

  /// All tokens.
  package func all() throws(Problem) -> [WebToken] {
    let contents: [UInt8]?
    do throws(OwnFileError) { contents = try OwnFile.bytes(of: path, limit: 1 << 20) } catch {
      throw Problem(message: "\(error)", isOfFile: true)
    }
    guard let contents else { return [] }
    if let state = FileState(path), state.mode & 0o077 != 0 {
      throw Problem(message: "\(path) may be read by others: 'chmod 600' it")
    }
    guard let document = try? JSONValue(parsing: contents), let rows = document["tokens"]?.array
    else { throw Problem(message: "\(path) is not a file of tokens") }
    return rows.compactMap { row in
      guard let name = row["name"]?.string, let role = row["role"]?.string.flatMap(WebRole.init(rawValue:)),
        let hash = row["sha256"]?.string
      else { return nil }
      return WebToken(name: name, role: role, hash: hash, madeAt: row["made_at"]?.string ?? "")
    }
  }

  /// Who has this token; nil when nobody does.
  package func holder(of token: String) -> WebToken? {
    guard let hash = Self.hash(token) else { return nil }
    let tokens = current()
    // All are compared, and each as a whole: the time says nothing.
    var found: WebToken?
    for token in tokens where Self.isEqual(token.hash, hash) { found = token }
    return found
  }

  /// Whether a token that was right is one of the file still.
  package func has(_ token: WebToken) -> Bool { current().contains(token) }

  private func current() -> [WebToken] {
    let state = FileState(path)
    var problem: String?
    let tokens = read.withLock { read in
      if read.version != state || state == nil {
        read = Read(version: state)
        do throws(Problem) { read.tokens = try all() } catch { problem = error.message }
      }
      return read.tokens
    }
    if let problem { report("no token is valid: \(problem)") }
    return tokens
  }

  /// Keeps other programs from changing the file between reading and writing it.
  /// - Returns: a descriptor; closing it lets them in.
  private func lock() throws(Problem) -> CInt {
    // Not the file itself: each change puts another one in its place.
    let path = "\(path).lock"
    let descriptor: CInt
    do throws(OwnFileError) { descriptor = try OwnFile.open(path, for: .keeping) } catch {
      throw Problem(message: "\(error)", isOfFile: true)
    }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno != EINTR else { continue }
      let words = String(cString: strerror(errno))
      close(descriptor)
      throw Problem(message: "cannot lock \(path): \(words)")
    }
    return descriptor
  }

  private func write(_ tokens: [WebToken]) throws(Problem) {
    let rows = tokens.map { token -> JSONValue in
      [
        "name": .string(token.name), "role": .string(token.role.rawValue), "sha256": .string(token.hash),
        "made_at": .string(token.madeAt),
      ]
    }
    let document: JSONValue = ["tokens": .array(rows)]
    do throws(OwnFileError) { try OwnFile.replace(path, with: Array((document.text + "\n").utf8)) } catch {
      throw Problem(message: "cannot write \(error.path): \(error.words)")
    }
  }

  static func hash(_ token: String) -> String? { try? SHA256.text(of: Array(token.utf8)) }

  private static func isEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// What tells one version of a file from another.
private struct FileState: Equatable {
  let mode: UInt32
  /// Nanoseconds.
  private let modified: Int
  private let size: Int
  private let number: UInt

  /// Nil when there is none. A link is looked at, and not what it leads to.
  init?(_ path: String) {
    var state = stat()
    guard lstat(path, &state) == 0 else { return nil }
    mode = state.st_mode & 0o7777
    modified = state.st_mtim.tv_sec &* 1_000_000_000 &+ state.st_mtim.tv_nsec
    (size, number) = (state.st_size, state.st_ino)
  }
}
