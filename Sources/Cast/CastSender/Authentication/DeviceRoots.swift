public import CastProtocol
import CastTLS

/// The root certificates of devices, and how revoked certificates are checked.
public struct DeviceRoots: Sendable {
  /// How revoked certificates are checked (protocol 2.6).
  public enum Revocation: Sendable {
    /// They are not checked.
    case ignored
    /// By the list that a device sends, if it sends one; lists must be signed under these roots, given as DER.
    case whenSent(roots: [[UInt8]])
    /// As `whenSent`, and by this serialized list for a device that sends none; nil refuses a device that sends none.
    case required(roots: [[UInt8]], fallback: [UInt8]?)
  }

  /// The roots as DER.
  public let certificates: [[UInt8]]
  /// How revoked certificates are checked.
  public var revocation: Revocation

  /// Roots from a file's bytes: PEM with any number of certificates, or the DER of one.
  /// - Throws: `invalidState` when there is no certificate, or one cannot be read.
  public init(_ bytes: [UInt8], revocation: Revocation = .ignored) throws(CastError) {
    certificates = try Self.certificates(in: bytes)
    self.revocation = revocation
  }

  /// The certificates of a file, as DER: PEM with any number of certificates, or the DER of one.
  /// - Throws: `invalidState` when there is none, or one cannot be read.
  public static func certificates(in bytes: [UInt8]) throws(CastError) -> [[UInt8]] {
    do {
      return try CertificateFile.certificates(in: bytes)
    } catch {
      throw CastError(
        .invalidState, "the roots cannot be used: \(error); give X.509 certificates as PEM or DER",
        underlying: error.description)
    }
  }

  /// SHA-256 of each root's DER in hexadecimal, in order; compare them with `genuineFingerprints`.
  public var fingerprints: [String] { certificates.compactMap { try? SHA256.text(of: $0) } }

  /// The names of the roots of genuine devices, by the SHA-256 of their DER (protocol 2.4).
  public static let genuineFingerprints = [
    "809af14700b3fe2611ad597eb1584d6354313b64ccdb3390f097fa3e5826d6ca": "Cast Root CA",
    "caf6d1e37b532203e01a76bf07187bb731ccd38801565ab2211a2c0ab7f3bc46": "Eureka Root CA",
    "8b77c60291f9d62764613083f49750b1c5caac2d9efbe5a28edf301f9d84831d": "Cast CRL Root CA",
  ]
}
