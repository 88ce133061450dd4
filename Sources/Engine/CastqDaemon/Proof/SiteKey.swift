import CastTLS
import CastqFiles
import Glibc

/// The key of a site: it signs proofs of play. A file beside the database, which only its owner may read.
package struct SiteKey: Sendable {
  /// The file.
  package let path: String
  private let key: Ed25519Key

  /// The file of a database's key.
  package static func path(ofDatabase path: String) -> String { "\(path).key" }

  /// Reads the key of a database, or makes it at the first use.
  package init(database: String) throws(SiteKeyError) {
    path = Self.path(ofDatabase: database)
    if let key = try Self.read(path) {
      self.key = key
      return
    }
    try Self.make(path)
    guard let key = try Self.read(path) else {
      throw SiteKeyError(path: path, words: "it was removed while it was read", kind: .unusable)
    }
    self.key = key
  }

  /// The key of a database; nil when there is none yet.
  package static func existing(database: String) throws(SiteKeyError) -> SiteKey? {
    let path = path(ofDatabase: database)
    return try read(path).map { SiteKey(path: path, key: $0) }
  }

  private init(path: String, key: Ed25519Key) {
    self.path = path
    self.key = key
  }

  /// The public key, base64 of its SubjectPublicKeyInfo: the middle line of its PEM text.
  package var publicKey: String {
    get throws(SiteKeyError) {
      do throws(TLSError) { return KeyText.base64(try key.publicKey) } catch { throw failure(error) }
    }
  }

  /// The public key as `--key` and OpenSSL read it.
  package var publicPEM: String {
    get throws(SiteKeyError) {
      do throws(TLSError) { return KeyText.pem(try key.publicKey, label: "PUBLIC KEY") } catch {
        throw failure(error)
      }
    }
  }

  /// The signature over a text, base64.
  package func signature(over text: String) throws(SiteKeyError) -> String {
    do throws(TLSError) { return KeyText.base64(try key.signature(over: Array(text.utf8))) } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: TLSError) -> SiteKeyError {
    SiteKeyError(path: path, words: "\(error)", kind: .unusable)
  }

  // MARK: the file

  private static let label = "PRIVATE KEY"

  /// Nil when there is no file.
  private static func read(_ path: String) throws(SiteKeyError) -> Ed25519Key? {
    let descriptor: Int32
    do throws(OwnFileError) {
      guard let opened = try OwnFile.openIfThere(path) else { return nil }
      descriptor = opened
    } catch {
      throw SiteKeyError(path: path, words: error.words, kind: .notPermitted)
    }
    defer { close(descriptor) }
    var status = stat()
    // A key that others can read proves nothing.
    guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
      throw SiteKeyError(
        path: path, words: "others may read it; find out who has, then 'chmod 600' it", kind: .notPermitted)
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else {
      throw SiteKeyError(path: path, words: String(cString: strerror(errno)), kind: .unusable)
    }
    guard let der = KeyText.der(String(decoding: bytes.prefix(count), as: UTF8.self), label: label) else {
      throw SiteKeyError(path: path, words: "it holds no private key", kind: .unusable)
    }
    do throws(TLSError) { return try Ed25519Key(der: der) } catch {
      throw SiteKeyError(path: path, words: "\(error)", kind: .unusable)
    }
  }

  private static func notMade(_ path: String, _ reason: Int32) -> SiteKeyError {
    let kind: SiteKeyError.Kind = [EACCES, EPERM].contains(reason) ? .notPermitted : .notMade
    return SiteKeyError(path: path, words: String(cString: strerror(reason)), kind: kind)
  }

  /// Makes the file with a new key, whole or not at all. A file that another process has made meanwhile stays.
  private static func make(_ path: String) throws(SiteKeyError) {
    let text: String
    do throws(TLSError) { text = KeyText.pem(try Ed25519Key.generate().der, label: label) } catch {
      throw SiteKeyError(path: path, words: "\(error)", kind: .unusable)
    }
    let part = "\(path).\(getpid())"
    // What a process of the same number left behind.
    unlink(part)
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer { unlink(part) }
    let isWritten =
      descriptor >= 0 && fchmod(descriptor, 0o600) == 0
      && Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) == $0.count }
      && fsync(descriptor) == 0
    let reason = errno
    if descriptor >= 0 { close(descriptor) }
    guard isWritten else { throw notMade(path, reason) }
    guard link(part, path) == 0 || errno == EEXIST else {
      throw notMade(path, errno)
    }
  }
}

/// Why the key of a site cannot be used.
package struct SiteKeyError: Error, Sendable, Hashable, CustomStringConvertible {
  package let path: String
  let words: String
  package let kind: Kind

  package enum Kind: Sendable {
    /// This user may not read or make the file.
    case notPermitted
    /// The disk is full, or nothing may be written on it.
    case notMade
    case unusable
  }

  package var description: String { "cannot use the key of this site, \(path): \(words)" }
}
