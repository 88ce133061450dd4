import CastProtocol
import CastqGzip
import CastqOperations
import HTTPTypes
import NIOCore
import Testing
@testable import CastqWeb

#if CASTQ_GZIP
  import NIOEmbedded
  import NIOHTTP1
  import NIOHTTPCompression
#endif

@Suite("What is compressed on its way", .timeLimit(.minutes(10)))
struct GzipTests {
  private static let gzip = ["Accept-Encoding: br, gzip"]

  /// A document of more than a packet, with letters of two bytes.
  private static let long: JSONValue = ["title": .string(String(repeating: "Menü ", count: 400))]

  #if CASTQ_GZIP
    @Test(
      "who reads gzip gets pages, files and documents compressed, and they are the same bytes",
      arguments: [
        "/", "/settings", "/history", "app.js", "app.css", "/api/v1/openapi.json", "/api/v1/devices",
      ])
    func compressed(_ path: String) async throws {
      try await WebStage.with { stage in
        stage.documents.answerAll(Self.long)
        let path = path.hasPrefix("/") ? path : stage.site.assets.path(path)
        let plain = try await stage.ask("GET", path)
        let packed = try await stage.ask("GET", path, Self.gzip)
        #expect(plain.fields["content-encoding"] == nil && packed.fields["content-encoding"] == "gzip")
        #expect(
          packed.status == plain.status && packed.fields["content-type"] == plain.fields["content-type"])
        #expect(packed.fields["content-length"] == "\(packed.bytes.count)")
        #expect(packed.bytes.count * 2 < plain.bytes.count)
        // The clock of a page may have gone on once.
        let after = try await stage.ask("GET", path)
        #expect([plain.bytes, after.bytes].contains(try Self.unpacked(packed)))
        #expect(plain.fields["vary"] == "Accept-Encoding" && packed.fields["vary"] == "Accept-Encoding")
      }
    }

    @Test("a signed proof that was compressed has each of its bytes")
    func proof() async throws {
      try await WebStage.with { stage in
        stage.documents.answerAll(Self.long)
        func proof(_ fields: [String]) async throws -> RawAnswer {
          try await stage.ask(
            "POST", "/reports/proof",
            fields + ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"])
        }
        let (plain, packed) = (try await proof([]), try await proof(Self.gzip))
        #expect(packed.fields["content-encoding"] == "gzip" && plain.bytes.count > PackedAnswer.least)
        #expect(try Self.unpacked(packed) == plain.bytes)
      }
    }

    @Test("what is compressed has a tag of its own, by which it is not modified, and its rule is changed")
    func tags() async throws {
      try await WebStage.with { stage in
        stage.documents.answerAll(Self.long)
        let path = "/api/v1/schedule/rules/lunch"
        #expect(try await stage.ask("GET", path).fields["etag"] == "\"3\"")
        #expect(try await stage.ask("GET", path, Self.gzip).fields["etag"] == "\"3-gzip\"")
        for (fields, tag) in [([], "\"3\""), (Self.gzip, "\"3-gzip\""), (Self.gzip, "\"3\"")] {
          let answer = try await stage.ask("GET", path, fields + ["If-None-Match: \(tag)"])
          #expect(answer.status == 304 && answer.bytes.isEmpty && answer.fields["etag"] == tag)
          #expect(answer.fields["content-encoding"] == nil && answer.fields["vary"] == "Accept-Encoding")
        }
        for tag in ["\"4\"", "\"4-gzip\""] {
          #expect(try await stage.ask("GET", path, Self.gzip + ["If-None-Match: \(tag)"]).status == 200)
        }
        _ = try await stage.ask(
          "PUT", path, Self.gzip + ["If-Match: \"3-gzip\""], json: #"{"play":"x"}"#)
        #expect(stage.documents.questions.last == .putRule("lunch", ["play": "x"], revision: 3))
      }
    }

    private static func unpacked(_ answer: RawAnswer) throws -> [UInt8] {
      let channel = EmbeddedChannel(handler: NIOHTTPResponseDecompressor(limit: .none))
      let head = HTTPResponseHead(
        version: .http1_1, status: .ok,
        headers: ["Content-Encoding": "gzip", "Content-Length": "\(answer.bytes.count)"])
      try channel.writeInbound(HTTPClientResponsePart.head(head))
      try channel.writeInbound(HTTPClientResponsePart.body(ByteBuffer(bytes: answer.bytes)))
      try channel.writeInbound(HTTPClientResponsePart.end(nil))
      var bytes: [UInt8] = []
      while let part = try channel.readInbound(as: HTTPClientResponsePart.self) {
        if case .body(let piece) = part { bytes += piece.readableBytesView }
      }
      return bytes
    }
  #endif

  @Test(
    "who does not read gzip gets plain bytes",
    arguments: ["", "identity", "br", "gzip;q=0", "gzip; q=0.000", "*, gzip;q=0", "*;q=0", "gzip;q=no"])
  func plain(_ accepted: String) async throws {
    try await WebStage.with { stage in
      for path in ["/settings", stage.site.assets.path("app.js")] {
        let answer = try await stage.ask(
          "GET", path, accepted.isEmpty ? [] : ["Accept-Encoding: \(accepted)"])
        #expect(answer.fields["content-encoding"] == nil)
        #expect(answer.body.contains(path == "/settings" ? "</html>" : "import"))
      }
    }
  }

  @Test(
    "gzip is read by whoever names it, or anything",
    arguments: ["gzip", "br;q=1, GZIP", "x-gzip", "deflate, gzip;q=0.1", "*", "gzip ; q=1"])
  func reading(_ accepted: String) {
    #expect(PackedAnswer.isRead([.acceptEncoding: accepted]))
  }

  @Test("events come as they happen, and what is short or a picture stays as it is")
  func others() async throws {
    try await WebStage.with { stage in
      let request =
        "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(stage.port)\r\nAccept-Encoding: gzip\r\n\r\n"
      let events = try await RawConnection(stage.port).read(request) { $0.contains("\"version\"") }
      #expect(events.contains("event: hello") && !events.lowercased().contains("content-encoding"))
      for path in [
        "/healthz", stage.site.assets.path("icon-512.png"), stage.site.assets.path("test-card.mp4"),
      ] {
        let answer = try await stage.ask("GET", path, Self.gzip)
        #expect(
          answer.status == 200 && answer.fields["content-encoding"] == nil && answer.fields["vary"] == nil)
      }
    }
  }

  @Test("HEAD says what GET would have")
  func head() async throws {
    try await WebStage.with { stage in
      for path in ["/settings", stage.site.assets.path("app.js")] {
        let (get, head) = (
          try await stage.ask("GET", path, Self.gzip), try await stage.ask("HEAD", path, Self.gzip)
        )
        #expect(head.bytes.isEmpty)
        for name in ["content-length", "content-encoding", "vary", "content-type"] {
          #expect(head.fields[name] == get.fields[name], "\(name)")
        }
      }
    }
  }
}
