import CastqMediaServer
import Glibc
import NIOPosix
import Testing

/// How connections are kept, shared, bounded and ended.
@Suite struct MediaConnectionTests {
  /// Whether there is no place for a client: it hears when to come again, and the connection ends.
  private func isSentAway(_ client: RawClient) throws -> Bool {
    let answer = try client.response()
    return try answer.status == 503 && answer.headers["retry-after"] == "5" && client.isClosedByPeer()
  }

  @Test("pipelined requests are answered in order, files and refusals alike")
  func pipelined() async throws {
    try await MediaFixture.run { media in
      let texts = (0..<8).map { String(repeating: "\($0)", count: 1000) }
      let links = try texts.indices.map { try media.publish("\($0).mp4", texts[$0]) }
      let big = try media.publish("big.mp4", size: 2 << 20)
      let client = try media.client()
      let targets = [big.path] + links.map(\.path) + ["/none"]
      client.send(targets.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
      // One more in two halves, so that a part of it waits in the decoder.
      client.send("GET \(links[3].path) HTT")
      #expect(try client.response().body.count == 2 << 20)
      for text in texts { #expect(try client.response().text == text) }
      #expect(try client.response().status == 404)
      client.send("P/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.response().text == texts[3])
      let notices = await media.notices(10)
      #expect(notices.allSatisfy { $0.isComplete && $0.client == "127.0.0.1" && $0.method == "GET" })
      #expect(notices.map(\.status) == Array(repeating: 200, count: 9) + [404])
      let names = (["big"] + texts.indices.map(String.init)).map { media.path("\($0).mp4") }
      #expect(notices.map(\.file) == names + [nil])
      #expect(notices.map(\.bytesSent) == [2 << 20] + texts.map { _ in 1000 } + [0])
    }
  }

  @Test("too many waiting requests are refused after those before them were answered")
  func waitingIsBounded() async throws {
    var limits = MediaServerLimits()
    limits.waitingRequests = 2
    try await MediaFixture.run(limits) { media in
      let link = try media.publish("big.mp4", size: 16 << 20)
      let client = try media.client(receiveBuffer: 4096)
      client.send(String(repeating: "GET \(link.path) HTTP/1.1\r\nHost: a\r\n\r\n", count: 8))
      for _ in 0..<3 { #expect(try client.response().body.count == 16 << 20) }
      #expect(try client.response().status == 429)
      #expect(try client.isClosedByPeer())
    }
  }

  @Test("parallel ranges of one file each get their own bytes")
  func parallel() async throws {
    try await MediaFixture.run { media in
      let content = (0..<40_000).map { "\($0)\n" }.joined()
      let bytes = Array(content.utf8)
      let link = try media.publish("a.mp4", content)
      let step = bytes.count / 10
      let clients = try (0..<10).map { _ in try media.client() }
      for (index, client) in clients.enumerated() {
        client.request("GET", link.path, ["Range: bytes=\(index * step)-\((index + 1) * step - 1)"])
      }
      for (index, client) in clients.enumerated().reversed() {
        #expect(try client.response().body == Array(bytes[index * step..<(index + 1) * step]))
      }
      let offsets = await media.notices(10).map(\.offset)
      #expect(offsets.sorted() == (0..<10).map { $0 * step })
    }
  }

  @Test(
    "readers that stall and then hang up cost no memory and leave no descriptor open",
    arguments: [true, false])
  func aborts(byReset: Bool) async throws {
    try await MediaFixture.run { media in
      let size = 256 << 20
      let link = try media.publish("a.mp4", size: size)
      let before = MediaFixture.residentBytes()
      let clients = try (0..<20).map { _ in try media.client(receiveBuffer: 4096) }
      for client in clients {
        client.request("GET", link.path)
        #expect(try client.response(hasBody: false).status == 200)
      }
      #expect(media.openFiles == 20)
      // An eighth of what was asked for; what other tests of this process hold meanwhile is in it.
      #expect(MediaFixture.residentBytes() - before < 20 * size / 8)
      let port = media.server.port
      let peers = MediaFixture.peers(ofPort: port)
      #expect(peers.count == 20)
      for client in clients { if byReset { client.reset() } else { client.close() } }
      let notices = await media.notices(20)
      #expect(
        notices.allSatisfy { !$0.isComplete && $0.bytesSent < size && $0.file == media.path("a.mp4") })
      #expect(media.openFiles == 0)
      await media.server.stop()
      #expect(media.server.connectionCount == 0)
      // Another test may have the port by now.
      #expect(MediaFixture.peers(ofPort: port).isDisjoint(with: peers))
    }
  }

  @Test("a large file streams whole with flat memory")
  func large() async throws {
    try await MediaFixture.run { media in
      let size = 2 << 30
      let link = try media.publish("a.mp4", size: size)
      let client = try media.client()
      let before = MediaFixture.residentBytes()
      client.request("GET", link.path, ["Connection: close"])
      let head = try client.response(hasBody: false)
      #expect(head.headers["connection"] == "close")
      #expect(client.drain() == size)
      // What other tests of this process hold meanwhile is in it.
      #expect(MediaFixture.residentBytes() - before < size / 3)
      let notices = await media.notices(1)
      #expect(notices.first?.isComplete == true && notices.first?.bytesSent == size)
    }
  }

  @Test(
    "when all 256 connections have named a file, the 257th is asked to come later, and those before it are served",
    arguments: [false, true])
  func tooMany(hasAsked: Bool) async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "film")
      let clients = try (0..<256).map { number in
        let client = try RawClient(port: media.server.port, source: "127.0.0.\(10 + number % 5)")
        #expect(try client.get(link.path).text == "film")
        return client
      }
      let late = try RawClient(port: media.server.port, source: "127.0.0.20")
      if hasAsked { late.request("GET", link.path) }
      #expect(try isSentAway(late))
      for client in clients { #expect(try client.get(link.path).text == "film") }
      #expect(media.server.connectionCount == 256)
    }
  }

  @Test(
    "the 65th connection from one address is asked to come later, others are served, and closed ones free their place"
  )
  func tooManyOfOne() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "film")
      let clients = try (0..<64).map { _ in try media.client() }
      for client in clients { #expect(try client.get(link.path).status == 200) }
      #expect(try isSentAway(media.client()))
      let other = try RawClient(port: media.server.port, source: "127.0.0.2")
      #expect(try other.get("/").status == 404)
      for _ in 0..<300 {
        let passing = try RawClient(port: media.server.port, source: "127.0.0.3")
        #expect(try passing.get("/", ["Connection: close"]).status == 404)
        #expect(try passing.isClosedByPeer())
      }
    }
  }

  @Test(
    "connections that name no file keep no device out: the oldest of them make room",
    arguments: [1, 5])
  func strangers(addresses: Int) async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "film")
      func stranger(_ number: Int) throws -> RawClient {
        try RawClient(port: media.server.port, source: "127.0.0.\(10 + number % addresses)")
      }
      // Connected before the crowd came, and without a word so far.
      let early = try RawClient(port: media.server.port, source: "127.0.0.2")
      let crowd = try (0..<300).map(stranger)
      // Those of one address have a second to ask.
      if addresses > 1 { #expect(try crowd[0].isClosedByPeer()) }
      let device = try RawClient(port: media.server.port, source: "127.0.0.3")
      #expect(try device.get(link.path).text == "film")
      #expect(try early.get(link.path).text == "film")
      // They come again and again; who has named a file stays.
      let more = try (0..<300).map(stranger)
      #expect(try device.get(link.path).text == "film")
      #expect(try early.get(link.path).text == "film")
      let again = try RawClient(port: media.server.port, source: "127.0.0.3")
      #expect(try again.get(link.path).text == "film")
      if addresses > 1 { #expect(try more[299].get("/").status == 404) }
      #expect(media.server.connectionCount <= 256)
    }
  }

  @Test("a device that is fed gets the place of a reader that takes nothing, also of one that named a file")
  func placesOfDevices() async throws {
    var limits = MediaServerLimits()
    limits.connections = 8
    try await MediaFixture.run(limits) { media in
      let link = try media.publish("a.mp4", size: 64 << 20)
      let small = try media.publish("b.mp4", "film")
      let slow = try (0..<8).map { _ in
        let reader = try RawClient(port: media.server.port, source: "127.0.0.9", receiveBuffer: 4096)
        reader.request("GET", link.path)
        #expect(try reader.response(hasBody: false).status == 200)
        return reader
      }
      let stranger = try RawClient(port: media.server.port, source: "127.0.0.20")
      #expect(try isSentAway(stranger))
      media.server.addDevice(at: "::ffff:127.0.0.7")
      let device = try RawClient(port: media.server.port, source: "127.0.0.7")
      #expect(try device.get(small.path).text == "film")
      let notices = await media.notices(2)
      #expect(notices.map(\.client).sorted { ($0 ?? "") < ($1 ?? "") } == ["127.0.0.7", "127.0.0.9"])
      #expect(media.server.connectionCount == 8)
      media.server.removeDevice(at: "127.0.0.7")
      #expect(try isSentAway(RawClient(port: media.server.port, source: "127.0.0.7")))
      #expect(slow.count == 8)
    }
  }

  @Test(
    "a request that is too large or cannot be parsed is refused, and the connection ends",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 20_000) + "\r\n\r\n", 431),
      ("GET /" + String(repeating: "x", count: 20_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 431),
      ("GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 150) + "\r\n", 431),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n"
          + String(repeating: "x", count: 100_000), 413
      ),
      ("\u{16}\u{3}\u{1}\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
      ("GET / HTTP/9.9\r\nHost: a\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("nonsense\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ])
  func refused(_ request: String, status: Int) async throws {
    try await MediaFixture.run { media in
      let client = try media.client()
      client.send(request)
      // Closing with unread bytes may overtake the answer; then the end is all there is to see.
      if let answer = try? client.response() { #expect(answer.status == status) }
      #expect(try client.isClosedByPeer())
      #expect(try media.client().get("/").status == 404)
    }
  }

  @Test(
    "a connection on which no request comes, or none that ends, is closed in time",
    arguments: [
      "", "GET / HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nbody",
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /",
    ])
  func deadlines(_ request: String) async throws {
    var limits = MediaServerLimits()
    // Who is to have an answer has the time to ask.
    let isAnswered = request.contains("\r\n\r\n") && !request.contains("POST")
    limits.requestTime = isAnswered ? .seconds(10) : .milliseconds(30)
    limits.idleTime = .milliseconds(30)
    try await MediaFixture.run(limits) { media in
      let client = try media.client()
      client.send(request)
      if isAnswered {
        #expect(try client.response().status == 404)
      }
      #expect(try client.isClosedByPeer())
    }
  }

  @Test("a sender that has finished sending still gets its answers, then the end")
  func halfClosed() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("big.mp4", size: 8 << 20)
      let client = try media.client(receiveBuffer: 4096)
      client.request("GET", link.path)
      client.request("GET", "/none")
      client.finishSending()
      #expect(try client.response().body.count == 8 << 20)
      #expect(try client.response().status == 404)
      #expect(try client.isClosedByPeer())
    }
  }

  @Test("HTTP/1.0 closes unless told otherwise, and an upgrade is answered plainly and closed")
  func oldAndNew() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "content")
      let old = try media.client()
      old.send("GET \(link.path) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      #expect(try old.response().headers["connection"] == "keep-alive")
      old.send("GET \(link.path) HTTP/1.0\r\n\r\n")
      #expect(try old.response().text == "content")
      #expect(try old.isClosedByPeer())
      let upgrade = try media.client()
      upgrade.request("GET", link.path, ["Connection: upgrade", "Upgrade: h2c"])
      #expect(try upgrade.response().text == "content")
      #expect(try upgrade.isClosedByPeer())
    }
  }

  @Test("a server is started once, says which port is taken, and after stop nobody listens")
  func lifetime() async throws {
    try await MediaFixture.run { media in
      await #expect(throws: MediaServerError.alreadyStarted) { try await media.server.start() }
      let port = media.server.port
      let second = MediaServer(host: "127.0.0.1", port: port, group: MultiThreadedEventLoopGroup.singleton)
      let error = await #expect(throws: MediaServerError.self) { try await second.start() }
      #expect(error?.description.contains("port \(port)") == true)
      let idle = try media.client()
      #expect(try idle.get("/").status == 404)
      await media.server.stop()
      #expect(try idle.isClosedByPeer())
      #expect(throws: RawClient.Failure.self) { try media.client() }
      await media.server.stop()
    }
  }
}
