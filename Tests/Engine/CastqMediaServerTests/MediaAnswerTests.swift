import CastqMediaServer
import Glibc
import Testing

/// What one request is answered.
@Suite struct MediaAnswerTests {
  @Test(
    "a range is answered with its status, its Content-Range and exactly its bytes", arguments: RangeCase.all)
  func range(_ range: RangeCase) async throws {
    try await MediaFixture.run { media in
      let content = "0123456789"
      let link = try media.publish("a.mp4", content)
      let client = try media.client()
      let answer = try client.get(link.path, ["Range: " + range.header])
      switch range.expected {
      case .whole:
        #expect(answer.status == 200)
        #expect(answer.headers["content-range"] == nil)
        #expect(answer.text == content)
      case .part(let part):
        #expect(answer.status == 206)
        #expect(answer.headers["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/10")
        #expect(answer.body == Array(Array(content.utf8)[part]))
      case .parts(let parts):
        #expect(answer.status == 206)
        #expect(answer.headers["content-range"] == nil)
        let multipart = try Multipart(answer)
        #expect(
          multipart.parts.map(\.range) == parts.map { "bytes \($0.lowerBound)-\($0.upperBound - 1)/10" })
        #expect(multipart.parts.map(\.bytes) == parts.map { Array(Array(content.utf8)[$0]) })
        #expect(multipart.parts.allSatisfy { $0.type == "video/mp4" })
      case .unsatisfiable:
        #expect(answer.status == 416)
        #expect(answer.headers["content-range"] == "bytes */10")
      }
      // Whatever it was, the connection goes on.
      #expect(try client.get(link.path).text == content)
    }
  }

  @Test(
    "a conversion is served at an address of its own, made anew for each request, and never of a file that is too large"
  )
  func conversion() async throws {
    try await MediaFixture.run { media in
      let path = try media.write("subs.srt", "abc")
      let upper = MediaConversion(name: "upper", limit: 5) { bytes in
        bytes.first == UInt8(ascii: "?") ? nil : bytes.map { $0 & 0xDF }
      }
      let link = try media.server.publish(path: path, contentType: "text/vtt", conversion: upper)
      #expect(link.path.hasSuffix("/subs.vtt"))
      #expect(try media.server.publish(path: path, contentType: "text/vtt", conversion: upper) == link)
      #expect(try media.server.publish(path: path, contentType: "text/srt") != link)
      let client = try media.client()
      let answer = try client.get(link.path)
      #expect(answer.text == "ABC")
      #expect(answer.headers["content-type"] == "text/vtt")
      #expect(answer.headers["access-control-allow-origin"] == "*")
      #expect(answer.headers["accept-ranges"] == "none")
      try media.write("subs.srt", "defgh")
      #expect(try client.get(link.path).text == "DEFGH")
      for content in ["?", "toolong"] {
        try media.write("subs.srt", content)
        #expect(try client.get(link.path).status == 404)
      }
      let made = try media.server.publish(
        MediaDocument(name: "made") { Array("made".utf8) }, fileName: "m.vtt", contentType: "text/vtt")
      #expect(try await media.answer(to: made.path).text == "made")
      media.server.withdraw(made)
      #expect(try client.get(made.path).status == 404)
    }
  }

  @Test("a manifest has its address, and each piece the same one with its own name")
  func pieces() async throws {
    try await MediaFixture.run { media in
      let pieces = MediaPieces(name: "live", path: "/films/old.avi", pieceType: "video/mp2t") { name in
        switch name {
        case nil: Array("manifest".utf8)
        case "1.ts": Array("second".utf8)
        default: nil
        }
      }
      let type = "application/x-mpegurl"
      let link = try media.server.publish(pieces, fileName: "film.m3u8", contentType: type)
      #expect(try media.server.publish(pieces, fileName: "film.m3u8", contentType: type) == link)
      let manifest = try await media.answer(to: link.path)
      #expect(manifest.text == "manifest" && manifest.headers["content-type"] == type)
      let folder = link.path.dropLast("film.m3u8".count)
      let piece = try await media.answer(to: "\(folder)1.ts?again")
      #expect(piece.text == "second" && piece.headers["content-type"] == "video/mp2t")
      #expect(piece.headers["access-control-allow-origin"] == "*" && piece.headers["accept-ranges"] == "none")
      #expect(try await media.answer(to: "\(folder)2.ts").status == 404)
      #expect(try await media.answer(to: "\(folder)..").status == 404)
      media.server.withdraw(link)
      #expect(try await media.answer(to: "\(folder)1.ts").status == 404)
    }
  }

  @Test("every answer for a file carries what devices and browsers need")
  func headers() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("subs.vtt", "WEBVTT\n", type: "text/vtt; charset=utf-8")
      let headers = try media.client().get(link.path).headers
      #expect(headers["content-type"] == "text/vtt; charset=utf-8")
      #expect(headers["content-length"] == "7")
      #expect(headers["accept-ranges"] == "bytes")
      #expect(headers["x-content-type-options"] == "nosniff")
      #expect(headers["access-control-allow-origin"] == "*")
      for name in ["Content-Type", "Accept-Encoding", "Range", "If-Range", "If-None-Match"] {
        #expect(
          headers["access-control-allow-headers"]?.split(separator: ", ").contains(Substring(name)) == true)
      }
      for name in ["Content-Length", "Content-Range", "Accept-Ranges", "ETag"] {
        #expect(
          headers["access-control-expose-headers"]?.split(separator: ", ").contains(Substring(name)) == true)
      }
      #expect(headers["cross-origin-resource-policy"] == "cross-origin")
      #expect(headers["etag"]?.hasPrefix("\"") == true)
      #expect(headers["last-modified"]?.hasSuffix("GMT") == true)
      #expect(headers["date"]?.hasSuffix("GMT") == true)
      #expect(headers["transfer-encoding"] == nil)
    }
  }

  @Test("a page of another origin may read every answer, and is told so before it asks")
  func crossOrigin() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "0123456789")
      let client = try media.client()
      let table = [
        ("Range: bytes=0-1", 206), ("Range: bytes=0-1,4-5", 206), ("Range: bytes=99-", 416),
        ("If-Match: \"x\"", 412),
        ("If-None-Match: *", 304), ("X: y", 200),
      ]
      for (header, status) in table {
        client.request("GET", link.path, ["Origin: https://receiver.example", header])
        let answer = try client.response(hasBody: status != 304)
        #expect(answer.status == status && answer.headers["access-control-allow-origin"] == "*", "\(header)")
      }
      #expect(try client.get("/none").headers["access-control-allow-origin"] == "*")
      let ask = ["Origin: https://receiver.example", "Access-Control-Request-Method: GET"]
      client.request("OPTIONS", link.path, ask)
      let plain = try client.response(hasBody: false)
      #expect(plain.status == 204 && plain.headers["access-control-allow-private-network"] == nil)
      client.request("OPTIONS", link.path, ask + ["Access-Control-Request-Private-Network: true"])
      #expect(try client.response(hasBody: false).headers["access-control-allow-private-network"] == "true")
    }
  }

  @Test("HEAD is GET without the body, also for what is not found")
  func head() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "0123456789")
      let client = try media.client()
      for target in [link.path, "/m/none", "/"] {
        var got = try client.get(target)
        client.request("HEAD", target)
        var head = try client.response(hasBody: false)
        got.headers["date"] = nil
        head.headers["date"] = nil
        got.body = []
        #expect(head == got)
      }
      // Ranges are for GET alone.
      client.request("HEAD", link.path, ["Range: bytes=0-1"])
      #expect(try client.response(hasBody: false).headers["content-length"] == "10")
      #expect(try client.get(link.path).text == "0123456789")
    }
  }

  @Test("an empty file is served, and every range of it refused")
  func emptyFile() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4")
      let client = try media.client()
      let whole = try client.get(link.path)
      #expect(whole.status == 200 && whole.headers["content-length"] == "0")
      let part = try client.get(link.path, ["Range: bytes=0-"])
      #expect(part.status == 416 && part.headers["content-range"] == "bytes */0")
    }
  }

  @Test(
    "what is not exactly a link is not found, and the answer repeats nothing of it",
    arguments: [
      "/", "/m", "/m/", "/m//", "//m/TOKEN/a.mp4", "/M/TOKEN/a.mp4", "/m/TOKEN/../../../etc/passwd",
      "/m/TOKEN/..",
      "/m/TOKEN/.", "/m/TOKEN/a.mp4/", "/m/TOKEN/a/b", "/m/../m/TOKEN/a.mp4", "/m/%54OKEN/a.mp4", "/m/TOKE",
      "/m/TOKENx/a.mp4", "/m/TOKEN%00/a.mp4", "/m/00000000000000000000000000000000/a.mp4", "/etc/passwd",
      "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/m/%2e%2e/etc/passwd", "/m/..%2f..%2fetc%2fpasswd",
      "/<script>alert(1)</script>", "http://castq", "http://castq/", "*",
    ])
  func notFound(_ pattern: String) async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "secret")
      let target = pattern.replacing("TOKEN", with: link.token).replacing(
        "%54OKEN", with: "%61" + link.token.dropFirst())
      let answer = try media.client().get(target)
      #expect(answer.status == 404)
      #expect(answer.text == "Not found.\n")
    }
  }

  @Test(
    "the token alone is looked up: query, missing name, another name and an absolute target do not matter",
    arguments: [
      "/m/TOKEN/a.mp4", "/m/TOKEN/a.mp4?v=2", "/m/TOKEN", "/m/TOKEN/", "/m/TOKEN/x",
      "http://h:1/m/TOKEN/a.mp4",
    ])
  func tokenAlone(_ pattern: String) async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "content")
      #expect(try media.client().get(pattern.replacing("TOKEN", with: link.token)).text == "content")
    }
  }

  @Test(
    "other methods are refused for a link with Allow, not found elsewhere, and a preflight is answered anywhere"
  )
  func methods() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "content")
      let client = try media.client()
      for method in ["POST", "PUT", "DELETE", "PATCH", "PROPFIND"] {
        client.request(method, link.path, ["Content-Length: 4"])
        client.send("body")
        let answer = try client.response()
        #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD, OPTIONS")
        client.request(method, "/m/other", ["Content-Length: 0"])
        #expect(try client.response().status == 404)
      }
      for target in [link.path, "/m/other", "*"] {
        client.request("OPTIONS", target, ["Origin: http://x", "Access-Control-Request-Headers: range"])
        let answer = try client.response(hasBody: false)
        #expect(
          answer.status == 204 && answer.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS")
        #expect(answer.headers["access-control-allow-headers"]?.contains("Range") == true)
      }
      #expect(try client.get(link.path).text == "content")
    }
  }

  @Test("a copy that is still right is not sent again, and a range of another content is not mixed in")
  func conditions() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "0123456789")
      // An hour ago: a date within the last second would prove nothing.
      let past = timeval(tv_sec: time(nil) - 3600, tv_usec: 0)
      utimes(media.path("a.mp4"), [past, past])
      let client = try media.client()
      let first = try client.get(link.path)
      let (etag, date) = (first.headers["etag"] ?? "", first.headers["last-modified"] ?? "")
      let table: [([String], Int)] = [
        (["If-None-Match: \(etag)"], 304), (["If-None-Match: \"x\", W/\(etag)"], 304),
        (["If-None-Match: *"], 304),
        (["If-None-Match: \"x\""], 200), (["If-Modified-Since: \(date)"], 304),
        (["If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"], 200),
        (["If-None-Match: \"x\"", "If-Modified-Since: \(date)"], 200),
        (["If-None-Match: \(etag)", "Range: bytes=0-1"], 304),
        (["Range: bytes=0-1", "If-Range: \(etag)"], 206), (["Range: bytes=0-1", "If-Range: \(date)"], 206),
        (["Range: bytes=0-1", "If-Range: W/\(etag)"], 200), (["Range: bytes=0-1", "If-Range: \"x\""], 200),
        (["Range: bytes=0-1", "If-Range: Thu, 01 Jan 1970 00:00:00 GMT"], 200),
        (["Range: bytes=0-1,4-5", "If-Range: \(etag)"], 206),
        (["Range: bytes=0-1,4-5", "If-Range: \"x\""], 200),
        (["Range: bytes=0-1,4-5", "If-Range: \(date)"], 206), (["Range: bytes=0-1", "If-Range: *"], 200),
        (["Range: bytes=0-1", "If-Range: \(etag)x"], 200),
        (["Range: bytes=99-", "If-Range: \"x\""], 200), (["Range: bytes=0-1", "Range: bytes=3-4"], 200),
        (["If-Match: \(etag)"], 200), (["If-Match: *"], 200), (["If-Match: \"x\""], 412),
      ]
      for (headers, status) in table {
        client.request("GET", link.path, headers)
        #expect(try client.response(hasBody: status != 304).status == status, "\(headers)")
      }
      utimes(media.path("a.mp4"), nil)
      let fresh = try client.get(link.path).headers["last-modified"] ?? ""
      #expect(try client.get(link.path, ["Range: bytes=0-1", "If-Range: \(fresh)"]).status != 416)
    }
  }
}
