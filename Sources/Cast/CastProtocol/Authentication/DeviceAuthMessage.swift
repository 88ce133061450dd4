/// A message of the device authentication namespace, in a binary payload (protocol 1.4).
///
/// A sender sends a challenge, a device replies with a response or an error. The format allows several of them in one message, so a
/// receiver must check the error first.
package struct DeviceAuthMessage: Sendable, Hashable {
  /// A sender's challenge; a device has no reason to send one.
  package var challenge: AuthChallenge?
  /// The device's proof.
  package var response: AuthResponse?
  /// Why the device sends no proof.
  package var error: AuthErrorType?

  package init(
    challenge: AuthChallenge? = nil, response: AuthResponse? = nil, error: AuthErrorType? = nil
  ) {
    self.challenge = challenge
    self.response = response
    self.error = error
  }

  /// Decodes a payload.
  package init(decoding bytes: [UInt8]) throws(AuthenticationFormatError) {
    let fields = try AuthenticationFields(bytes, message: "authentication message")
    if let part = fields.bytes(1) { challenge = try AuthChallenge(decoding: part) }
    if let part = fields.bytes(2) { response = try AuthResponse(decoding: part) }
    if let part = fields.bytes(3) { error = try AuthErrorType(decodingMessage: part) }
  }

  /// The payload.
  package var encoded: [UInt8] {
    var writer = ProtobufWriter()
    if let challenge { writer.append(challenge.encoded, field: 1) }
    if let response { writer.append(response.encoded, field: 2) }
    if let error { writer.append(error.encodedMessage, field: 3) }
    return writer.bytes
  }
}

/// A sender's challenge: sign it, together with the certificate of this connection (protocol 2.1).
package struct AuthChallenge: Sendable, Hashable {
  package var signatureAlgorithm: SignatureAlgorithm
  /// Random bytes, 16 of them; nil in the form of 2013, whose reply does not prove its time.
  package var nonce: [UInt8]?
  package var hashAlgorithm: HashAlgorithm

  package init(
    nonce: [UInt8]?, hashAlgorithm: HashAlgorithm = .sha256,
    signatureAlgorithm: SignatureAlgorithm = .rsaPKCS1
  ) {
    self.nonce = nonce
    self.hashAlgorithm = hashAlgorithm
    self.signatureAlgorithm = signatureAlgorithm
  }

  init(decoding bytes: [UInt8]) throws(AuthenticationFormatError) {
    let fields = try AuthenticationFields(bytes, message: "challenge")
    signatureAlgorithm = SignatureAlgorithm(fields.number(1))
    nonce = fields.bytes(2)
    hashAlgorithm = HashAlgorithm(fields.number(3))
  }

  /// Fields with default values are omitted.
  var encoded: [UInt8] {
    var writer = ProtobufWriter()
    if signatureAlgorithm != .rsaPKCS1 { writer.append(signatureAlgorithm.number, field: 1) }
    if let nonce { writer.append(nonce, field: 2) }
    if hashAlgorithm != .sha1 { writer.append(hashAlgorithm.number, field: 3) }
    return writer.bytes
  }
}

/// Why a device sends no proof (protocol 2.2).
package enum AuthErrorType: Sendable, Hashable, CustomStringConvertible {
  /// It has no credentials, or cannot use them.
  case internalError
  /// It considers the connection unencrypted.
  case noTLS
  /// It does not support the requested algorithm.
  case signatureAlgorithmUnavailable
  case unknown(UInt64)

  init(_ number: UInt64) {
    self =
      switch number {
      case 0: .internalError
      case 1: .noTLS
      case 2: .signatureAlgorithmUnavailable
      default: .unknown(number)
      }
  }

  package var number: UInt64 {
    switch self {
    case .internalError: 0
    case .noTLS: 1
    case .signatureAlgorithmUnavailable: 2
    case .unknown(let number): number
    }
  }

  /// The name in the format.
  package var description: String {
    switch self {
    case .internalError: "INTERNAL_ERROR"
    case .noTLS: "NO_TLS"
    case .signatureAlgorithmUnavailable: "SIGNATURE_ALGORITHM_UNAVAILABLE"
    case .unknown(let number): "error \(number)"
    }
  }

  init(decodingMessage bytes: [UInt8]) throws(AuthenticationFormatError) {
    let fields = try AuthenticationFields(bytes, message: "authentication error")
    guard let number = fields.number(1) else {
      throw .missing(field: "error_type", message: "authentication error")
    }
    self.init(number)
  }

  var encodedMessage: [UInt8] {
    var writer = ProtobufWriter()
    writer.append(number, field: 1)
    return writer.bytes
  }
}
