import CastqMediaServer
import Glibc
import Testing

/// What happens on the disk while a file is published.
@Suite struct MediaFileLifeTests {
  @Test("a file replaced by an atomic rename is served anew, with another ETag")
  func replaced() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "old content")
      let client = try media.client()
      let old = try client.get(link.path)
      rename(try media.write("new.mp4", "new content"), media.path("a.mp4"))
      let range = ["Range: bytes=4-", "If-Range: " + (old.headers["etag"] ?? "")]
      let new = try client.get(link.path, range)
      #expect(old.text == "old content" && new.text == "new content" && new.status == 200)
      #expect(new.headers["etag"] != old.headers["etag"])
    }
  }

  @Test("a file that is withdrawn or has vanished is not found, and one that comes back is found")
  func gone() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "content")
      let client = try media.client()
      unlink(media.path("a.mp4"))
      #expect(try client.get(link.path).status == 404)
      try media.write("a.mp4", "again")
      #expect(try client.get(link.path).text == "again")
      media.server.withdraw(link)
      #expect(try client.get(link.path).status == 404)
      let notices = await media.notices(3)
      #expect(notices.map(\.status) == [404, 200, 404])
      #expect(notices.map(\.file) == [media.path("a.mp4"), media.path("a.mp4"), nil])
    }
  }

  @Test(
    "what takes the place of a published file is not served unless it is a regular file",
    arguments: [
      "symlink", "fifo", "folder", "parent",
    ])
  func usurped(_ kind: String) async throws {
    try await MediaFixture.run { media in
      mkdir(media.path("real"), 0o755)
      mkdir(media.path("evil"), 0o755)
      try media.write("evil/a.mp4", "secret")
      let link = try media.publish("real/a.mp4", "content")
      unlink(media.path("real/a.mp4"))
      switch kind {
      case "symlink": symlink(media.path("evil/a.mp4"), media.path("real/a.mp4"))
      case "fifo": mkfifo(media.path("real/a.mp4"), 0o644)
      case "folder": mkdir(media.path("real/a.mp4"), 0o755)
      default:
        rmdir(media.path("real"))
        symlink(media.path("evil"), media.path("real"))
      }
      #expect(try media.client().get(link.path).status == 404)
      #expect(media.openFiles == 0)
    }
  }

  @Test("a link in the playlist is followed when it is published, and not again")
  func followedOnce() async throws {
    try await MediaFixture.run { media in
      try media.write("monday.mp4", "monday")
      try media.write("tuesday.mp4", "tuesday")
      symlink("monday.mp4", media.path("today.mp4"))
      let link = try media.server.publish(path: media.path("today.mp4"), contentType: "video/mp4")
      #expect(link.path.hasSuffix("/today.mp4"))
      unlink(media.path("today.mp4"))
      symlink("tuesday.mp4", media.path("today.mp4"))
      #expect(try media.client().get(link.path).text == "monday")
    }
  }

  @Test("a file that shrinks while it is sent ends the connection, short of what was promised")
  func shrinks() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", size: 64 << 20)
      let client = try media.client(receiveBuffer: 4096)
      client.request("GET", link.path)
      let head = try client.response(hasBody: false)
      #expect(head.headers["content-length"] == "\(64 << 20)")
      truncate(media.path("a.mp4"), 0)
      #expect(client.drain() < 64 << 20)
      let notices = await media.notices(1)
      #expect(notices.first?.isComplete == false)
      #expect(media.openFiles == 0)
    }
  }

  @Test("a file that grows while it is sent is sent as long as it was, and the next request gets all of it")
  func grows() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.ts", "head", size: 16 << 20)
      let client = try media.client(receiveBuffer: 4096)
      client.request("GET", link.path)
      client.request("GET", link.path, ["Range: bytes=-5"])
      #expect(try client.response(hasBody: false).headers["content-length"] == "\(16 << 20)")
      try media.append("a.ts", "added")
      #expect(try client.body(16 << 20).prefix(4) == Array("head".utf8)[...])
      let tail = try client.response()
      #expect(tail.text == "added")
      #expect(tail.headers["content-range"]?.hasSuffix("/\((16 << 20) + 5)") == true)
      #expect(await media.notices(2).allSatisfy(\.isComplete))
    }
  }

  @Test("a file that another one is renamed onto is sent to its end, with its own bytes")
  func renamedOnto() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "old", size: 16 << 20)
      let client = try media.client(receiveBuffer: 4096)
      client.request("GET", link.path)
      #expect(try client.response(hasBody: false).status == 200)
      rename(try media.write("b.mp4", String(repeating: "x", count: 17 << 20)), media.path("a.mp4"))
      let body = try client.body(16 << 20)
      #expect(body.prefix(4) == Array("old\0".utf8)[...] && !body.contains(UInt8(ascii: "x")))
      #expect(await media.notices(1).first?.isComplete == true)
    }
  }

  @Test("a file that is overwritten by a longer one while it is sent ends the connection")
  func overwritten() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "old", size: 64 << 20)
      let client = try media.client(receiveBuffer: 4096)
      client.request("GET", link.path, ["Range: bytes=1-"])
      #expect(try client.response(hasBody: false).status == 206)
      try media.overwrite("a.mp4", "new")
      try media.append("a.mp4", "longer")
      #expect(client.drain() < 64 << 20)
      #expect(await media.notices(1).first?.isComplete == false)
      #expect(media.openFiles == 0)
      #expect(try media.client().get(link.path, ["Range: bytes=0-2"]).text == "new")
    }
  }

  @Test("a file that is only touched while it is sent is sent to its end")
  func touched() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", "old", size: 16 << 20)
      let client = try media.client(receiveBuffer: 4096)
      client.request("GET", link.path)
      #expect(try client.response(hasBody: false).status == 200)
      utimes(media.path("a.mp4"), nil)
      #expect(try client.body(16 << 20).count == 16 << 20)
      #expect(await media.notices(1).first?.isComplete == true)
    }
  }
}
