import COpenSSL

/// Verifies a device's answer to a challenge (protocol 2.3, checks 2 to 10; the decoder does the first).
///
/// A pure function of bytes and a time, whose work is bounded for any input.
package enum DeviceVerifier {
  /// Maximum remaining validity of a device's TLS certificate (protocol 2.3, check 4).
  private static let longestWindow = 4 * 86_400

  /// - Parameter now: seconds since 1970.
  package static func verify(
    _ proof: DeviceProof, under rules: DeviceProofRules, at now: Int
  ) throws(DeviceRefusal) -> ProvenDevice {
    guard let tlsCertificate = proof.tlsCertificate else { throw .noTLSCertificate }
    let window = windowFlaw(tlsCertificate, at: now, allowance: rules.clockAllowance)
    if case .path = rules.trust, let window { throw window }
    try checkNonce(proof, rules)
    let (device, path) = try path(of: proof, rules, at: now)
    try checkSignature(proof, by: device, over: tlsCertificate, rules)
    let isAudioOnly = path.contains { $0.permissions.isAudioOnly }
    if case .path = rules.trust, isAudioOnly, rules.advertisesVideo { throw .audioOnly }
    do {
      return ProvenDevice(
        keyHash: try SHA256.text(of: device.layout.bytes[device.layout.publicKey]),
        commonName: device.commonName, isAudioOnly: isAudioOnly, notBefore: device.notBefore,
        notAfter: device.notAfter, hash: proof.hash,
        rootFingerprint: path.count < 2 ? nil : try path.last.map { try SHA256.text(of: $0.layout.bytes) },
        windowFlaw: window)
    } catch {
      throw .hashNotAccepted("SHA-256, which this computer cannot compute")
    }
  }

  /// Checks 2 to 4.
  private static func windowFlaw(_ der: [UInt8], at now: Int, allowance: Int) -> DeviceRefusal? {
    let certificate: Certificate
    do {
      certificate = try Certificate(der)
    } catch {
      return .tlsCertificateUnreadable(error)
    }
    if certificate.notBefore > now.addingSaturated(allowance) {
      return .tlsCertificateNotYetValid(from: certificate.notBefore)
    }
    if certificate.notAfter.addingSaturated(allowance) < now {
      return .tlsCertificateExpired(at: certificate.notAfter)
    }
    if certificate.notAfter > now.addingSaturated(longestWindow).addingSaturated(allowance) {
      return .tlsCertificateValidTooLong(until: certificate.notAfter)
    }
    return nil
  }

  /// Check 5.
  private static func checkNonce(_ proof: DeviceProof, _ rules: DeviceProofRules) throws(DeviceRefusal) {
    guard let expected = rules.expectedNonce else { return }
    guard let nonce = proof.nonce, !nonce.isEmpty else { throw .nonceMissing }
    guard nonce == expected else { throw .nonceMismatch }
  }

  /// Checks 6 and 7. Without a required path, the received certificates are used unverified.
  private static func path(
    of proof: DeviceProof, _ rules: DeviceProofRules, at now: Int
  ) throws(DeviceRefusal) -> (device: Certificate, path: [Certificate]) {
    let role = "the device's certificate"
    let device: Certificate
    do {
      device = try Certificate(proof.deviceCertificate)
    } catch {
      throw .untrusted(
        ChainRefusal(.unreadable, role, detail: error.description, deviceFault: error))
    }
    guard case .path(let roots, let revocation) = rules.trust else {
      if let flaw = device.keyFlaw { throw .untrusted(ChainRefusal(flaw, role)) }
      return (device, [device])
    }
    let intermediates = try read(proof.intermediates, as: "an intermediate certificate")
    let anchors = try read(roots, as: "a root")
    let path: [Certificate]
    do {
      path = try CertificatePath.find(from: device, over: intermediates, to: anchors, at: now)
    } catch {
      throw .untrusted(error)
    }
    switch revocation {
    case .ignored: break
    case .unusable(let words): throw .revocationListInvalid(words)
    case .list(let list, let roots): try list.check(path, roots: roots, at: now)
    }
    return (device, path)
  }

  private static func read(_ all: [[UInt8]], as role: String) throws(DeviceRefusal) -> [Certificate] {
    var certificates: [Certificate] = []
    for der in all {
      do {
        certificates.append(try Certificate(der))
      } catch {
        throw .untrusted(ChainRefusal(.unreadable, role, detail: error.description))
      }
    }
    return certificates
  }

  /// Checks 8 and 9.
  private static func checkSignature(
    _ proof: DeviceProof, by device: Certificate, over tlsCertificate: [UInt8], _ rules: DeviceProofRules
  ) throws(DeviceRefusal) {
    guard !proof.signature.isEmpty else { throw .signatureEmpty }
    if let scheme = proof.otherScheme { throw .schemeNotAccepted(scheme) }
    let hash =
      switch proof.hash {
      case .sha256: EVP_sha256()
      case .sha1 where rules.acceptsSHA1: EVP_sha1()
      case .sha1: throw DeviceRefusal.hashNotAccepted("SHA-1")
      case .other(let name): throw DeviceRefusal.hashNotAccepted(name)
      }
    // The device signed the nonce in its answer; check 5 has compared it with the one that was sent.
    guard device.verifies(proof.signature, over: (proof.nonce ?? []) + tlsCertificate, hash: hash) else {
      throw .signatureWrong
    }
  }
}

extension Int {
  /// Sums of untrusted dates must not trap.
  fileprivate func addingSaturated(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}
