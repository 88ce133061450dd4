import CastProtocol
package import CastTLS

/// The credentials of one simulated device, genuine or not: its certificates, and the TLS certificate it presents.
package struct SimAuthenticator: Sendable {
  package let authentication: SimAuthentication
  /// The identity that the device presents in the TLS handshake.
  package let tls: TLSIdentity
  private let certificate: [UInt8]
  private let intermediates: [[UInt8]]
  private let signingKey: TLSKey
  private let signedCertificate: [UInt8]
  private let crl: [UInt8]

  package init(_ authentication: SimAuthentication, credentials: SimCredentials) throws(TLSError) {
    self.authentication = authentication
    tls = try credentials.tls(authentication)
    let key = authentication == .otherDevice ? credentials.tlsKey : credentials.deviceKey
    let whole = try credentials.device(
      name: authentication == .otherDevice ? "Simulated device 2" : "Simulated device 1", key: key,
      isAudioOnly: authentication == .audioOnly, isExpired: authentication == .expiredDevice)
    if authentication == .noCertificate {
      certificate = Array("certificate".utf8)
    } else {
      certificate = authentication == .halfCertificate ? Array(whole.prefix(whole.count / 2)) : whole
    }
    let issuer = authentication == .wrongChain ? credentials.tlsKey : credentials.rootKey
    intermediates =
      authentication == .noIntermediate ? [] : [try credentials.intermediate(signedBy: issuer)]
    signingKey = authentication == .otherKey ? credentials.tlsKey : key
    signedCertificate =
      authentication == .otherConnection ? try credentials.tls(.honest).certificateDER : tls.certificateDER
    crl = try credentials.revocations(
      of: authentication == .revoked ? key : nil, isOld: authentication == .oldList)
  }

  /// The answer's payload.
  func answer(to challenge: CastMessage.Payload) -> CastMessage.Payload {
    guard case .binary(let bytes) = challenge, let message = SimAuthFields.read(bytes)?[1],
      let asked = SimAuthFields.read(message.content), [nil, 1].contains(asked[1]?.number),
      let response = try? response(to: asked)
    else { return .binary(SimAuthFields.error(2)) }
    let whole = SimAuthFields.bytes(2, response)
    return .binary(authentication == .truncated ? Array(whole.dropLast(40)) : whole)
  }

  private func response(to asked: [UInt64: (number: UInt64, content: [UInt8])]) throws(TLSError) -> [UInt8] {
    let isSHA1 = authentication == .sha1 || asked[3]?.number ?? 0 == 0
    var nonce = authentication == .noNonce ? nil : asked[2]?.content
    if authentication == .replayed { nonce = Array(repeating: 7, count: 16) }
    var signature = try signingKey.signature(over: (nonce ?? []) + signedCertificate, isSHA1: isSHA1)
    if authentication == .forged { signature[signature.count / 2] ^= 1 }
    if authentication == .emptySignature { signature = [] }
    var response = SimAuthFields.bytes(1, signature) + SimAuthFields.bytes(2, certificate)
    for intermediate in intermediates { response += SimAuthFields.bytes(3, intermediate) }
    if authentication == .pss { response += SimAuthFields.number(4, 2) }
    if let nonce { response += SimAuthFields.bytes(5, nonce) }
    response += SimAuthFields.number(6, authentication == .unknownHash ? 9 : isSHA1 ? 0 : 1)
    return response + SimAuthFields.bytes(7, crl)
  }
}

extension ReceiverModel {
  /// Answers an authentication challenge (protocol 2.1).
  mutating func authenticationAsked(_ message: CastMessage, from connection: SimConnectionID) {
    let authentication = configuration.platform.authentication
    func say(_ namespace: Namespace, _ payload: CastMessage.Payload) -> Action {
      .send(
        CastMessage(
          source: message.destination, destination: message.source, namespace: namespace, payload: payload),
        to: connection)
    }
    if authentication == .hangsUp { return close(connection) }
    if authentication == .text { return actions.append(say(.deviceAuth, .string("it is me"))) }
    if authentication == .speaksFirst { actions.append(say(.heartbeat, .string(#"{"type":"PING"}"#))) }
    if let authenticator {
      actions.append(say(.deviceAuth, authenticator.answer(to: message.payload)))
    } else if let plain = authentication.plainAnswer {
      actions.append(say(.deviceAuth, .binary(plain)))
    }
  }
}
