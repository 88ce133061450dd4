/// A device's answer to a challenge, and the properties of its connection.
package struct DeviceProof: Sendable, Hashable {
  /// The hash algorithm of the signature.
  package enum Hash: Sendable, Hashable {
    case sha1
    case sha256
    /// An unknown algorithm, by its name or number.
    case other(String)
  }

  /// The complete DER of the peer's certificate from the TLS handshake; nil when there was none.
  package var tlsCertificate: [UInt8]?
  /// The device's own certificate as DER.
  package var deviceCertificate: [UInt8]
  /// DER, in any order.
  package var intermediates: [[UInt8]]
  package var signature: [UInt8]
  package var hash: Hash
  /// A signature scheme other than RSASSA-PKCS1-v1_5, by its name; nil for that one.
  package var otherScheme: String?
  /// The nonce that the device claims to have signed; nil when it is absent.
  package var nonce: [UInt8]?

  package init(
    tlsCertificate: [UInt8]?, deviceCertificate: [UInt8], intermediates: [[UInt8]] = [],
    signature: [UInt8], hash: Hash = .sha256, otherScheme: String? = nil, nonce: [UInt8]?
  ) {
    self.tlsCertificate = tlsCertificate
    self.deviceCertificate = deviceCertificate
    self.intermediates = intermediates
    self.signature = signature
    self.hash = hash
    self.otherScheme = otherScheme
    self.nonce = nonce
  }
}

/// The requirements for a proof (protocol 2.3).
package struct DeviceProofRules: Sendable {
  /// The requirements for the device's certificate.
  package enum Trust: Sendable {
    /// Only that its key made the signature. The caller must recognize the key. The validity of the TLS certificate is reported,
    /// but does not refuse a device, because the clocks may be wrong.
    case keyAlone
    /// A path to one of these roots (DER), a valid TLS certificate, and the lists of revoked certificates.
    case path(roots: [[UInt8]], revocation: RevocationCheck)
  }

  package var trust: Trust
  /// The nonce that was sent; nil skips check 5, as Chrome does.
  package var expectedNonce: [UInt8]?
  package var acceptsSHA1 = false
  /// Tolerance for clock differences in seconds, for the validity of the TLS certificate.
  package var clockAllowance = 0
  /// Whether the device announces video.
  package var advertisesVideo = false

  package init(trust: Trust, expectedNonce: [UInt8]?) {
    self.trust = trust
    self.expectedNonce = expectedNonce
  }
}

/// The result of a valid proof.
package struct ProvenDevice: Sendable, Hashable {
  /// SHA-256 of the device key's SubjectPublicKeyInfo: 64 lower-case hexadecimal digits.
  package var keyHash: String
  /// The common name of the device's certificate; nil when it has none. It is only as trustworthy as the path to a root.
  package var commonName: String?
  /// Whether a certificate of the path allows audio only.
  package var isAudioOnly: Bool
  /// Validity of the device's certificate in seconds since 1970.
  package var notBefore: Int
  /// See `notBefore`.
  package var notAfter: Int
  package var hash: DeviceProof.Hash
  /// SHA-256 of the root's DER in hexadecimal; nil when no path was required.
  package var rootFingerprint: String?
  /// A violation of the validity of the TLS certificate that did not refuse the device; nil for none.
  package var windowFlaw: DeviceRefusal?
}

/// An invalid proof. Every case belongs to one check of protocol 2.3.
package enum DeviceRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  case noTLSCertificate
  case tlsCertificateUnreadable(CertificateFault)
  /// Seconds since 1970.
  case tlsCertificateNotYetValid(from: Int)
  /// Seconds since 1970.
  case tlsCertificateExpired(at: Int)
  /// Seconds since 1970.
  case tlsCertificateValidTooLong(until: Int)
  case nonceMissing
  case nonceMismatch
  case untrusted(ChainRefusal)
  /// The list cannot be used; with a message.
  case revocationListInvalid(String)
  /// The certificate that was revoked.
  case revoked(String)
  case signatureEmpty
  case hashNotAccepted(String)
  case schemeNotAccepted(String)
  case signatureWrong
  case audioOnly

  /// The number of the check in protocol 2.3.
  package var check: Int {
    switch self {
    case .noTLSCertificate, .tlsCertificateUnreadable, .tlsCertificateNotYetValid: 2
    case .tlsCertificateExpired: 3
    case .tlsCertificateValidTooLong: 4
    case .nonceMissing, .nonceMismatch: 5
    case .untrusted: 6
    case .revocationListInvalid, .revoked: 7
    case .signatureEmpty, .hashNotAccepted, .schemeNotAccepted: 8
    case .signatureWrong: 9
    case .audioOnly: 10
    }
  }

  package var description: String {
    switch self {
    case .noTLSCertificate: "it showed no certificate in the TLS handshake"
    case .tlsCertificateUnreadable(let fault): "its TLS certificate: \(fault)"
    case .tlsCertificateNotYetValid(let from): "its TLS certificate is good only from \(UTCText.of(from))"
    case .tlsCertificateExpired(let at): "its TLS certificate was good until \(UTCText.of(at))"
    case .tlsCertificateValidTooLong(let until):
      "its TLS certificate is good until \(UTCText.of(until)), which is more than 4 days away"
    case .nonceMissing: "its answer has no nonce, so it may be a replay"
    case .nonceMismatch: "its answer is for another nonce: it was replayed, or comes from another device"
    case .untrusted(let refusal): "\(refusal)"
    case .revocationListInvalid(let words): "the list of revoked certificates cannot be used: \(words)"
    case .revoked(let certificate): "\(certificate) has been revoked"
    case .signatureEmpty: "its signature is empty: the device has no credentials"
    case .hashNotAccepted(let name): "it signed with \(name), which is not accepted"
    case .schemeNotAccepted(let name): "it signed with \(name), which was not requested"
    case .signatureWrong:
      "its key did not sign this connection: the answer is forged, or made for another connection"
    case .audioOnly: "its certificate is for audio devices, but it announces video"
    }
  }
}
