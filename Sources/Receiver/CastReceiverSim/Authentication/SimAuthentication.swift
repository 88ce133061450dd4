/// How a device answers an authentication challenge: honestly, not at all, or with one flaw (protocol 2).
package enum SimAuthentication: String, Sendable, CaseIterable {
  case honest
  case silent
  case internalError = "internal-error"
  case noTLS = "no-tls"
  case algorithmUnavailable = "algorithm-unavailable"
  case unknownError = "unknown-error"
  /// Closes the connection.
  case hangsUp = "hangs-up"
  /// Answers with a challenge of its own.
  case challenge
  /// A message with neither answer nor error.
  case emptyMessage = "empty-message"
  /// A text payload.
  case text
  case truncated
  /// A platform message first, then the honest answer.
  case speaksFirst = "speaks-first"
  /// A signature that was tampered with.
  case forged
  /// The answer of a device that was never provisioned (protocol 18, row 29).
  case emptySignature = "empty-signature"
  /// An answer to an earlier nonce.
  case replayed
  case noNonce = "no-nonce"
  case sha1
  case unknownHash = "unknown-hash"
  case pss
  /// An answer for the TLS certificate of another device.
  case otherConnection = "other-connection"
  /// The certificate of a device whose key it does not hold.
  case otherKey = "other-key"
  /// An honest device, but another one.
  case otherDevice = "other-device"
  case expiredTLS = "expired-tls"
  case earlyTLS = "early-tls"
  case longTLS = "long-tls"
  case noIntermediate = "no-intermediate"
  /// A path to a root of the same name that is not the root.
  case wrongChain = "wrong-chain"
  case expiredDevice = "expired-device"
  /// Bytes in place of the device's certificate.
  case noCertificate = "no-certificate"
  /// Half of the device's certificate.
  case halfCertificate = "half-certificate"
  case revoked
  /// An outdated revocation list.
  case oldList = "old-list"
  /// A certificate for audio devices.
  case audioOnly = "audio-only"

  /// Whether the answer needs keys and certificates, whose generation takes most of a second.
  var needsCredentials: Bool {
    switch self {
    case .silent, .internalError, .noTLS, .algorithmUnavailable, .unknownError, .hangsUp, .challenge,
      .emptyMessage, .text:
      false
    case .honest, .truncated, .speaksFirst, .forged, .emptySignature, .replayed, .noNonce, .sha1,
      .unknownHash, .pss, .otherConnection, .otherKey, .otherDevice, .expiredTLS, .earlyTLS, .longTLS,
      .noIntermediate, .wrongChain, .expiredDevice, .noCertificate, .halfCertificate, .revoked, .oldList,
      .audioOnly:
      true
    }
  }

  /// The payload of an answer without credentials; nil for no answer.
  var plainAnswer: [UInt8]? {
    switch self {
    case .silent, .hangsUp: nil
    case .noTLS: SimAuthFields.error(1)
    case .algorithmUnavailable: SimAuthFields.error(2)
    case .unknownError: SimAuthFields.error(77)
    case .challenge: SimAuthFields.bytes(1, SimAuthFields.bytes(2, Array(repeating: 7, count: 16)))
    case .emptyMessage: []
    case .internalError, .text, .honest, .truncated, .speaksFirst, .forged, .emptySignature, .replayed,
      .noNonce, .sha1, .unknownHash, .pss, .otherConnection, .otherKey, .otherDevice, .expiredTLS, .earlyTLS,
      .longTLS, .noIntermediate, .wrongChain, .expiredDevice, .noCertificate, .halfCertificate, .revoked,
      .oldList, .audioOnly:
      SimAuthFields.error(0)
    }
  }
}

/// The protobuf encodings that an answer needs. They share no code with the sender, so that both cannot have the same bug (protocol
/// 1.4, 2.6).
enum SimAuthFields {
  static func number(_ field: UInt8, _ value: UInt64) -> [UInt8] { [field << 3] + varint(value) }

  static func bytes(_ field: UInt8, _ content: [UInt8]) -> [UInt8] {
    [field << 3 | 2] + varint(UInt64(content.count)) + content
  }

  static func error(_ type: UInt64) -> [UInt8] { bytes(3, number(1, type)) }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest >= 128 {
      bytes.append(UInt8(rest % 128) + 128)
      rest /= 128
    }
    return bytes + [UInt8(rest)]
  }

  /// The top-level fields of a message, with their numbers or contents; nil when the bytes are no message.
  static func read(_ bytes: [UInt8]) -> [UInt64: (number: UInt64, content: [UInt8])]? {
    var fields: [UInt64: (UInt64, [UInt8])] = [:]
    var rest = bytes[...]
    func varint() -> UInt64? {
      var value: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 35, by: 7) {
        guard let byte = rest.popFirst() else { return nil }
        value |= UInt64(byte & 127) << shift
        if byte < 128 { return value }
      }
      return nil
    }
    while !rest.isEmpty {
      guard let tag = varint(), let value = varint() else { return nil }
      switch tag % 8 {
      case 0: fields[tag / 8] = (value, [])
      case 2:
        guard value <= UInt64(rest.count) else { return nil }
        fields[tag / 8] = (0, Array(rest.prefix(Int(value))))
        rest = rest.dropFirst(Int(value))
      default: return nil
      }
    }
    return fields
  }
}
