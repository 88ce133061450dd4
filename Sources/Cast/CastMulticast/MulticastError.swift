import Glibc
import NIOCore

/// Why a link cannot be used, with a message for a person.
package enum MulticastError: Error, Sendable, Hashable, CustomStringConvertible {
  case interfacesUnreadable(reason: String)
  case noSuchInterface(MulticastLink)
  case noAddress(MulticastLink)
  case portInUse(MulticastLink, port: Int)
  case notPermitted(MulticastLink, doing: String)
  /// The system has no route for sending.
  case noRoute(MulticastLink)
  /// The address family differs from the link's.
  case wrongFamily(MulticastLink, address: String)
  case tooLong(MulticastLink, count: Int)
  /// Too many datagrams are queued.
  case congested(MulticastLink)
  /// It was never opened, or is closed.
  case closed(MulticastLink)
  case system(MulticastLink, doing: String, reason: String)

  package var description: String {
    switch self {
    case .interfacesUnreadable(let reason): "the network interfaces cannot be listed: \(reason)"
    case .noSuchInterface(let link):
      "there is no network interface \(link.interfaceName); “ip address” lists those there are"
    case .noAddress(let link):
      "\(link.interfaceName) has no \(link.family.rawValue) address; give it one, or use another interface"
    case .portInUse(let link, let port):
      "UDP port \(port) is in use for \(link) by a program that does not share it; “ss -ulpn sport = :\(port)” "
        + "names it: stop it, or tell it to share (avahi-daemon: disallow-other-stacks=no)"
    case .notPermitted(let link, let doing):
      "\(doing) is not permitted for \(link); check the firewall, or what the sandbox allows (UDP port 5353)"
    case .noRoute(let link):
      "multicast cannot be sent on \(link); check that the interface is up and has a route for it"
    case .wrongFamily(let link, let address): "\(address) cannot be reached on \(link)"
    case .tooLong(let link, let count): "\(count) bytes are too many for one datagram on \(link)"
    case .congested(let link): "\(link) does not send datagrams as fast as they are queued; one was dropped"
    case .closed(let link): "\(link) is not open"
    case .system(let link, let doing, let reason): "\(doing) failed for \(link): \(reason)"
    }
  }

  /// An error of the system.
  ///
  /// - Parameter doing: the operation, as the beginning of a sentence: “listening on UDP port 5353”.
  init(_ error: any Error, doing: String, on link: MulticastLink, port: Int) {
    guard let error = error as? IOError else {
      let isClosed =
        (error as? ChannelError).map { $0 == .ioOnClosedChannel || $0 == .alreadyClosed } ?? false
      self = isClosed ? .closed(link) : .system(link, doing: doing, reason: "\(error)")
      return
    }
    switch error.errnoCode {
    case EADDRINUSE: self = .portInUse(link, port: port)
    case EACCES, EPERM: self = .notPermitted(link, doing: doing)
    case ENODEV, ENXIO: self = .noSuchInterface(link)
    case EADDRNOTAVAIL: self = .noAddress(link)
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN: self = .noRoute(link)
    case EMSGSIZE: self = .system(link, doing: doing, reason: "the datagram is too long for the network")
    default: self = .system(link, doing: doing, reason: String(cString: strerror(error.errnoCode)))
    }
  }
}
