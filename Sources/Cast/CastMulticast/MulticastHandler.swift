import Glibc
import NIOCore

/// Passes on a socket's datagrams that belong to one of the transport's links.
///
/// A unicast datagram may arrive at any socket of this port, so the receiving interface determines the link, not the socket.
final class MulticastHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private let own: MulticastLink
  private let port: Int
  private let links: LinkTable
  private let deliver: @Sendable (MulticastDatagram) -> Void
  private let report: @Sendable (MulticastLink, MulticastError) -> Void

  init(
    own: MulticastLink, port: Int, links: LinkTable, deliver: @escaping @Sendable (MulticastDatagram) -> Void,
    report: @escaping @Sendable (MulticastLink, MulticastError) -> Void
  ) {
    self.own = own
    self.port = port
    self.links = links
    self.deliver = deliver
    self.report = report
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    // Without the interface the link is unknown.
    guard let arrival = envelope.metadata?.packetInfo,
      envelope.data.readableBytes <= MulticastTransport.lengthLimit,
      let link = links.link(interfaceIndex: arrival.interfaceIndex, family: own.family)
    else { return }
    // A unicast datagram may come from any host of the Internet (RFC 6762, 5.5 and 11).
    guard
      arrival.destinationAddress.isMulticast || links.isNeighbour(envelope.remoteAddress.ipBytes, of: link)
    else { return }
    deliver(
      MulticastDatagram(
        bytes: Array(envelope.data.readableBytesView), link: link, source: envelope.remoteAddress))
  }

  /// The system reports an undeliverable datagram late; the socket continues.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    report(own, MulticastError(error, doing: "receiving", on: own, port: port))
  }
}

extension SocketAddress {
  /// In network order; empty if it is not an IP address.
  var ipBytes: [UInt8] {
    guard let text = ipAddress else { return [] }
    let isIPv4 = self.protocol == .inet
    var bytes = [UInt8](repeating: 0, count: isIPv4 ? 4 : 16)
    return inet_pton(isIPv4 ? AF_INET : AF_INET6, text, &bytes) == 1 ? bytes : []
  }
}
