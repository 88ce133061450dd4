import CastMulticast
import CastProtocol
import CastReceiverSim
import CastTLS
import FoundationEssentials
import NIOCore
import NIOPosix
import Testing

/// The responder on real sockets on loopback, on a port of its own.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AdvertisingTests {
  private let group = MultiThreadedEventLoopGroup.singleton

  @Test("a receiver is heard from its start to its end, with what runs on it")
  func life() async throws {
    let free = try await DatagramBootstrap(group: group).bind(host: "0.0.0.0", port: 0).get()
    var options = AdvertisingOptions()
    options.port = try #require(free.localAddress?.port)
    try await free.close()
    let loopback = try #require(try NetworkInterface.all().first { $0.isLoopback })
    let link = try #require(loopback.links.first { $0.family == .v4 })
    let (heard, hearing) = AsyncStream.makeStream(of: [UInt8].self)
    let (ear, failures) = await MulticastTransport.open(
      links: [link], port: options.port, group: group, deliver: { hearing.yield($0.bytes) })
    #expect(failures.isEmpty)

    let now = Int(Date().timeIntervalSince1970)
    let identity = try TLSIdentity.selfSigned(commonName: "test", notBefore: now - 60, notAfter: now + 86_400)
    var configuration = ReceiverConfiguration()
    configuration.launchDelay = .milliseconds(1)
    configuration.namespaceDelay = .milliseconds(1)
    let server = try await SimServer.start(configuration, .init(), identity: identity, on: group)
    let advertiser = try await server.advertise(options)
    #expect(advertiser.links.contains(link))

    var said = heard.makeAsyncIterator()
    var goodbyes = 0
    func next(_ isMeant: (DNSRecord) -> Bool) async throws {
      while let bytes = await said.next() {
        let message = try DNSMessage(decoding: bytes)
        goodbyes += message.answers.count { $0.timeToLive == 0 && $0.type == .srv }
        if message.isResponse, message.answers.contains(where: isMeant) { return }
      }
      Issue.record("nothing like it was said")
    }
    let port = UInt16(clamping: server.port)
    try await next { if case .srv(_, _, port, _) = $0.data { true } else { false } }
    let client = try await SenderClient.connect(port: server.port)
    let app = try await client.launch()
    #expect(app != nil)
    try await next { Air.texts($0).contains("st=1") }
    try await next { $0.name == "_%9E5E7C8F47989526C9BCD95D24084F6F0B27C5ED._sub._googlecast._tcp.local" }
    try await server.control(.rename("Wohnzimmer"))
    try await next { Air.texts($0).contains("fn=Wohnzimmer") }
    let moved = UInt16(clamping: try await server.move())
    try await next { if case .srv(_, _, moved, _) = $0.data { true } else { false } }
    // It comes back without the application, and has said no goodbye on its way.
    try await server.control(.reboot(downFor: .milliseconds(1)))
    try await next { Air.texts($0).contains("st=0") }
    // Only what it is called meanwhile tells that it is back from what it said before.
    try await server.control(.drop(for: nil, .silent))
    try await server.control(.rename("Küche"))
    try await server.control(.returnToNetwork)
    try await next { Air.texts($0).contains("fn=Küche") }
    #expect(goodbyes == 0)
    await server.stop()
    try await next { $0.timeToLive == 0 && $0.type == .srv }
    await ear.close()
  }

  @Test(
    "a receiver is told where its address is, and nowhere else",
    arguments: [
      ("127.0.0.1", [], ["lo"]), ("127.8.8.8", [], ["lo"]), ("0.0.0.0", [], ["eth9"]),
      ("192.0.2.20", [], ["eth9"]),
      ("::", ["lo", "eth9"], ["lo", "lo", "eth9", "eth9"]), ("192.0.2.20", ["127.0.0.1"], ["lo"]),
      ("203.0.113.1", [], nil), ("0.0.0.0", ["none0"], nil),
    ] as [(String, [String], [String]?)])
  func places(bind: String, interfaces: [String], expected: [String]?) {
    let loopback = NetworkInterface(
      index: 1, name: "lo", ipv4: [InterfaceAddress(bytes: [127, 0, 0, 1], prefixLength: 8)],
      ipv6: [InterfaceAddress(bytes: [UInt8](repeating: 0, count: 15) + [1], prefixLength: 128)],
      isLoopback: true,
      isMulticast: false)
    let ethernet = NetworkInterface(
      index: 2, name: "eth9", ipv4: [InterfaceAddress(bytes: [192, 0, 2, 20], prefixLength: 24)],
      ipv6: [
        InterfaceAddress(bytes: [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1], prefixLength: 64)
      ])
    var options = AdvertisingOptions()
    options.interfaces = interfaces
    let places = try? options.places(bind: bind, in: [loopback, ethernet])
    #expect(places?.map(\.link.interfaceName) == expected)
  }
}
