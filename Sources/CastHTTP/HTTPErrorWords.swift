import CastTLS
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Says in words what kept us from an address.
struct HTTPErrorWords: Sendable {
  var address: HTTPAddress
  /// For everything.
  var timeout: Duration

  var cancelled: HTTPFetchError { HTTPFetchError(.cancelled, "fetching \(address) was given up") }

  var late: HTTPFetchError {
    HTTPFetchError(.timeout, "\(address) does not come within \(seconds(timeout)); try again")
  }

  var framing: HTTPFetchError {
    HTTPFetchError(.malformed, "\(address) sends more headers than anybody needs")
  }

  func tooLarge(_ limit: Int) -> HTTPFetchError {
    HTTPFetchError(.tooLarge(limit: limit), "\(address) is larger than \(limit) bytes")
  }

  var encoded: HTTPFetchError {
    HTTPFetchError(.malformed, "\(address) comes in an encoding that was not asked for")
  }

  /// The error for whatever NIO, TLS or the operating system reports.
  func error(for error: any Error) -> HTTPFetchError {
    switch error {
    case let error as HTTPFetchError: error
    case let error as TLSError: self.error(for: error)
    case let error as NIOConnectionError: self.error(for: error)
    case let error as IOError: self.error(for: error)
    case HTTPParserError.invalidEOFState, ChannelError.eof, ChannelError.ioOnClosedChannel:
      HTTPFetchError(
        .truncated, "\(address) breaks off: the server closed the connection too early; try again")
    case is HTTPParserError:
      HTTPFetchError(.malformed, "\(authority) does not answer in HTTP; check the port and http or https")
    case ChannelError.connectTimeout: noAnswer
    case is CancellationError: cancelled
    default: HTTPFetchError(.network, "\(address) cannot be fetched: \(error)")
    }
  }

  private var authority: String { address.authority }

  private var noAnswer: HTTPFetchError {
    HTTPFetchError(.unreachable, "\(authority) does not answer; check the address and the network")
  }

  private func error(for error: TLSError) -> HTTPFetchError {
    switch error {
    case .untrusted(let words):
      HTTPFetchError(
        .untrusted,
        "the certificate of \(authority) is not trusted: \(words); SSL_CERT_FILE names a file of further roots"
      )
    case .truncated, .reset, .closed:
      HTTPFetchError(.truncated, "\(address) breaks off: \(error)")
    case .handshakeFailed, .closedDuringHandshake, .recordFailed, .earlyWriteLimit, .unusable:
      HTTPFetchError(.secureTransport, "no secure connection to \(authority): \(error)")
    }
  }

  /// Several addresses were tried: one that was found but failed tells more than one that was not found.
  private func error(for error: NIOConnectionError) -> HTTPFetchError {
    if let last = error.connectionErrors.last { return self.error(for: last.error) }
    return HTTPFetchError(.hostUnknown, "no address is known for \(address.host); check the name")
  }

  private func error(for error: IOError) -> HTTPFetchError {
    switch error.errnoCode {
    case ECONNREFUSED:
      HTTPFetchError(.connectionRefused, "nobody listens at \(authority); check the address")
    case ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, EADDRNOTAVAIL: noAnswer
    case ECONNRESET, EPIPE:
      HTTPFetchError(.truncated, "\(address) breaks off: the server reset the connection; try again")
    default:
      HTTPFetchError(
        .network, "\(address) cannot be fetched: \(String(cString: strerror(error.errnoCode)))")
    }
  }

  private func seconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded(.up))
    return tenths.isMultiple(of: 10) ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
