import CastqMediaServer
import Glibc
import Testing

@Suite struct MediaShelfTests {
  @Test("a file has one link however often and under whatever name it is published")
  func oneLink() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("welcome.mp4", "x")
      symlink(media.path("welcome.mp4"), media.path("today.mp4"))
      #expect(try media.server.publish(path: media.path("welcome.mp4"), contentType: "video/webm") == link)
      #expect(try media.server.publish(path: media.folder + "/./today.mp4", contentType: "video/mp4") == link)
      #expect(try media.publish("other.mp4").token != link.token)
    }
  }

  @Test(
    "a token is 128 random bits, a link ends in a harmless name with the right extension",
    arguments: [
      ("welcome.mp4", "video/mp4", "welcome.mp4"), ("a b&c?.mp4", "video/mp4", "a%20b%26c%3F.mp4"),
      ("plain", "image/png", "plain.png"), ("odd.bin", "audio/mpeg", "odd.mp3"),
      (".hidden", "video/mp4", "hidden.mp4"),
      ("Grüße.mp3", "audio/mpeg", "Gr%C3%BC%C3%9Fe.mp3"), ("x\r\ny.mp4", "video/mp4", "x%0D%0Ay.mp4"),
      (String(repeating: "n", count: 200) + ".mp4", "video/mp4", String(repeating: "n", count: 60) + ".mp4"),
    ])
  func name(_ name: String, type: String, expected: String) async throws {
    try await MediaFixture.run { media in
      let link = try media.publish(name, "x", type: type)
      #expect(link.path == "/m/\(link.token)/\(expected)")
      #expect(link.token.utf8.count == 32 && link.token.allSatisfy { $0.isHexDigit })
      #expect(
        media.server.url(for: link, host: "fe80::1%eth0")
          == "http://[fe80::1]:\(media.server.port)\(link.path)")
      #expect(try media.client().get(link.path).text == "x")
    }
  }

  @Test("a token from outside gives the same URL again, and stands for the newest file it was given for")
  func givenToken() async throws {
    try await MediaFixture.run { media in
      let token = "abcdefghijklmnopqrst-_"
      let first = try media.write("one.mp4", "one")
      let link = try media.server.publish(path: first, contentType: "video/mp4", token: token)
      #expect(link.path == "/m/\(token)/one.mp4")
      #expect(try media.server.publish(path: first, contentType: "video/mp4", token: token) == link)
      #expect(try media.server.publish(path: first, contentType: "video/mp4") == link)
      let second = try media.write("two.mp4", "two")
      _ = try media.server.publish(path: second, contentType: "video/mp4", token: token)
      #expect(try media.client().get(link.path).text == "two")
      #expect(try media.server.publish(path: first, contentType: "video/mp4").token != token)
    }
  }

  @Test(
    "a token that could be guessed or that breaks a URL is refused",
    arguments: [
      "", "short", "abcdefghijklmnopqrstu", "abcdefghijklmnopqrstuv/w", "abcdefghijklmnopqrstuv%41", "..",
      String(repeating: "a", count: 129),
    ])
  func weakToken(_ token: String) async throws {
    try await MediaFixture.run { media in
      let path = try media.write("a.mp4")
      #expect(throws: MediaServerError.weakToken) {
        try media.server.publish(path: path, contentType: "video/mp4", token: token)
      }
    }
  }

  @Test(
    "a content type that is none, or that would write headers, is refused",
    arguments: [
      "", "video", "video/", "/mp4", "video/mp4\r\nX: y", "video/mp4;\u{e9}", "vi deo/mp4", "a/b/c",
      "text/" + String(repeating: "a", count: 200),
    ])
  func contentType(_ type: String) async throws {
    try await MediaFixture.run { media in
      let path = try media.write("a.mp4")
      #expect(throws: MediaServerError.notAContentType(type)) {
        try media.server.publish(path: path, contentType: type)
      }
    }
  }

  @Test("only regular files that are there can be published")
  func irregular() async throws {
    try await MediaFixture.run { media in
      let fifo = media.path("pipe.mp4")
      mkfifo(fifo, 0o644)
      for path in [fifo, media.folder, "/dev/zero"] {
        #expect(throws: MediaServerError.notAFile(path)) {
          try media.server.publish(path: path, contentType: "video/mp4")
        }
      }
      for path in [media.path("none.mp4"), "", media.path("a\0b"), media.path("none/a.mp4")] {
        #expect(throws: MediaServerError.noSuchFile(path)) {
          try media.server.publish(path: path, contentType: "video/mp4")
        }
      }
      #expect(media.openFiles == 0)
    }
  }

  @Test("the number of published files is bounded, and withdrawing makes room")
  func bounded() async throws {
    var limits = MediaServerLimits()
    limits.publishedFiles = 2
    try await MediaFixture.run(limits) { media in
      let first = try media.publish("1.mp4")
      _ = try media.publish("2.mp4")
      #expect(try media.publish("1.mp4") == first)
      #expect(throws: MediaServerError.full(limit: 2)) { try media.publish("3.mp4") }
      media.server.withdraw(first)
      #expect(try media.publish("3.mp4") != first)
    }
  }
}
