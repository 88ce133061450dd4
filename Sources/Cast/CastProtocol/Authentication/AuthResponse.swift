/// A device's proof: its certificate, and a signature over the sender's nonce and the certificate of the connection (protocol 2.2).
/// It must be verified before use.
package struct AuthResponse: Sendable, Hashable {
  /// Devices send one or two; more are allowed for future devices.
  package static let intermediateLimit = 10

  /// Empty from a device without credentials (protocol 18, row 29).
  package var signature: [UInt8]
  /// The device's own certificate as DER.
  package var certificate: [UInt8]
  /// The certificates from it to a root, as DER, in any order.
  package var intermediates: [[UInt8]]
  package var signatureAlgorithm: SignatureAlgorithm
  /// The nonce that the device signed; nil when it is absent.
  package var nonce: [UInt8]?
  package var hashAlgorithm: HashAlgorithm
  /// A serialized `CRLBundle`; nil when absent.
  package var crl: [UInt8]?

  package init(
    signature: [UInt8], certificate: [UInt8], intermediates: [[UInt8]] = [],
    signatureAlgorithm: SignatureAlgorithm = .rsaPKCS1, nonce: [UInt8]? = nil,
    hashAlgorithm: HashAlgorithm = .sha256, crl: [UInt8]? = nil
  ) {
    self.signature = signature
    self.certificate = certificate
    self.intermediates = intermediates
    self.signatureAlgorithm = signatureAlgorithm
    self.nonce = nonce
    self.hashAlgorithm = hashAlgorithm
    self.crl = crl
  }

  init(decoding bytes: [UInt8]) throws(AuthenticationFormatError) {
    let name = "authentication response"
    let fields = try AuthenticationFields(bytes, message: name)
    guard let signature = fields.bytes(1) else { throw .missing(field: "signature", message: name) }
    guard let certificate = fields.bytes(2) else {
      throw .missing(field: "client_auth_certificate", message: name)
    }
    guard fields.count(3) <= Self.intermediateLimit else {
      throw .tooMany(field: "intermediate_certificate", limit: Self.intermediateLimit)
    }
    self.signature = signature
    self.certificate = certificate
    intermediates = fields.all(3)
    signatureAlgorithm = SignatureAlgorithm(fields.number(4))
    nonce = fields.bytes(5)
    hashAlgorithm = HashAlgorithm(fields.number(6))
    crl = fields.bytes(7)
  }

  var encoded: [UInt8] {
    var writer = ProtobufWriter()
    writer.append(signature, field: 1)
    writer.append(certificate, field: 2)
    for intermediate in intermediates { writer.append(intermediate, field: 3) }
    if signatureAlgorithm != .rsaPKCS1 { writer.append(signatureAlgorithm.number, field: 4) }
    if let nonce { writer.append(nonce, field: 5) }
    if hashAlgorithm != .sha1 { writer.append(hashAlgorithm.number, field: 6) }
    if let crl { writer.append(crl, field: 7) }
    return writer.bytes
  }
}

/// The signature algorithm. Absent means RSASSA-PKCS1-v1_5 (protocol 1.4).
package enum SignatureAlgorithm: Sendable, Hashable, CustomStringConvertible {
  case unspecified
  case rsaPKCS1
  case rsaPSS
  case unknown(UInt64)

  init(_ number: UInt64?) {
    self =
      switch number {
      case 0: .unspecified
      case 1, nil: .rsaPKCS1
      case 2: .rsaPSS
      case let number?: .unknown(number)
      }
  }

  package var number: UInt64 {
    switch self {
    case .unspecified: 0
    case .rsaPKCS1: 1
    case .rsaPSS: 2
    case .unknown(let number): number
    }
  }

  package var description: String {
    switch self {
    case .unspecified: "UNSPECIFIED"
    case .rsaPKCS1: "RSASSA_PKCS1v15"
    case .rsaPSS: "RSASSA_PSS"
    case .unknown(let number): "signature algorithm \(number)"
    }
  }
}

/// The hash algorithm of the signature. Absent means SHA-1 (protocol 1.4).
package enum HashAlgorithm: Sendable, Hashable, CustomStringConvertible {
  case sha1
  case sha256
  case unknown(UInt64)

  init(_ number: UInt64?) {
    self =
      switch number {
      case 0, nil: .sha1
      case 1: .sha256
      case let number?: .unknown(number)
      }
  }

  package var number: UInt64 {
    switch self {
    case .sha1: 0
    case .sha256: 1
    case .unknown(let number): number
    }
  }

  package var description: String {
    switch self {
    case .sha1: "SHA-1"
    case .sha256: "SHA-256"
    case .unknown(let number): "hash algorithm \(number)"
    }
  }
}
