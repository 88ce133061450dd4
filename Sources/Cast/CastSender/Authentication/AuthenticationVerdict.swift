import CastProtocol
import CastTLS

/// Checks one answer: decodes it (check 1 of protocol 2.3), verifies it, and compares the key.
struct AuthenticationVerdict {
  let trust: DeviceTrust
  /// The nonce that was sent.
  let nonce: [UInt8]
  let tlsCertificate: [UInt8]?
  /// The key that the device must have; nil accepts any.
  let pin: DevicePin?
  let advertisesVideo: Bool
  /// Seconds since 1970.
  let now: Int

  func identity(in payload: CastMessage.Payload) throws(AuthenticationFlaw) -> DeviceIdentity {
    let response = try response(in: payload)
    let proof = DeviceProof(
      tlsCertificate: tlsCertificate, deviceCertificate: response.certificate,
      intermediates: response.intermediates, signature: response.signature,
      hash: Self.hash(response.hashAlgorithm),
      otherScheme: response.signatureAlgorithm == .rsaPKCS1 ? nil : response.signatureAlgorithm.description,
      nonce: response.nonce)
    let device: ProvenDevice
    do {
      device = try DeviceVerifier.verify(proof, under: rules(for: response), at: now)
    } catch {
      throw .refused(error)
    }
    if let pin, pin.keyHash != device.keyHash { throw .otherKey(device.keyHash, pin) }
    return DeviceIdentity(
      keyHash: device.keyHash, commonName: device.commonName, isAudioOnly: device.isAudioOnly,
      notBefore: device.notBefore, notAfter: device.notAfter, hash: response.hashAlgorithm.description,
      rootFingerprint: device.rootFingerprint, windowProblem: device.windowFlaw?.description)
  }

  private func response(in payload: CastMessage.Payload) throws(AuthenticationFlaw) -> AuthResponse {
    guard case .binary(let bytes) = payload else { throw .text }
    let message: DeviceAuthMessage
    do {
      message = try DeviceAuthMessage(decoding: bytes)
    } catch {
      throw .malformed(error)
    }
    if let error = message.error { throw .errorReply(error) }
    if let response = message.response { return response }
    throw message.challenge == nil ? .noResponse : .challenged
  }

  private func rules(for response: AuthResponse) -> DeviceProofRules {
    let asked: DeviceProofRules.Trust =
      if case .roots(let roots) = trust.policy {
        .path(roots: roots.certificates, revocation: Self.revocation(roots.revocation, response.crl))
      } else {
        .keyAlone
      }
    var rules = DeviceProofRules(trust: asked, expectedNonce: trust.requiresNonce ? nonce : nil)
    rules.acceptsSHA1 = trust.acceptsSHA1
    rules.clockAllowance = Int(clamping: trust.clockAllowance.components.seconds)
    rules.advertisesVideo = advertisesVideo
    return rules
  }

  private static func hash(_ algorithm: HashAlgorithm) -> DeviceProof.Hash {
    switch algorithm {
    case .sha1: .sha1
    case .sha256: .sha256
    case .unknown: .other(algorithm.description)
    }
  }

  private static func revocation(_ asked: DeviceRoots.Revocation, _ sent: [UInt8]?) -> RevocationCheck {
    let roots: [[UInt8]]
    let bytes: [UInt8]
    switch asked {
    case .ignored: return .ignored
    case .whenSent(let given):
      guard let sent else { return .ignored }
      (roots, bytes) = (given, sent)
    case .required(let given, let fallback):
      guard let found = sent ?? fallback else {
        return .unusable("the device sends none, and there is no fallback")
      }
      (roots, bytes) = (given, found)
    }
    do {
      guard let (list, body) = try CRLBundle(decoding: bytes).usable else {
        return .unusable("it has no supported version")
      }
      return .list(RevocationList(list, body), roots: roots)
    } catch {
      return .unusable(error.description)
    }
  }
}

extension RevocationList {
  fileprivate init(_ list: CRL, _ body: CRLBody) {
    self.init(
      body: list.body, signer: list.signer, signature: list.signature, notBefore: body.notBefore,
      notAfter: body.notAfter, keyHashes: body.revokedKeyHashes,
      serials: body.revokedSerials.map {
        SerialRange(issuerKeyHash: $0.issuerKeyHash, first: $0.first, last: $0.last)
      })
  }
}
