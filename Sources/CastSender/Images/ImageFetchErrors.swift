import CastHTTP
import CastProtocol

extension HTTPFetchError {
  /// The SDK's error for it, in the same words.
  var castError: CastError {
    let code: CastError.Code =
      switch kind {
      case .badAddress: .invalidRequest
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

  /// Whether the server may say something else another time, so that what is known stays good.
  var isPassing: Bool {
    switch kind {
    case .hostUnknown, .connectionRefused, .unreachable, .timeout, .truncated, .network: true
    // Somebody stands in the way, such as the sign-in page of a network.
    case .untrusted, .secureTransport: true
    case .status(let code): code >= 500 || code == 429 || code == 408
    case .badAddress, .tooLarge, .redirect, .malformed, .cancelled: false
    }
  }
}
