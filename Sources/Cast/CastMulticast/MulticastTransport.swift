package import NIOCore
import NIOPosix

/// The sockets of multicast DNS: one for each link, all on one port, shared with other programs of this computer.
///
/// Sent datagrams are also received by the sender. A unicast answer reaches only one of the programs that share the port, and maybe
/// not the one that sent the query, which must then repeat it with a multicast answer.
package final class MulticastTransport: Sendable {
  /// Called on an event loop for each datagram; must return soon.
  package typealias Deliver = @Sendable (MulticastDatagram) -> Void
  /// Called on an event loop when sending or receiving fails.
  package typealias Report = @Sendable (MulticastLink, MulticastError) -> Void

  /// Maximum size of a datagram in bytes, both ways (RFC 6762, 17); longer ones are dropped.
  package static let lengthLimit = 9000

  private let port: Int
  private let loop: any EventLoop
  private let table = LinkTable()
  private let deliver: Deliver
  private let report: Report

  private init(port: Int, loop: any EventLoop, deliver: @escaping Deliver, report: @escaping Report) {
    self.port = port
    self.loop = loop
    self.deliver = deliver
    self.report = report
  }

  /// Opens each link that is available.
  ///
  /// - Returns: the transport, open on all links but those with an error.
  package static func open(
    links: [MulticastLink], port: Int = 5353, group: any EventLoopGroup, deliver: @escaping Deliver,
    report: @escaping Report = { _, _ in }
  ) async -> (MulticastTransport, failures: [MulticastLink: MulticastError]) {
    let transport = MulticastTransport(port: port, loop: group.next(), deliver: deliver, report: report)
    return (transport, await transport.use(links))
  }

  /// The links that are open.
  package var links: Set<MulticastLink> { table.links }

  /// Changes the links: opens the new ones, closes those that are missing, and updates the addresses of the others. Calls must not
  /// overlap.
  ///
  /// - Returns: the errors of links that are not open.
  package func use(_ links: [MulticastLink]) async -> [MulticastLink: MulticastError] {
    for link in table.links.subtracting(links) { await close(link) }
    let interfaces: [NetworkInterface]
    do throws(MulticastError) {
      interfaces = try NetworkInterface.all()
    } catch {
      return Dictionary(links.map { ($0, error) }) { first, _ in first }
    }
    var failures: [MulticastLink: MulticastError] = [:]
    for link in links {
      do throws(MulticastError) {
        let addresses = try addresses(of: link, in: interfaces)
        if table.links.contains(link) {
          table.update(link, addresses: addresses)
        } else if let address = addresses.first {
          try await open(link, address, addresses)
        }
      } catch {
        failures[link] = error
      }
    }
    return failures
  }

  private func addresses(
    of link: MulticastLink, in interfaces: [NetworkInterface]
  ) throws(MulticastError) -> [InterfaceAddress] {
    let own = interfaces.first { $0.index == link.interfaceIndex && $0.name == link.interfaceName }
    guard let own else { throw .noSuchInterface(link) }
    let addresses = own.addresses(link.family)
    guard !addresses.isEmpty else { throw .noAddress(link) }
    return addresses
  }

  private func open(
    _ link: MulticastLink, _ address: InterfaceAddress, _ addresses: [InterfaceAddress]
  ) async throws(MulticastError) {
    let socket = MulticastSocket(link: link, port: port, address: address)
    let (port, table, deliver, report) = (port, table, deliver, report)
    let channel = try await socket.open(on: loop) {
      MulticastHandler(own: link, port: port, links: table, deliver: deliver, report: report)
    }
    table.add(link, channel, addresses: addresses)
  }

  /// Sends to the group on the link. Failures are reported.
  package func send(_ bytes: [UInt8], on link: MulticastLink) {
    do {
      send(bytes, to: try MulticastSocket.group(link, port: port), on: link)
    } catch {
      report(link, MulticastError(error, doing: "sending", on: link, port: port))
    }
  }

  /// Sends to one address on the link. Failures are reported.
  package func send(_ bytes: [UInt8], to address: SocketAddress, on link: MulticastLink) {
    let (report, port) = (report, port)
    guard let channel = table.channel(of: link) else { return report(link, .closed(link)) }
    guard bytes.count <= Self.lengthLimit else { return report(link, .tooLong(link, count: bytes.count)) }
    guard address.ipBytes.count == (link.family == .v4 ? 4 : 16) else {
      return report(link, .wrongFamily(link, address: address.description))
    }
    guard channel.isWritable else { return report(link, .congested(link)) }
    channel.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: bytes)))
      .whenFailure { report(link, MulticastError($0, doing: "sending", on: link, port: port)) }
  }

  private func close(_ link: MulticastLink) async {
    guard let channel = table.remove(link) else { return }
    await withCheckedContinuation { continuation in
      channel.close().whenComplete { _ in continuation.resume() }
    }
  }

  /// Leaves the groups and closes the sockets; queued datagrams are sent first.
  package func close() async {
    for link in table.links { await close(link) }
  }
}
