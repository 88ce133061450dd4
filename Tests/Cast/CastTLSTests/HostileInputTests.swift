import CastProtocol
import CastTLS
import NIOCore
import Testing

@Suite("Hostile input") struct HostileInputTests {
  @Test(
    "what is no ServerHello fails the handshake with OpenSSL's words",
    arguments: [
      ("HTTP/1.1 400 Bad Request\r\n\r\n", "wrong version number"),
      ("SSH-2.0-OpenSSH_9.2\r\n", "wrong version number"),
      ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}", "alert handshake failure"),
      ("\u{16}\u{3}\u{3}\u{0}\u{4}\u{2}\u{0}\u{0}\u{0}", "length"),
    ])
  func garbage(text: String, words: String) throws {
    let engine = try TLSEngine(context: .client(), role: .client)
    _ = engine.start()
    let outcome = engine.receive(ByteBuffer(string: text))
    guard case .handshakeFailed(let reason) = outcome.failure else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reason.contains(words))
    #expect(engine.state == .closed)
    #expect(engine.receive(ByteBuffer(string: text)).failure == nil, "bytes after the end are dropped")
    #expect(throws: TLSError.closed) { try engine.write(ByteBuffer(string: "x")) }
  }

  /// The bytes a server sends to answer a ClientHello are bound to that ClientHello, so each round makes new ones.
  @Test(
    "a changed server flight never crashes, and never passes as the server's",
    arguments: [TLSVersion.v1_2, .v1_3])
  func mutatedServerFlight(version: TLSVersion) throws {
    var generator = SeededGenerator(seed: 26)
    let clientContext = try TLSContext.client()
    let serverContext = try TestCredentials.server(version)
    var failures = 0
    for _ in 0..<150 {
      let client = try TLSEngine(context: clientContext, role: .client)
      let server = try TLSEngine(context: serverContext, role: .server)
      _ = client.start()
      _ = server.receive(try #require(client.takeOutput()))
      var flight = try #require(server.takeOutput())
      mutate(&flight, &generator)
      var outcome = client.receive(flight)
      if outcome.failure == nil, outcome.completed == nil {
        // A length that grew, or a version 1.2 server whose turn is next: end it.
        if let answer = client.takeOutput() {
          let end = server.receive(answer)
          #expect(end.completed == nil)
          outcome.failure = end.failure
        } else {
          outcome = client.receive(ByteBuffer(repeating: 0, count: 70_000))
        }
      }
      if outcome.failure != nil { failures += 1 }
      #expect(outcome.completed == nil && outcome.plaintext == nil)
    }
    #expect(failures == 150)
  }

  private func mutate(_ flight: inout ByteBuffer, _ generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let index = flight.readerIndex + Int.random(in: 0..<flight.readableBytes, using: &generator)
      guard let byte = flight.getInteger(at: index, as: UInt8.self) else { return }
      flight.setInteger(byte ^ UInt8.random(in: 1...255, using: &generator), at: index)
    }
  }

  @Test("a changed ClientHello or random bytes never crash a server")
  func hostileClient() throws {
    var generator = SeededGenerator(seed: 27)
    let clientContext = try TLSContext.client()
    let serverContext = try TestCredentials.server()
    for seed in UInt64(0)..<200 {
      let client = try TLSEngine(context: clientContext, role: .client)
      _ = client.start()
      var hello = try #require(client.takeOutput())
      mutate(&hello, &generator)
      let server = try TLSEngine(context: serverContext, role: .server)
      _ = server.receive(hello)
      let outcome = server.receive(.pattern(count: 512, seed: seed))
      guard case .handshakeFailed(let words) = outcome.failure ?? .handshakeFailed("at once") else {
        Issue.record("\(outcome)")
        return
      }
      #expect(words != "OpenSSL gave no reason")
      #expect(server.state == .closed)
    }
  }
}
