import CastProtocol
import CastTLS

/// Why authentication failed: a failed check of protocol 2.3, or an impossible one.
enum AuthenticationFlaw: Error {
  case malformed(AuthenticationFormatError)
  case text
  case errorReply(AuthErrorType)
  case challenged
  case noResponse
  case otherNamespace(Namespace)
  case silence(seconds: Int)
  case hungUp
  case refused(DeviceRefusal)
  /// The device's key, and the expected one.
  case otherKey(String, DevicePin)

  /// A device that cannot prove anything is accepted if no key is known for it; one that gives a wrong proof never is.
  var isInability: Bool {
    switch self {
    case .errorReply, .silence: true
    case .refused(let refusal): refusal.isInability
    case .malformed, .text, .challenged, .noResponse, .otherNamespace, .hungUp, .otherKey: false
    }
  }

  /// The number of the check; nil if none was reached.
  private var check: Int? {
    switch self {
    case .malformed, .text, .errorReply, .challenged, .noResponse, .otherNamespace: 1
    case .silence, .hungUp, .otherKey: nil
    case .refused(let refusal): refusal.check
    }
  }

  private var code: CastError.Code {
    switch self {
    case .malformed, .text: .deviceAuthenticationMessageParseFailure
    case .errorReply: .authenticationErrorReceived
    case .challenged: .deviceAuthenticationChallengeReceivedFailure
    case .noResponse: .malformedAuthenticationResponse
    case .silence: .deviceAuthenticationTimeoutFailure
    case .otherNamespace, .otherKey: .deviceAuthenticationFailure
    case .hungUp: .disconnected
    case .refused(let refusal): Self.code(refusal)
    }
  }

  private static func code(_ refusal: DeviceRefusal) -> CastError.Code {
    switch refusal {
    case .noTLSCertificate, .tlsCertificateUnreadable, .tlsCertificateNotYetValid, .tlsCertificateExpired,
      .tlsCertificateValidTooLong:
      .sslCertificateNotTrusted
    case .nonceMissing, .nonceMismatch, .signatureEmpty, .hashNotAccepted, .schemeNotAccepted,
      .signatureWrong:
      .malformedAuthenticationResponse
    case .untrusted(let refusal):
      switch refusal.deviceFault {
      case .notX509: .notX509Certificate
      case .malformed: .malformedClientCertificate
      case nil: .deviceCertificateNotTrusted
      }
    case .revocationListInvalid: .crlInvalid
    case .revoked: .crlCheckFailed
    case .audioOnly: .deviceCapabilityNotSupported
    }
  }

  private var reason: String {
    switch self {
    case .malformed(let error): "\(error)"
    case .text: "it answers with text instead of bytes"
    case .errorReply(let type): "it answers with \(type)"
    case .challenged: "it sends a challenge instead of a response"
    case .noResponse: "its answer is empty"
    case .otherNamespace(let namespace): "it sends a message on \(namespace) before its answer"
    case .silence(let seconds): "it does not answer within \(seconds) s"
    case .hungUp: "it closes the connection when it is challenged"
    case .refused(let refusal): "\(refusal)"
    case .otherKey(let key, let pin):
      "its key is \(key.prefix(16))…, but its pinned key is \(pin.keyHash.prefix(16))…"
    }
  }

  /// The code's advice, or a better one if more is known.
  private var advice: String {
    switch self {
    case .errorReply(.noTLS): "restart the device: it treats the connection as unencrypted"
    case .errorReply(.signatureAlgorithmUnavailable):
      "update the device: it cannot sign with SHA-256 and PKCS #1"
    case .hungUp: "try again; require no proof if it never gives one"
    case .otherKey: "forget the old key if the device was replaced or reset; otherwise do not trust it"
    case .otherNamespace: "connect again; require only the key if it always does so"
    case .refused(let refusal): refusal.advice ?? code.advice
    case .errorReply(.internalError), .errorReply(.unknown), .malformed, .text, .challenged, .noResponse,
      .silence:
      code.advice
    }
  }

  /// - Parameter device: its name and address.
  func error(for device: String) -> CastError {
    let place = check.map { " (check \($0))" } ?? ""
    var error = CastError(code, "\(device) does not prove its identity\(place): \(reason); \(advice)")
    error.authenticationCheck = check
    return error
  }
}

extension DeviceRefusal {
  /// See `AuthenticationFlaw.isInability`.
  fileprivate var isInability: Bool {
    switch self {
    case .signatureEmpty, .hashNotAccepted, .nonceMissing, .schemeNotAccepted: true
    case .noTLSCertificate, .tlsCertificateUnreadable, .tlsCertificateNotYetValid, .tlsCertificateExpired,
      .tlsCertificateValidTooLong, .nonceMismatch, .untrusted, .revocationListInvalid, .revoked,
      .signatureWrong, .audioOnly:
      false
    }
  }

  /// Better advice than the code's; nil if there is none.
  fileprivate var advice: String? {
    switch self {
    case .signatureEmpty: "require neither a pin nor a root: the device cannot prove its identity"
    case .hashNotAccepted("SHA-1"): "accept SHA-1 if the device is old"
    case .nonceMissing: "accept answers without a nonce if the device is old"
    case .tlsCertificateNotYetValid, .tlsCertificateExpired:
      "check this computer's clock, then the device's: the certificate is good for a few days only"
    case .tlsCertificateValidTooLong:
      "do not trust it; genuine devices renew this certificate every day or two"
    case .untrusted(let refusal) where [.expired, .notYetValid].contains(refusal.rule):
      "check this computer's clock, then update the device; pin its key if it gets no updates"
    case .untrusted, .noTLSCertificate, .tlsCertificateUnreadable, .nonceMismatch, .revocationListInvalid,
      .revoked, .hashNotAccepted, .schemeNotAccepted, .signatureWrong, .audioOnly:
      nil
    }
  }
}
