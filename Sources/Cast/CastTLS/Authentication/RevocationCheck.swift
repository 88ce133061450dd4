import COpenSSL

/// Information about revoked certificates (protocol 2.6).
package enum RevocationCheck: Sendable {
  /// Revocation is not checked.
  case ignored
  /// A list is required, and there is none that can be used; with a message.
  case unusable(String)
  /// A list, and the roots of its signer (DER).
  case list(RevocationList, roots: [[UInt8]])
}

/// A list of revoked certificates of version 0, decoded but not verified.
package struct RevocationList: Sendable, Hashable {
  /// Serial numbers revoked by one issuer.
  package struct SerialRange: Sendable, Hashable {
    /// SHA-256 of the issuer's SubjectPublicKeyInfo.
    package var issuerKeyHash: [UInt8]
    package var first: UInt64
    package var last: UInt64

    package init(issuerKeyHash: [UInt8], first: UInt64, last: UInt64) {
      self.issuerKeyHash = issuerKeyHash
      self.first = first
      self.last = last
    }
  }

  /// The signed bytes.
  package var body: [UInt8]
  package var signer: [UInt8]
  package var signature: [UInt8]
  /// Seconds since 1970.
  package var notBefore: UInt64
  /// Seconds since 1970.
  package var notAfter: UInt64
  package var keyHashes: [[UInt8]]
  package var serials: [SerialRange]

  package init(
    body: [UInt8], signer: [UInt8], signature: [UInt8], notBefore: UInt64, notAfter: UInt64,
    keyHashes: [[UInt8]], serials: [SerialRange]
  ) {
    self.body = body
    self.signer = signer
    self.signature = signature
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.keyHashes = keyHashes
    self.serials = serials
  }

  /// Check 7: the list is valid, and no certificate of the path is on it.
  /// - Parameters:
  ///   - path: the target first, the root last.
  ///   - now: seconds since 1970.
  func check(_ path: [Certificate], roots: [[UInt8]], at now: Int) throws(DeviceRefusal) {
    try verify(roots: roots, at: now)
    let revoked = Set(keyHashes)
    var issuerHash: [UInt8]?
    for certificate in path.reversed() {
      guard let hash = certificate.keyHash else { throw .revocationListInvalid("a key could not be hashed") }
      let serial = certificate.layout.smallSerial
      let isInRange = serials.contains { range in
        range.issuerKeyHash == issuerHash && serial.map { (range.first...range.last).contains($0) } ?? false
      }
      guard !revoked.contains(hash), !isInRange else {
        throw .revoked(certificate.commonName.map { "the certificate “\($0)”" } ?? "one of its certificates")
      }
      issuerHash = hash
    }
  }

  private func verify(roots: [[UInt8]], at now: Int) throws(DeviceRefusal) {
    let signer: Certificate
    let anchors: [Certificate]
    do throws(CertificateFault) {
      signer = try Certificate(self.signer)
      anchors = try roots.map { root throws(CertificateFault) in try Certificate(root) }
    } catch {
      throw .revocationListInvalid("its signer or a root: \(error)")
    }
    do throws(ChainRefusal) {
      // Directly: a list contains no intermediate certificates.
      _ = try CertificatePath.find(
        from: signer, over: [], to: anchors, at: now, role: "its signer's certificate")
    } catch {
      throw .revocationListInvalid("\(error)")
    }
    guard signer.verifies(signature, over: body, hash: EVP_sha256()) else {
      throw .revocationListInvalid("its signature is wrong")
    }
    // A time before 1970 precedes every list.
    let moment = UInt64(exactly: now) ?? 0
    guard notBefore <= moment else {
      throw .revocationListInvalid("it is good only from \(UTCText.of(Int(clamping: notBefore)))")
    }
    guard moment <= notAfter, now <= signer.notAfter else {
      let end = min(Int(clamping: notAfter), signer.notAfter)
      throw .revocationListInvalid("it was good until \(UTCText.of(end))")
    }
    guard serials.allSatisfy({ $0.first <= $0.last }) else {
      throw .revocationListInvalid("a range of serial numbers ends before it begins")
    }
  }
}
