import NIOCore
import NIOEmbedded
import Testing

@testable import CastTLS

@Suite("TLS without a socket")
struct TLSEngineTests {
  @Test(
    "both sides come to terms, see each other's certificate and carry bytes both ways, in pieces of any size",
    arguments: [TLSContext.Version.tls12, .tls13], [1, 7, Int.max])
  func bothWays(version: TLSContext.Version, step: Int) throws {
    var pair = try EnginePair(version: version)
    pair.handshake(step: step)
    let peer = try #require(pair.clientOutcomes.peer)
    #expect(peer.version == (version == .tls12 ? "TLSv1.2" : "TLSv1.3"))
    #expect(!peer.cipher.isEmpty)
    #expect(try peer.certificateDER == TestIdentity.valid.get().certificateDER)
    #expect(pair.serverOutcomes.peer?.certificateDER == nil)
    try pair.client.write(ByteBuffer(string: "hello"))
    try pair.server.write(ByteBuffer(string: "world"))
    pair.pump(step: step)
    #expect(pair.serverOutcomes.plain == Array("hello".utf8))
    #expect(pair.clientOutcomes.plain == Array("world".utf8))
    pair.client.closeNotify()
    pair.pump(step: step)
    #expect(pair.serverOutcomes.last == .peerClosed)
    #expect(pair.clientOutcomes.failure == nil)
    #expect(pair.server.receive(ByteBuffer(string: "more")) == [])
  }

  @Test("a mebibyte arrives whole", arguments: [TLSContext.Version.tls12, .tls13])
  func large(version: TLSContext.Version) throws {
    var pair = try EnginePair(version: version)
    pair.handshake()
    let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try pair.client.write(ByteBuffer(bytes: bytes))
    pair.pump(step: 1000)
    #expect(pair.serverOutcomes.plain == bytes)
  }

  @Test(
    "certificates as devices present them are taken as they are",
    arguments: [(3, 0, 1000), (1, 0, 4_000_000_000), (1, 0, 1000), (3, 3_900_000_000, 4_000_000_000)]
      as [(Int, Int64, Int64)])
  func certificates(version: Int, from: Int64, until: Int64) throws {
    let identity = try TLSIdentity.selfSigned(
      commonName: "device", notBefore: from, notAfter: until, version: version)
    var pair = try EnginePair(identity: identity)
    pair.handshake()
    #expect(pair.clientOutcomes.peer?.certificateDER == identity.certificateDER)
    #expect(pair.serverOutcomes.peer != nil)
  }

  @Test(
    "a peer that does not speak TLS makes the handshake fail, in words",
    arguments: [
      "HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-x\r\n", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
    ],
    [TLSRole.client, .server])
  func garbage(text: String, role: TLSRole) throws {
    let pair = try EnginePair()
    let engine = role == .client ? pair.client : pair.server
    _ = engine.start()
    let outcomes = engine.receive(ByteBuffer(string: text))
    guard case .handshakeFailed(let words) = outcomes.failure else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(words.count > 8 && words != "no reason given")
    #expect(engine.receive(ByteBuffer(string: text)) == [])
    #expect(throws: TLSError.closed) { try engine.write(ByteBuffer(string: "x")) }
  }

  @Test("a server that offers only another version is refused in words")
  func versions() throws {
    let identity = try TestIdentity.valid.get()
    let old = try TLSEngine(context: .server(identity: identity, maximum: .tls12), role: .server)
    let new = try TLSEngine(context: .server(identity: identity, minimum: .tls13), role: .server)
    for engine in [old, new] {
      let client = try TLSEngine(context: .client(), role: .client)
      _ = client.start()
      let hello = try #require(client.takeOutput(ByteBufferAllocator()))
      #expect(engine.receive(hello).failure == nil)
    }
  }

  @Test(
    "a damaged flight of the server ends in a failure or in waiting, never in a crash",
    arguments: [TLSContext.Version.tls12, .tls13])
  func mutations(version: TLSContext.Version) throws {
    var random = TLSRandom(seed: 11)
    let identity = try TestIdentity.valid.get()
    let server = try TLSContext.server(identity: identity, minimum: version, maximum: version)
    let client = try TLSContext.client()
    var failures = 0
    for _ in 0..<300 {
      let clientEngine = try TLSEngine(context: client, role: .client)
      let serverEngine = try TLSEngine(context: server, role: .server)
      _ = clientEngine.start()
      _ = serverEngine.start()
      let hello = try #require(clientEngine.takeOutput(ByteBufferAllocator()))
      _ = serverEngine.receive(hello)
      let flight = try #require(serverEngine.takeOutput(ByteBufferAllocator()))
      var bytes = Array(flight.readableBytesView)
      random.mutate(&bytes)
      let outcomes = clientEngine.receive(ByteBuffer(bytes: bytes))
      if outcomes.failure != nil { failures += 1 }
      #expect(outcomes.plain == [])
    }
    #expect(failures > 150)
  }

  @Test("a damaged record after the handshake breaks the connection and gives no bytes")
  func badRecord() throws {
    var pair = try EnginePair()
    pair.handshake()
    try pair.client.write(ByteBuffer(string: "secret"))
    var record = try #require(pair.client.takeOutput(ByteBufferAllocator()))
    record.setInteger(
      record.getInteger(at: record.writerIndex - 1, as: UInt8.self).map { $0 ^ 1 } ?? 0,
      at: record.writerIndex - 1)
    let outcomes = pair.server.receive(record)
    #expect(outcomes.plain == [])
    guard case .connectionFailed = outcomes.failure else {
      Issue.record("\(outcomes)")
      return
    }
  }
}

/// Random numbers that are the same in every run (SplitMix64), so that a failure can be seen again.
struct TLSRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Damages bytes as a faulty or hostile peer might.
  mutating func mutate(_ bytes: inout [UInt8]) {
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      guard let index = bytes.indices.randomElement(using: &self) else { return }
      switch Int.random(in: 0..<5, using: &self) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 1: bytes[index] = UInt8.random(in: .min ... .max, using: &self)
      case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &self), at: index)
      case 3: bytes.remove(at: index)
      default: bytes.removeSubrange(index...)
      }
    }
  }
}
