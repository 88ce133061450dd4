/// The lists of revoked certificates that a device sends (protocol 2.6). They are signed by the maker of the platform and are the
/// same for all devices; a bundle contains them in several versions.
package struct CRLBundle: Sendable, Hashable {
  /// One version is in use; more are allowed for the future.
  package static let listLimit = 16

  package var lists: [CRL]

  package init(lists: [CRL]) { self.lists = lists }

  /// Decodes a bundle.
  package init(decoding bytes: [UInt8]) throws(AuthenticationFormatError) {
    let fields = try AuthenticationFields(bytes, message: "revocation bundle")
    guard fields.count(1) <= Self.listLimit else { throw .tooMany(field: "crls", limit: Self.listLimit) }
    lists = []
    for part in fields.all(1) { lists.append(try CRL(decoding: part)) }
  }

  package var encoded: [UInt8] {
    var writer = ProtobufWriter()
    for list in lists { writer.append(list.encoded, field: 1) }
    return writer.bytes
  }

  /// The first list of the supported version, with its body; nil when there is none.
  package var usable: (list: CRL, body: CRLBody)? {
    for list in lists {
      // A list of a later version may have another format: it is skipped, not refused.
      guard let body = try? CRLBody(decoding: list.body), body.version == 0 else { continue }
      return (list, body)
    }
    return nil
  }
}

/// One signed list.
package struct CRL: Sendable, Hashable {
  /// A serialized `CRLBody`: exactly the signed bytes.
  package var body: [UInt8]
  /// The signer's certificate, as DER.
  package var signer: [UInt8]
  /// RSASSA-PKCS1-v1_5 with SHA-256 over `body`.
  package var signature: [UInt8]

  package init(body: [UInt8], signer: [UInt8], signature: [UInt8]) {
    self.body = body
    self.signer = signer
    self.signature = signature
  }

  init(decoding bytes: [UInt8]) throws(AuthenticationFormatError) {
    let fields = try AuthenticationFields(bytes, message: "revocation list")
    guard let body = fields.bytes(1) else { throw .missing(field: "tbs_crl", message: "revocation list") }
    guard let signer = fields.bytes(2) else {
      throw .missing(field: "signer_cert", message: "revocation list")
    }
    guard let signature = fields.bytes(3) else {
      throw .missing(field: "signature", message: "revocation list")
    }
    self.init(body: body, signer: signer, signature: signature)
  }

  var encoded: [UInt8] {
    var writer = ProtobufWriter()
    writer.append(body, field: 1)
    writer.append(signer, field: 2)
    writer.append(signature, field: 3)
    return writer.bytes
  }
}

/// The body of a list.
package struct CRLBody: Sendable, Hashable {
  /// Serial numbers of certificates revoked by one issuer.
  package struct SerialRange: Sendable, Hashable {
    /// SHA-256 of the issuer's SubjectPublicKeyInfo.
    package var issuerKeyHash: [UInt8]
    package var first: UInt64
    /// The last revoked number, included.
    package var last: UInt64

    package init(issuerKeyHash: [UInt8], first: UInt64, last: UInt64) {
      self.issuerKeyHash = issuerKeyHash
      self.first = first
      self.last = last
    }
  }

  /// 0 is the only supported version: its hashes are SHA-256.
  package var version: UInt64
  /// Seconds since 1970.
  package var notBefore: UInt64
  /// Seconds since 1970, the last second included.
  package var notAfter: UInt64
  /// SHA-256 of each revoked SubjectPublicKeyInfo.
  package var revokedKeyHashes: [[UInt8]]
  package var revokedSerials: [SerialRange]

  package init(
    version: UInt64 = 0, notBefore: UInt64, notAfter: UInt64, revokedKeyHashes: [[UInt8]] = [],
    revokedSerials: [SerialRange] = []
  ) {
    self.version = version
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.revokedKeyHashes = revokedKeyHashes
    self.revokedSerials = revokedSerials
  }

  /// Decodes a body. Only its size bounds it: a revocation takes at least two bytes.
  package init(decoding bytes: [UInt8]) throws(AuthenticationFormatError) {
    let fields = try AuthenticationFields(bytes, message: "revocation list's body")
    version = fields.number(1) ?? 0
    notBefore = fields.number(2) ?? 0
    notAfter = fields.number(3) ?? 0
    revokedKeyHashes = fields.all(4)
    revokedSerials = []
    for part in fields.all(5) {
      let range = try AuthenticationFields(part, message: "range of serial numbers")
      revokedSerials.append(
        SerialRange(
          issuerKeyHash: range.bytes(1) ?? [], first: range.number(2) ?? 0, last: range.number(3) ?? 0))
    }
  }

  package var encoded: [UInt8] {
    var writer = ProtobufWriter()
    writer.append(version, field: 1)
    writer.append(notBefore, field: 2)
    writer.append(notAfter, field: 3)
    for hash in revokedKeyHashes { writer.append(hash, field: 4) }
    for range in revokedSerials {
      var part = ProtobufWriter()
      part.append(range.issuerKeyHash, field: 1)
      part.append(range.first, field: 2)
      part.append(range.last, field: 3)
      writer.append(part.bytes, field: 5)
    }
    return writer.bytes
  }
}
