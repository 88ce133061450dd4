import CastqMediaServer
import Glibc
import Testing

@Suite struct LocalAddressTests {
  @Test("a device on this machine gets 127.0.0.1", arguments: ["127.0.0.1", "127.0.0.9", "::ffff:127.0.0.1"])
  func loopback(_ device: String) throws {
    #expect(try LocalAddress.reaching(device).literal == "127.0.0.1")
  }

  @Test("every address of this machine is reached from itself, without its zone")
  func ownAddresses() throws {
    var list: UnsafeMutablePointer<ifaddrs>?
    try #require(getifaddrs(&list) == 0)
    defer { freeifaddrs(list) }
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, entry.ifa_flags & CUnsignedInt(IFF_UP) != 0 else {
        continue
      }
      let family = CInt(address.pointee.sa_family)
      guard family == AF_INET || family == AF_INET6 else { continue }
      let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      var text = [CChar](repeating: 0, count: 128)
      try #require(getnameinfo(address, socklen_t(size), &text, 128, nil, 0, NI_NUMERICHOST) == 0)
      let device = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let bare = String(device.prefix { $0 != "%" })
      let isLoopback = bare == "::1" || bare.hasPrefix("127.")
      #expect(try LocalAddress.reaching(device).literal == (isLoopback ? "127.0.0.1" : bare))
    }
  }

  @Test(
    "what is not the address of one host is refused with its reason",
    arguments: [
      ("tv.local", .notAnAddress("tv.local")), ("", .notAnAddress("")),
      ("192.0.2.1:8009", .notAnAddress("192.0.2.1:8009")),
      ("0.0.0.0", .notAHost("0.0.0.0")), ("::", .notAHost("::")), ("224.0.0.251", .notAHost("224.0.0.251")),
      ("255.255.255.255", .notAHost("255.255.255.255")), ("ff02::fb", .notAHost("ff02::fb")),
    ] as [(String, LocalAddressError)])
  func refused(_ device: String, error: LocalAddressError) {
    #expect(throws: error) { try LocalAddress.reaching(device) }
  }

  @Test(
    "an IPv6 host stands in brackets and without its zone",
    arguments: [
      ("192.0.2.7", "192.0.2.7"), ("fe80::1%eth0", "[fe80::1]"), ("[fe80::1%25eth0]", "[fe80::1]"),
      ("2001:db8::1", "[2001:db8::1]"), ("[2001:db8::1]", "[2001:db8::1]"),
      ("media.example", "media.example"),
    ])
  func urlHost(_ host: String, written: String) {
    #expect(LocalAddress.urlHost(of: host) == written)
  }
}
