import CastGuard
import Testing

@Suite("Where an IP address leads") struct AddressScopeTests {
  @Test(
    "each notation of an address leads where the address does",
    arguments: [
      ("127.0.0.1", AddressScope.loopback), ("127.255.255.254", .loopback), ("::1", .loopback),
      ("0:0:0:0:0:0:0:1", .loopback), ("::ffff:127.0.0.1", .loopback), ("::ffff:7f00:1", .loopback),
      ("::127.0.0.1", .loopback), ("::ffff:0:127.0.0.1", .loopback), ("64:ff9b::127.0.0.1", .loopback),
      ("64:ff9b::7f00:1", .loopback), ("64:ff9b:1::7f00:1", .loopback), ("2002:7f00:1::", .loopback),
      ("2001::80ff:fffe", .loopback), ("2001:db8::5efe:7f00:1", .loopback), ("[::1]", .loopback),
      ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified), ("::", .unspecified),
      ("::ffff:0.0.0.0", .unspecified),
      ("169.254.0.1", .linkLocal), ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal),
      ("febf::1", .linkLocal), ("::ffff:169.254.169.254", .linkLocal), ("64:ff9b::a9fe:a9fe", .linkLocal),
      ("224.0.0.251", .multicast), ("239.255.255.250", .multicast), ("ff02::fb", .multicast),
      ("240.0.0.1", .reserved), ("255.255.255.255", .reserved),
      ("10.0.0.1", .local), ("172.16.0.1", .local), ("172.31.255.255", .local), ("192.168.1.1", .local),
      ("100.64.0.1", .local), ("fd00::1", .local), ("fec0::1", .local), ("::ffff:10.0.0.1", .local),
      ("192.0.2.1", .open), ("172.32.0.1", .open), ("172.15.0.1", .open), ("128.0.0.1", .open),
      ("100.128.0.1", .open), ("2001:db8::1", .open), ("64:ff9b::c000:201", .open), ("fe00::1", .open),
    ])
  func scopes(text: String, scope: AddressScope) throws {
    #expect(try #require(IPAddress(text)).scope == scope)
  }

  @Test(
    "what only some programs read as an address is none: the system resolves it",
    arguments: [
      "", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.01", "127.0.0.256",
      "1.2.3",
      "1.2.3.4.5", "127.0.0.1.", " 127.0.0.1", "+1.2.3.4", "[127.0.0.1]", ":::", "1::2::3", "::1%lo", "::g",
      "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8:9", "::12345", ":1", "1:", "::1.2.3",
      "1.2.3.4::",
      "localhost", "::ffff:127.0.0.1.",
    ])
  func names(text: String) { #expect(IPAddress(text) == nil) }

  @Test(
    "an address is written as everybody reads it",
    arguments: [
      ("127.0.0.1", "127.0.0.1"), ("0:0:0:0:0:0:0:0", "::"), ("::0001", "::1"),
      ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
      ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"), ("1:0:0:0:0:0:0:0", "1::"),
      ("::ffff:7f00:1", "::ffff:127.0.0.1"),
    ])
  func written(text: String, words: String) throws {
    let address = try #require(IPAddress(text))
    #expect("\(address)" == words)
    #expect(IPAddress(words) == address)
  }
}
