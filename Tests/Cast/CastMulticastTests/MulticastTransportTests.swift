import CastMulticast
import Glibc
import NIOCore
import NIOPosix
import Testing

/// Sockets on loopback, on a port of their own.
@Suite(.timeLimit(.minutes(5)))
struct MulticastTransportTests {
  let group = MultiThreadedEventLoopGroup.singleton

  func loopback(_ family: MulticastLink.Family = .v4) throws -> MulticastLink {
    let interface = try #require(try NetworkInterface.all().first { $0.isLoopback })
    return try #require(interface.links.first { $0.family == family })
  }

  /// A port that nobody has just now.
  func freePort() async throws -> Int {
    // A child that another test just starts has a copy of this socket for a moment, which must not keep the port.
    let channel = try await DatagramBootstrap(group: group).channelOption(
      .socketOption(.so_reuseaddr), value: 1
    )
    .bind(host: "0.0.0.0", port: 0).get()
    let port = try #require(channel.localAddress?.port)
    try await channel.close()
    return port
  }

  /// A transport and what it hears and reports.
  private struct Ear {
    var transport: MulticastTransport
    var failures: [MulticastLink: MulticastError]
    var heard: AsyncStream<MulticastDatagram>.Iterator
    var reported: AsyncStream<MulticastError>.Iterator
  }

  private func open(_ links: [MulticastLink], port: Int) async -> Ear {
    let (heard, hearing) = AsyncStream.makeStream(of: MulticastDatagram.self)
    let (reported, reporting) = AsyncStream.makeStream(of: MulticastError.self)
    let (transport, failures) = await MulticastTransport.open(
      links: links, port: port, group: group, deliver: { hearing.yield($0) }, report: { reporting.yield($1) })
    return Ear(
      transport: transport, failures: failures, heard: heard.makeAsyncIterator(),
      reported: reported.makeAsyncIterator())
  }

  @Test("everybody on the link hears what is sent to the group, the sender too")
  func toTheGroup() async throws {
    let (link, port) = (try loopback(), try await freePort())
    var first = await open([link], port: port)
    var second = await open([link], port: port)
    #expect(first.failures.isEmpty && second.failures.isEmpty)
    first.transport.send([1, 2, 3], on: link)
    let own = try #require(await first.heard.next())
    let other = try #require(await second.heard.next())
    for datagram in [own, other] {
      #expect(datagram.bytes == [1, 2, 3])
      #expect(datagram.link == link)
      #expect(datagram.source.ipAddress == "127.0.0.1")
      #expect(datagram.source.port == port)
    }
    await first.transport.close()
    await second.transport.close()
  }

  @Test("a datagram to one address is heard there, and one of the longest size arrives whole")
  func toOne() async throws {
    let (link, port) = (try loopback(), try await freePort())
    var ear = await open([link], port: port)
    #expect(ear.failures.isEmpty)
    let longest = [UInt8](repeating: 7, count: MulticastTransport.lengthLimit)
    ear.transport.send(longest, to: try SocketAddress(ipAddress: "127.0.0.1", port: port), on: link)
    #expect(await ear.heard.next()?.bytes == longest)
    await ear.transport.close()
  }

  @Test("a datagram that is too long is dropped, and what comes after it is heard")
  func tooLong() async throws {
    let (link, port) = (try loopback(), try await freePort())
    var ear = await open([link], port: port)
    let stranger = try await DatagramBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
    for count in [MulticastTransport.lengthLimit + 1, 5] {
      let data = ByteBuffer(repeating: 1, count: count)
      let target = try SocketAddress(ipAddress: "127.0.0.1", port: port)
      try await stranger.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: data))
    }
    #expect(await ear.heard.next()?.bytes.count == 5)
    try await stranger.close()
    await ear.transport.close()
  }

  @Test("what cannot be sent is reported with the reason")
  func sendFailures() async throws {
    let (link, other, port) = (try loopback(), try loopback(.v6), try await freePort())
    var ear = await open([link], port: port)
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
    ear.transport.send([UInt8](repeating: 1, count: 9001), on: link)
    #expect(await ear.reported.next() == .tooLong(link, count: 9001))
    ear.transport.send([1], to: try SocketAddress(ipAddress: "::1", port: port), on: link)
    #expect(await ear.reported.next() == .wrongFamily(link, address: "[IPv6]::1:\(port)"))
    ear.transport.send([1], on: other)
    #expect(await ear.reported.next() == .closed(other))
    await ear.transport.close()
    ear.transport.send([1], to: address, on: link)
    #expect(await ear.reported.next() == .closed(link))
  }

  @Test("a link that cannot be had is a failure with advice, and the others open")
  func openFailures() async throws {
    let (link, port) = (try loopback(), try await freePort())
    let missing = MulticastLink(interfaceIndex: 9999, interfaceName: "none0", family: .v4)
    let ear = await open([missing, link], port: port)
    #expect(ear.failures == [missing: .noSuchInterface(missing)])
    #expect("\(MulticastError.noSuchInterface(missing))".contains("no network interface none0"))
    #expect(ear.transport.links == [link])
    await ear.transport.close()
    #expect(ear.transport.links.isEmpty)
  }

  @Test("a port that another program keeps for itself is told with its number")
  func portInUse() async throws {
    let link = try loopback()
    let selfish = try await DatagramBootstrap(group: group).bind(host: "0.0.0.0", port: 0).get()
    let port = try #require(selfish.localAddress?.port)
    let ear = await open([link], port: port)
    #expect(ear.failures == [link: .portInUse(link, port: port)])
    try await selfish.close()
  }

  @Test("links can be left and taken again")
  func changing() async throws {
    let (link, port) = (try loopback(), try await freePort())
    var ear = await open([link], port: port)
    #expect(await ear.transport.use([]).isEmpty)
    #expect(ear.transport.links.isEmpty)
    for _ in 0..<2 { #expect(await ear.transport.use([link]).isEmpty) }
    ear.transport.send([4], on: link)
    #expect(await ear.heard.next()?.bytes == [4])
    await ear.transport.close()
  }

  @Test("a thousand openings leave no descriptor behind")
  func descriptors() async throws {
    // In a process of its own: other tests of this one open and close descriptors all the time.
    await #expect(processExitsWith: .success) {
      let tests = MulticastTransportTests()
      let (link, port) = (try tests.loopback(), try await tests.freePort())
      func open() async {
        let (transport, failures) = await MulticastTransport.open(
          links: [link], port: port, group: tests.group, deliver: { _ in })
        #expect(failures.isEmpty)
        await transport.close()
      }
      // The first one starts threads, which have descriptors of their own.
      await open()
      let before = dup(0)
      for _ in 0..<1000 { await open() }
      let after = dup(0)
      // The runtime and the test library open some when they first need them; a thousand would be seen.
      #expect(after < before + 100)
      for descriptor in [before, after] { close(descriptor) }
    }
  }
}
