/// What a device answered to a challenge, and what is known of the connection it came over.
package struct DeviceProof: Sendable, Hashable {
  /// What is hashed under the signature.
  package enum Hash: Sendable, Hashable {
    case sha1
    case sha256
    /// An algorithm that no verifier knows, by its name or number.
    case other(String)
  }

  /// The complete DER of the certificate the peer showed in the TLS handshake; nil when it showed none.
  package var tlsCertificate: [UInt8]?
  /// The device's own certificate as DER.
  package var deviceCertificate: [UInt8]
  /// DER, in any order.
  package var intermediates: [[UInt8]]
  package var signature: [UInt8]
  package var hash: Hash
  /// A signature scheme other than RSASSA-PKCS1-v1_5, by its name; nil for that one.
  package var otherScheme: String?
  /// The nonce the device says it signed; nil when it says nothing.
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

/// What a proof has to stand up to (protocol 2.3).
package struct DeviceProofRules: Sendable {
  /// What is asked of the device's certificate.
  package enum Trust: Sendable {
    /// Nothing but that its key signed. The key is for the caller to recognise. The days of the TLS certificate are told, and
    /// refuse nobody: whose clock is wrong is not known.
    case keyAlone
    /// A path to one of these roots (DER), the days of the TLS certificate, and the lists of what was revoked.
    case path(roots: [[UInt8]], revocation: RevocationCheck)
  }

  package var trust: Trust
  /// The nonce that was sent; nil leaves out check 5, as Chrome does.
  package var expectedNonce: [UInt8]?
  package var acceptsSHA1 = false
  /// Seconds by which clocks may differ before the days of the TLS certificate are judged broken.
  package var clockAllowance = 0
  /// The device says that it shows video.
  package var advertisesVideo = false

  package init(trust: Trust, expectedNonce: [UInt8]?) {
    self.trust = trust
    self.expectedNonce = expectedNonce
  }
}

/// What was proved.
package struct ProvenDevice: Sendable, Hashable {
  /// SHA-256 of the device key's SubjectPublicKeyInfo: 64 lower-case hexadecimal digits.
  package var keyHash: String
  /// The common name of the device's certificate; nil when it has none. Worth as much as the path to a root is.
  package var commonName: String?
  /// A certificate of the path allows audio alone.
  package var isAudioOnly: Bool
  /// Days of the device's certificate in seconds since 1970.
  package var notBefore: Int
  /// See `notBefore`.
  package var notAfter: Int
  package var hash: DeviceProof.Hash
  /// SHA-256 of the root's DER in hexadecimal; nil when no path was asked for.
  package var rootFingerprint: String?
  /// What is wrong with the days of the TLS certificate, if that refuses nobody; nil when nothing is.
  package var windowFlaw: DeviceRefusal?
}

/// A proof that is none. Every case belongs to one check of protocol 2.3.
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
  /// The list cannot be used; in words.
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
