import CastGuard
import CastHTTP
import NIOCore
import Synchronization
import Testing

/// What is really connected to. The servers are on this computer, so that each arriving request is one too many.
@Suite("Fetching by the words of strangers", .timeLimit(.minutes(5))) struct GuardTests {
  private static let hello = Step.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
  private static let list = FetchGuard(.network(host: "lists.example", address: nil), allowing: LocalPlaces())

  private func fetch(_ address: String, _ rule: FetchGuard, _ lookup: AddressLookup = .system) async
    -> Result<HTTPFetched, HTTPFetchError>
  {
    do throws(HTTPFetchError) {
      return .success(
        try await HTTPClient(lookup: lookup).fetch(HTTPFetch(address, under: rule, byteLimit: 10)))
    } catch {
      return .failure(error)
    }
  }

  private func kind(_ result: Result<HTTPFetched, HTTPFetchError>) -> HTTPFetchError.Kind? {
    if case .failure(let error) = result { error.kind } else { nil }
  }

  /// Names that are known to these tests alone.
  private static func names(_ known: [String: [String]]) -> AddressLookup {
    AddressLookup { host in
      known[host]?.compactMap { try? SocketAddress(ipAddress: $0, port: 0) }
    }
  }

  @Test(
    "no notation of an address of this computer, and no name of it, is asked",
    arguments: [
      "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001", "0",
      "0.0.0.0",
      "localhost", "LocalHost", "localhost.", "127.0.0.1.", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::1]",
      "[0:0:0:0:0:0:0:1]", "[::]",
    ])
  func notations(host: String) async throws {
    try await ScriptedServer.run(answer: { _ in [Self.hello] }) { server in
      let result = await fetch("http://\(host):\(server.port)/admin?reboot=1", Self.list)
      let kind = kind(result)
      // A notation that this system does not read leads nowhere either.
      #expect(kind == .refused || kind == .hostUnknown, "\(result)")
      #expect(server.requests.isEmpty)
    }
  }

  @Test("the owner asks anything, and a list its very host")
  func allowed() async throws {
    try await ScriptedServer.run(answer: { _ in [Self.hello] }) { server in
      let address = "http://127.0.0.1:\(server.port)/"
      let exception = LocalPlaces([LocalPlace(host: "127.0.0.1", port: server.port)])
      for rule in [
        .owner, FetchGuard(.network(host: "127.0.0.1", address: nil), allowing: LocalPlaces()),
        FetchGuard(.network(host: "lists.example", address: IPAddress("127.0.0.1")), allowing: LocalPlaces()),
        FetchGuard(.receiver(host: nil), allowing: exception),
      ] {
        let fetched = try await fetch(address, rule).get()
        #expect(fetched.peer == IPAddress("127.0.0.1"))
      }
      #expect(server.requests.count == 4)
    }
  }

  @Test("a name with a good and a bad address leads to the good one alone, in either order")
  func mixed() async throws {
    try await ScriptedServer.run(host: "127.0.0.2", answer: { _ in [Self.hello] }) { good in
      try await ScriptedServer.run(answer: { _ in [Self.hello] }) { bad in
        let rule = FetchGuard(
          .network(host: "lists.example", address: IPAddress("127.0.0.2")), allowing: LocalPlaces())
        for addresses in [["127.0.0.1", "127.0.0.2"], ["::1", "127.0.0.2", "127.0.0.1"]] {
          let lookup = Self.names(["both.example": addresses])
          let fetched = try await fetch("http://both.example:\(good.port)/", rule, lookup).get()
          #expect(fetched.peer == IPAddress("127.0.0.2"))
          // Where the good one does not answer, the bad one is not asked in its place.
          #expect(kind(await fetch("http://both.example:\(bad.port)/", rule, lookup)) == .connectionRefused)
        }
        #expect(bad.requests.isEmpty)
      }
    }
  }

  @Test("a name is looked up once: what was judged is what is connected to")
  func rebinding() async throws {
    try await ScriptedServer.run(answer: { _ in [Self.hello] }) { server in
      let asked = Counter()
      let lookup = AddressLookup { _ in
        // The first answer is a stranger's own address, each later one this computer's.
        let literal = asked.next() == 1 ? "192.0.2.1" : "127.0.0.1"
        return [try? SocketAddress(ipAddress: literal, port: 0)].compactMap(\.self)
      }
      var request = HTTPFetch("http://evil.example:\(server.port)/", under: Self.list, byteLimit: 10)
      request.connectTimeout = .milliseconds(100)
      await #expect(throws: HTTPFetchError.self) { try await HTTPClient(lookup: lookup).fetch(request) }
      #expect(asked.count == 1)
      #expect(kind(await fetch("http://evil.example:\(server.port)/", Self.list, lookup)) == .refused)
      #expect(server.requests.isEmpty)
    }
  }

  @Test("a redirection is judged as the words of who redirects, also where the owner named the first address")
  func redirection() async throws {
    try await ScriptedServer.run(answer: { _ in [Self.hello] }) { bystander in
      let target = "http://127.0.0.1:\(bystander.port)/admin"
      let moved = Step.send("HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
      try await ScriptedServer.run(host: "127.0.0.2", answer: { _ in [moved] }) { stranger in
        let address = "http://127.0.0.2:\(stranger.port)/"
        for rule in [.owner, FetchGuard(.network(host: "127.0.0.2", address: nil), allowing: LocalPlaces())] {
          let result = await fetch(address, rule)
          #expect(kind(result) == .refused)
          guard case .failure(let error) = result else { continue }
          #expect(error.reason.contains("what 127.0.0.2 names"), "\(error.reason)")
          #expect(error.reason.contains("allow_local"), "\(error.reason)")
        }
        #expect(bystander.requests.isEmpty && stranger.requests.count == 2)
        let places = LocalPlaces([LocalPlace(host: "127.0.0.1", port: bystander.port)])
        _ = try await fetch(address, FetchGuard(.owner, allowing: places)).get()
        #expect(bystander.requests.count == 1)
      }
    }
  }

  @Test("a program that fetches by itself gets no address with a bad one among its own")
  func checked() async throws {
    let lookup = Self.names(["both.example": ["192.0.2.1", "127.0.0.1"], "good.example": ["192.0.2.1"]])
    let client = HTTPClient(lookup: lookup)
    try await client.check("http://good.example/", under: Self.list)
    try await client.check("http://both.example/", under: .owner)
    for address in ["http://both.example/", "http://[::1]/", "http://127.0.0.1/"] {
      let error = await #expect(throws: HTTPFetchError.self) {
        try await client.check(address, under: Self.list)
      }
      #expect(error?.kind == .refused)
    }
  }
}

private final class Counter: Sendable {
  private let value = Mutex(0)
  var count: Int { value.withLock { $0 } }
  func next() -> Int {
    value.withLock {
      $0 += 1
      return $0
    }
  }
}
