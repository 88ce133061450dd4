import CastGuard
import Testing

@Suite("What the words of strangers may have asked") struct FetchGuardTests {
  private static let own = OwnComputer(
    addresses: Set(["127.0.0.1", "::1", "192.168.1.5", "2001:db8::5"].compactMap { IPAddress($0) }),
    names: ["box", "box.local"])

  private func refusal(
    _ origin: FetchOrigin, _ host: String, port: Int = 80, at address: String,
    _ places: LocalPlaces = LocalPlaces()
  ) throws -> FetchRefusal.Rule? {
    FetchGuard(origin, allowing: places)
      .refusal(of: host, port: port, at: try #require(IPAddress(address)), on: Self.own)?.rule
  }

  private static func list(_ host: String?, at address: String? = nil) -> FetchOrigin {
    .network(host: host, address: address.flatMap { IPAddress($0) })
  }

  @Test(
    "a list of the network may have asked any place but this computer and one cable",
    arguments: [
      ("127.0.0.1", FetchRefusal.Rule.thisComputer), ("127.9.9.9", .thisComputer), ("::1", .thisComputer),
      ("0.0.0.0", .thisComputer), ("::", .thisComputer), ("::ffff:127.0.0.1", .thisComputer),
      ("192.168.1.5", .thisComputer), ("2001:db8::5", .thisComputer), ("::ffff:192.168.1.5", .thisComputer),
      ("64:ff9b::c0a8:105", .thisComputer), ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal),
      ("224.0.0.1", .noHost), ("255.255.255.255", .noHost), ("ff02::1", .noHost),
      ("192.168.1.6", nil), ("10.0.0.1", nil), ("203.0.113.7", nil), ("2001:db8::6", nil),
    ] as [(String, FetchRefusal.Rule?)])
  func lists(address: String, rule: FetchRefusal.Rule?) throws {
    for origin in [Self.list("lists.example"), Self.list(nil), .resolver(host: "site.example")] {
      #expect(try refusal(origin, "any.example", at: address) == rule)
    }
    #expect(try refusal(.owner, "any.example", at: address) == nil)
  }

  @Test(
    "a list may name its very host, by the address it came from, by a number or by a name of this computer")
  func sameHost() throws {
    #expect(try refusal(Self.list("127.0.0.1"), "127.0.0.1", port: 9, at: "127.0.0.1") == nil)
    #expect(try refusal(Self.list("127.0.0.2"), "127.0.0.1", at: "127.0.0.1") == .thisComputer)
    #expect(try refusal(Self.list("192.168.1.5"), "192.168.1.5", at: "192.168.1.5") == nil)
    #expect(try refusal(Self.list("localhost"), "127.0.0.1", at: "127.0.0.1") == nil)
    #expect(try refusal(Self.list("LOCALHOST."), "localhost", at: "::1") == nil)
    #expect(try refusal(Self.list("localhost"), "192.168.1.5", at: "192.168.1.5") == .thisComputer)
    #expect(try refusal(Self.list("box.local"), "box.local", at: "192.168.1.5") == nil)
    #expect(try refusal(Self.list("box.local"), "other.local", at: "192.168.1.5") == .thisComputer)
    #expect(
      try refusal(Self.list("radio.example", at: "192.168.1.5"), "radio.example", at: "192.168.1.5") == nil)
    #expect(try refusal(.resolver(host: "127.0.0.1"), "127.0.0.1", at: "127.0.0.1") == nil)
  }

  @Test("a name that was a stranger's when it sent the list, and is this computer's now, is not that host")
  func rebinding() throws {
    #expect(try refusal(Self.list("evil.example"), "evil.example", at: "127.0.0.1") == .thisComputer)
    #expect(
      try refusal(Self.list("evil.example", at: "203.0.113.7"), "evil.example", at: "127.0.0.1")
        == .thisComputer)
  }

  @Test(
    "a receiver may name pictures of the internet and its own, and none of the local network or this computer"
  )
  func receivers() throws {
    let television = FetchOrigin.receiver(host: "192.168.1.7")
    #expect(try refusal(television, "pictures.example", at: "203.0.113.7") == nil)
    #expect(try refusal(television, "192.168.1.7", port: 8008, at: "192.168.1.7") == nil)
    #expect(try refusal(television, "::ffff:192.168.1.7", at: "::ffff:192.168.1.7") == .localNetwork)
    #expect(try refusal(television, "192.168.1.1", at: "192.168.1.1") == .localNetwork)
    #expect(try refusal(television, "169.254.1.1", at: "169.254.1.1") == .linkLocal)
    for host in ["127.0.0.1", "192.168.1.5"] {
      // A receiver that is a program of this computer has guests, too.
      #expect(try refusal(.receiver(host: host), host, at: host) == .thisComputer)
    }
    #expect(try refusal(.receiver(host: nil), "192.168.1.7", at: "192.168.1.7") == .localNetwork)
  }

  @Test("an exception holds for its host and port, by name or by number")
  func exceptions() throws {
    let places = LocalPlaces([
      LocalPlace(host: "127.0.0.1", port: 8000), LocalPlace(host: "NAS.lan.", port: 80),
    ])
    let list = Self.list("lists.example")
    #expect(try refusal(list, "127.0.0.1", port: 8000, at: "127.0.0.1", places) == nil)
    #expect(try refusal(list, "localhost", port: 8000, at: "127.0.0.1", places) == nil)
    #expect(try refusal(list, "127.0.0.1", port: 8001, at: "127.0.0.1", places) == .thisComputer)
    #expect(try refusal(list, "127.0.0.2", port: 8000, at: "127.0.0.2", places) == .thisComputer)
    #expect(try refusal(list, "nas.lan", at: "169.254.1.1", places) == nil)
    #expect(try refusal(.receiver(host: nil), "nas.lan", at: "10.0.0.1", places) == nil)
    let local = LocalPlaces([LocalPlace(host: "localhost", port: 8000)])
    #expect(try refusal(list, "evil.example", port: 8000, at: "::1", local) == nil)
    #expect(try refusal(list, "evil.example", port: 8000, at: "192.168.1.5", local) == .thisComputer)
  }

  @Test("what castq serves itself is shown, here and behind a router, and no other port is")
  func served() throws {
    let places = LocalPlaces(ownPorts: [8011])
    let television = FetchOrigin.receiver(host: "192.168.1.7")
    for host in ["192.168.1.5", "127.0.0.1", "192.168.1.1"] {
      #expect(try refusal(television, host, port: 8011, at: host, places) == nil)
      #expect(try refusal(television, host, port: 8012, at: host, places) != nil)
    }
    #expect(try refusal(television, "169.254.1.1", port: 8011, at: "169.254.1.1", places) == .linkLocal)
  }

  @Test("a redirection is the word of the host that redirects")
  func redirections() throws {
    let here = try #require(IPAddress("127.0.0.1"))
    let there = try #require(IPAddress("203.0.113.7"))
    func asks(_ rule: FetchGuard) -> Bool {
      rule.refusal(of: "127.0.0.1", port: 9, at: here, on: Self.own) == nil
    }
    #expect(asks(.owner) && !asks(FetchGuard.owner.redirected(by: "evil.example", at: there)))
    #expect(asks(FetchGuard.owner.redirected(by: "127.0.0.1", at: here)))
    let list = FetchGuard(Self.list("127.0.0.1"), allowing: LocalPlaces())
    #expect(asks(list) && !asks(list.redirected(by: "evil.example", at: there)))
    let picture = FetchGuard(.receiver(host: "192.168.1.7"), allowing: LocalPlaces())
    #expect(picture.redirected(by: "127.0.0.1", at: here) == picture)
  }

  @Test("a refusal names the address, the rule, who names it, and the exception")
  func words() throws {
    let refusal = FetchGuard(Self.list("lists.example"), allowing: LocalPlaces())
      .refusal(of: "Evil.example", port: 631, at: try #require(IPAddress("::1")), on: Self.own)
    #expect(
      refusal?.description
        == "evil.example (::1) is an address of this computer, and not asked for what lists.example names; "
        + "`allow_local: [\"evil.example:631\"]` in the configuration allows it")
  }
}
