import CastTLS
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Describes why a fetch failed.
struct HTTPErrorWords: Sendable {
  var address: HTTPAddress
  /// The time limit of the whole fetch.
  var timeout: Duration

  var cancelled: HTTPFetchError { error(.cancelled, "the request was cancelled") }
  var late: HTTPFetchError { error(.timeout, "it was not received within \(seconds)") }
  var framing: HTTPFetchError { error(.malformed, "the server sends too many headers") }
  var encoded: HTTPFetchError { error(.malformed, "it has an encoding that was not requested") }

  func tooLarge(_ limit: Int) -> HTTPFetchError {
    error(.tooLarge(limit: limit), "it is larger than \(limit) bytes")
  }

  func error(_ kind: HTTPFetchError.Kind, _ reason: String) -> HTTPFetchError {
    HTTPFetchError(kind, address: address.description, reason)
  }

  /// The error for an error of NIO, TLS or the operating system.
  func error(for error: any Error) -> HTTPFetchError {
    switch error {
    case let error as HTTPFetchError: error
    case let error as TLSError: self.error(for: error)
    case let error as NIOConnectionError: self.error(for: error)
    case let error as IOError: self.error(for: error)
    case HTTPParserError.invalidEOFState, ChannelError.eof, ChannelError.ioOnClosedChannel:
      self.error(.truncated, "the server closed the connection too early; try again")
    case is HTTPParserError:
      self.error(.malformed, "\(address.authority) does not answer in HTTP; check the port and http or https")
    case ChannelError.connectTimeout: noAnswer
    case is CancellationError: cancelled
    default: self.error(.network, "\(error)")
    }
  }

  private var noAnswer: HTTPFetchError {
    error(.unreachable, "\(address.authority) does not answer; check the address and the network")
  }

  private func error(for error: TLSError) -> HTTPFetchError {
    switch error {
    case .untrusted(let words): untrusted(words)
    case .truncated, .reset, .closed:
      self.error(.truncated, "the server closed the connection too early; try again")
    case .handshakeFailed, .closedDuringHandshake, .recordFailed, .earlyWriteLimit, .unusable, .unreadable:
      self.error(.secureTransport, "there is no secure connection to \(address.authority): \(error)")
    }
  }

  private func untrusted(_ words: String) -> HTTPFetchError {
    var error = error(
      .untrusted,
      "the certificate of \(address.authority) is not trusted: \(words); SSL_CERT_FILE names a file of trusted roots"
    )
    error.certificateFlaw = words
    return error
  }

  /// Several addresses were tried: a failed connection is more informative than a failed lookup.
  private func error(for error: NIOConnectionError) -> HTTPFetchError {
    if let last = error.connectionErrors.last { return self.error(for: last.error) }
    return self.error(.hostUnknown, "no address is known for \(address.host); check the name")
  }

  private func error(for error: IOError) -> HTTPFetchError {
    switch error.errnoCode {
    case ECONNREFUSED:
      self.error(.connectionRefused, "nothing listens at \(address.authority); check the address")
    case ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, EADDRNOTAVAIL: noAnswer
    case ECONNRESET, EPIPE: self.error(.truncated, "the server reset the connection; try again")
    default: self.error(.network, String(cString: strerror(error.errnoCode)))
    }
  }

  private var seconds: String {
    let (whole, rest) = min(timeout, .seconds(31_536_000)).components
    let tenths = Int(whole) * 10 + Int((rest + 99_999_999_999_999_999) / 100_000_000_000_000_000)
    return tenths.isMultiple(of: 10) ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
