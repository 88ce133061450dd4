import CastHTTP
import CastProtocol

extension HTTPFetchError {
  /// The SDK's error for it, with the same message.
  var castError: CastError {
    let code: CastError.Code =
      switch kind {
      case .badAddress: .invalidRequest
      case .refused: .notAllowed
      case .hostUnknown: .hostUnknown
      case .connectionRefused: .connectionRefused
      case .unreachable: .networkNotReachable
      case .untrusted: .sslCertificateNotTrusted
      case .secureTransport: .secureTransportError
      case .timeout: .timeout
      case .tooLarge: .messageTooBig
      case .redirect, .status, .malformed: .invalidResponse
      case .truncated, .network: .networkError
      case .cancelled: .cancelled
      }
    return CastError(code, description)
  }

  /// Whether the server may answer differently later, so that a cached image remains valid.
  var isPassing: Bool {
    switch kind {
    case .hostUnknown, .connectionRefused, .unreachable, .timeout, .truncated, .network: true
    // An intermediary answered, such as the sign-in page of a network.
    case .untrusted, .secureTransport: true
    case .status(let code): code >= 500 || code == 429 || code == 408
    case .badAddress, .refused, .tooLarge, .redirect, .malformed, .cancelled: false
    }
  }
}
