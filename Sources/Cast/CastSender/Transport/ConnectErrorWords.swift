import CastProtocol
import CastTLS
import Glibc
import NIOCore
import NIOPosix

/// Describes why connecting to a device failed, or why a connection broke.
struct ConnectErrorWords: Sendable {
  var name: String
  var endpoint: DeviceEndpoint
  var timeout: Duration

  /// The device by name and address.
  var device: String { name == endpoint.description ? name : "\(name) (\(endpoint))" }

  var badPort: CastError {
    CastError(.invalidRequest, "\(device) cannot be called: a port is a number from 1 to 65535")
  }

  var cancelled: CastError { CastError(.cancelled, "connecting to \(device) was cancelled") }

  /// The error for an error of NIO, TLS or the operating system.
  func error(for error: any Error) -> CastError {
    switch error {
    case let error as CastError: error
    case let error as NIOConnectionError: self.error(for: error)
    case let error as IOError: self.error(for: error)
    case let error as TLSError: self.error(for: error)
    case let error as FrameError:
      CastError(
        .protocolError, "\(device) does not speak Cast: \(error); check host and port",
        underlying: String(describing: error))
    case is HandshakeTimeout:
      CastError(
        .secureTransportError,
        "\(device) accepts the connection but sends nothing for \(seconds) s; check host and port, or restart the device"
      )
    case is UnreadOutput:
      CastError(
        .networkError,
        "\(device) does not read what it is sent; check its network, or restart the device")
    case ChannelError.connectTimeout: noAnswer(underlying: nil)
    case is CancellationError: cancelled
    default: lost(underlying: nil)
    }
  }

  /// The error for a connection that breaks after TCP is established and before TLS is: the peer does not speak Cast.
  func error(beforeHandshake error: any Error) -> CastError {
    switch error {
    // A failure of this computer is unrelated to the handshake.
    case let error as IOError where ![ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN].contains(error.errnoCode):
      self.error(for: error)
    case is IOError, is ChannelError: noHandshake(underlying: nil)
    case let error as TLSError: noHandshake(underlying: error.description)
    default: self.error(for: error)
    }
  }

  private var seconds: Int { Int(bounded: timeout.seconds.rounded(.up)) }

  private func noAnswer(underlying: String?) -> CastError {
    CastError(
      .networkNotReachable,
      "\(device) does not answer within \(seconds) s; check that it is on, and that the address is right",
      underlying: underlying)
  }

  private func noHandshake(underlying: String?) -> CastError {
    CastError(
      .secureTransportError, "\(device) does not complete a TLS handshake; check host and port",
      underlying: underlying)
  }

  private func lost(underlying: String?) -> CastError {
    CastError(
      .networkError, "the connection to \(device) was lost; check its power and its network",
      underlying: underlying)
  }

  /// Several addresses were tried: a failed connection is more informative than a failed lookup.
  private func error(for error: NIOConnectionError) -> CastError {
    if let last = error.connectionErrors.last { return self.error(for: last.error) }
    return CastError(
      .hostUnknown, "no address is known for \(endpoint.host); check the name, or use the device's address")
  }

  private func error(for error: IOError) -> CastError {
    // The system's message only: the library's additions are of no use to a person.
    let words = String(cString: strerror(error.errnoCode))
    return switch error.errnoCode {
    case ECONNREFUSED:
      CastError(
        .connectionRefused,
        "\(device) does not accept connections at port \(endpoint.port): it is off, restarting, or at another port",
        underlying: words)
    case ETIMEDOUT: noAnswer(underlying: words)
    case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, EADDRNOTAVAIL:
      CastError(
        .networkNotReachable, "no route leads to \(device); check the network and the address",
        underlying: words)
    case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN, ESHUTDOWN: lost(underlying: words)
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      CastError(
        .networkError,
        "no connection to \(device): this computer is out of resources; check its memory and 'ulimit -n'",
        underlying: words)
    case EPERM, EACCES:
      CastError(
        .networkError,
        "this computer does not allow this program to connect to \(device); check its firewall and the user's permissions",
        underlying: words)
    // A local call failed: the device is not the cause.
    default:
      CastError(
        .networkError, "this computer could not connect to \(device); check its network settings",
        underlying: words)
    }
  }

  private func error(for error: TLSError) -> CastError {
    switch error {
    case .handshakeFailed, .untrusted, .closedDuringHandshake: noHandshake(underlying: error.description)
    case .truncated, .closed, .reset:
      CastError(
        .networkError, "\(device) cut off the connection; check its power and its network",
        underlying: String(describing: error))
    case .unusable, .unreadable, .recordFailed, .earlyWriteLimit:
      CastError(
        .secureTransportError, "the secure connection to \(device) failed; try again",
        underlying: String(describing: error))
    }
  }
}
