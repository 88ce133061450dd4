import CastMulticast
import Testing

struct NetworkInterfaceTests {
  @Test("loopback is there, with its address and both of its names")
  func loopback() throws {
    let interface = try #require(try NetworkInterface.all().first { $0.isLoopback })
    #expect(interface.isUp && interface.index > 0)
    #expect(interface.ipv4.contains(InterfaceAddress(bytes: [127, 0, 0, 1], prefixLength: 8)))
    #expect(interface.isMeant(by: interface.name) && interface.isMeant(by: "127.0.0.1"))
    #expect(!interface.isMeant(by: "127.0.0.2") && !interface.isMeant(by: ""))
    #expect(interface.links.contains { $0.family == .v4 })
  }

  @Test("an interface that is down or cannot do multicast has no links")
  func links() {
    let address = [InterfaceAddress(bytes: [192, 0, 2, 1], prefixLength: 24)]
    func links(isUp: Bool = true, isMulticast: Bool = true) -> Int {
      NetworkInterface(index: 2, name: "a", ipv4: address, ipv6: [], isUp: isUp, isMulticast: isMulticast)
        .links.count
    }
    #expect(links() == 1)
    #expect(links(isUp: false) == 0)
    #expect(links(isMulticast: false) == 0)
  }

  @Test(
    "a neighbour shares the prefix, to the bit",
    arguments: [
      (24, [192, 0, 2, 77], true), (24, [192, 0, 3, 1], false), (23, [192, 0, 3, 1], true),
      (0, [8, 8, 8, 8], true), (32, [192, 0, 2, 1], true), (32, [192, 0, 2, 2], false),
      (24, [192, 0], false),
    ] as [(Int, [UInt8], Bool)])
  func neighbours(prefix: Int, other: [UInt8], isNeighbour: Bool) {
    let address = InterfaceAddress(bytes: [192, 0, 2, 1], prefixLength: prefix)
    #expect(address.isNeighbour(other) == isNeighbour)
  }

  @Test("an address is written as people write it")
  func text() {
    let address = InterfaceAddress(
      bytes: [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1], prefixLength: 64)
    #expect("\(address)" == "fe80::1")
    #expect("\(InterfaceAddress(bytes: [192, 0, 2, 1], prefixLength: 24))" == "192.0.2.1")
  }
}
