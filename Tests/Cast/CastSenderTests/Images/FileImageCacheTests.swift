import CastProtocol
import CastSender
import Foundation
import NIOCore
import Synchronization
import Testing

@Suite("FileImageCache", .timeLimit(.minutes(5))) struct FileImageCacheTests {
  private let clock = StoppedClock()
  private let servers = LocalServers()
  private let folder = NSTemporaryDirectory() + "castq-images-\(UUID().uuidString)"
  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private func cache(_ limits: ImageCacheLimits = ImageCacheLimits()) -> FileImageCache {
    let (clock, real) = (clock, TimeSource.continuous)
    var limits = limits
    limits.localServers = servers.all
    return FileImageCache(
      folder: folder, limits: limits,
      time: TimeSource(now: real.now, sleep: real.sleep, wallMilliseconds: { clock.now }))
  }

  private func run(isGated: Bool = false, _ body: (PictureServer) async throws -> Void) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await PictureServer.run(isGated: isGated) { server in
      servers.add(server.address)
      // Where nothing listens.
      servers.add("http://127.0.0.1:1")
      try await body(server)
    }
  }

  private func code(_ body: () async throws -> CachedImage) async -> CastError.Code? {
    do {
      _ = try await body()
      return nil
    } catch {
      return (error as? CastError)?.code
    }
  }

  @Test("a picture is fetched once, kept over a restart, and asked about when it is no longer fresh")
  func freshness() async throws {
    try await run { server in
      let url = server.address + "/a.png?key=1"
      server.answer(headers: ["Content-Type: text/html", "ETag: \"v1\""], body: Picture.png(64, 32))
      let first = try await cache().image(at: url)
      #expect(first.mimeType == "image/png")
      #expect(first.size == PixelSize(width: 64, height: 32))
      #expect(first.fetchedAt == clock.now)
      clock.advance(seconds: 3599)
      #expect(try await cache().image(at: url) == first)
      #expect(server.requests.count == 1)
      clock.advance(seconds: 1)
      server.answer("304 Not Modified")
      let second = try await cache().image(at: url)
      #expect(second.bytes == first.bytes)
      #expect(second.fetchedAt == clock.now)
      #expect(server.requests.last?.contains("\r\nIf-None-Match: \"v1\"\r\n") == true)
      clock.advance(seconds: -10)  // a clock that was set back tells no age
      server.answer(body: Picture.gif)
      #expect(try await cache().image(at: url).mimeType == "image/gif")
      #expect(files.count == 1)
    }
  }

  @Test("a picture that a receiver names at this computer is not asked for, unless the application says so")
  func ownComputer() async throws {
    try await run { server in
      server.answer(body: Picture.gif)
      let strict = FileImageCache(folder: folder)
      #expect(await code { try await strict.image(at: server.address + "/admin") } == .notAllowed)
      #expect(server.requests.isEmpty)
      let own = try await cache().image(at: server.address + "/a")
      #expect(own.mimeType == "image/gif")
    }
  }

  @Test("a server that fails for a while costs nothing; one that has no picture any more does")
  func trouble() async throws {
    try await run { server in
      let (url, cache) = (server.address + "/a", cache(ImageCacheLimits(freshness: .zero)))
      server.answer(body: Picture.gif)
      let first = try await cache.image(at: url)
      server.answer("503 Service Unavailable")
      #expect(try await cache.image(at: url) == first)
      server.answer("404 Not Found")
      #expect(await code { try await cache.image(at: url) } == .invalidResponse)
      #expect(files.isEmpty)
      server.answer(body: Picture.gif)
      _ = try await cache.image(at: url)
      try await server.stopListening()
      #expect(try await cache.image(at: url) == first)
      // Another test may have the port of the server by now.
      #expect(await code { try await cache.image(at: "http://127.0.0.1:1/b") } == .connectionRefused)
    }
  }

  @Test("what is no picture, too large, or not on the web is refused and not kept")
  func refusals() async throws {
    try await run { server in
      let cache = cache(ImageCacheLimits(imageBytes: 100))
      server.answer(headers: ["Content-Type: image/png"], body: Array("<html>".utf8))
      #expect(await code { try await cache.image(at: server.address) } == .invalidResponse)
      server.answer(body: Picture.png(1, 1, padding: 100))
      #expect(await code { try await cache.image(at: server.address) } == .messageTooBig)
      for url in ["file:///etc/passwd", "/etc/passwd", "data:image/gif;base64,R0lG", ""] {
        #expect(await code { try await cache.image(at: url) } == .invalidRequest)
      }
      #expect(files.isEmpty)
    }
  }

  @Test("what was used longest ago goes first, by number and by bytes", arguments: [true, false])
  func eviction(byNumber: Bool) async throws {
    try await run { server in
      let limits = byNumber ? ImageCacheLimits(images: 2) : ImageCacheLimits(bytes: 5000)
      let cache = cache(limits)
      server.answer(body: Picture.png(1, 1, padding: 2000))
      for name in ["a", "b", "a", "c", "a"] {
        _ = try await cache.image(at: server.address + "/" + name)
        clock.advance(seconds: 1)
      }
      #expect(server.requests.count == 3)
      _ = try await cache.image(at: server.address + "/b")
      #expect(server.requests.count == 4)
      #expect(files.count == 2)
    }
  }

  @Test("many who want one picture at a time share one fetch")
  func sharing() async throws {
    try await run(isGated: true) { server in
      let (url, cache) = (server.address + "/a", cache())
      server.answer(body: Picture.gif)
      try await withThrowingTaskGroup(of: CachedImage.self) { group in
        for _ in 0..<20 { group.addTask { try await cache.image(at: url) } }
        try await server.asked.futureResult.get()
        server.openGate()
        for try await image in group { #expect(image.bytes == Picture.gif) }
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test("giving up leaves the others what they wait for; when all have given up, the fetch ends")
  func cancelling() async throws {
    try await run(isGated: true) { server in
      let (url, cache) = (server.address + "/a", cache())
      server.answer(body: Picture.gif)
      let waiting = Task { try await cache.image(at: url) }
      try await server.asked.futureResult.get()
      let impatient = Task { try await cache.image(at: url) }
      impatient.cancel()
      #expect(await code { try await impatient.value } == .cancelled)
      waiting.cancel()
      #expect(await code { try await waiting.value } == .cancelled)
      try await server.closed.futureResult.get()
      server.openGate()
      #expect(try await cache.image(at: url).bytes == Picture.gif)
      #expect(server.requests.count == 2)
    }
  }

  @Test("a damaged file is fetched again", arguments: Damage.allCases)
  func damage(damage: Damage) async throws {
    try await run { server in
      let (url, cache) = (server.address + "/a", cache())
      server.answer(headers: ["ETag: x"], body: Picture.gif)
      _ = try await cache.image(at: url)
      let path = try folder + "/" + #require(files.first)
      try damage.apply(to: path)
      #expect(try await cache.image(at: url).bytes == Picture.gif)
      #expect(server.requests.count == 2)
      #expect(server.requests.last?.contains("If-None-Match") == false)
    }
  }

  @Test("files have names made of digits in a folder of ours alone, and only those are removed")
  func folders() async throws {
    try await run { server in
      let cache = cache()
      server.answer(body: Picture.gif)
      for name in [
        "/../../../../tmp/x", "/%2e%2e/x", "/" + String(repeating: "y", count: 4000), "/\u{1F600}",
      ] {
        _ = try await cache.image(at: server.address + name)
      }
      #expect(files.count == 4)
      #expect(files.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}\.image/) != nil })
      let permissions = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
      #expect(permissions == 0o700)
      try "mine".write(toFile: folder + "/notes.image", atomically: false, encoding: .utf8)
      try await cache.removeAll()
      #expect(files == ["notes.image"])
    }
  }

  @Test("a folder that is open to others or cannot be written costs the keeping, not the picture")
  func openFolder() async throws {
    try await run { server in
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
      server.answer(body: Picture.gif)
      #expect(try await cache().image(at: server.address).bytes == Picture.gif)
      #expect(files.isEmpty)
      try FileManager.default.removeItem(atPath: folder)
      try "a file".write(toFile: folder, atomically: false, encoding: .utf8)
      #expect(try await cache().image(at: server.address).bytes == Picture.gif)
    }
  }
}

/// What can happen to a file.
enum Damage: CaseIterable {
  case empty, cut, changed, garbage, folder, link

  func apply(to path: String) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    switch self {
    case .empty: bytes = []
    case .cut: bytes.removeLast()
    case .changed: bytes[bytes.count - 1] ^= 1
    case .garbage: bytes = Array("castq image 1\nfetched:x\n\n".utf8) + [0xFF, 0xFE, 0x0A]
    case .folder, .link: break
    }
    try FileManager.default.removeItem(atPath: path)
    switch self {
    case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
    case .empty, .cut, .changed, .garbage: try Data(bytes).write(to: URL(filePath: path))
    }
  }
}

/// The servers of a test, which are on this computer.
private final class LocalServers: Sendable {
  private let known = Mutex<[DeviceEndpoint]>([])
  var all: [DeviceEndpoint] { known.withLock { $0 } }
  func add(_ address: String) {
    guard let endpoint = DeviceEndpoint(String(address.dropFirst("http://".count))) else { return }
    known.withLock { $0.append(endpoint) }
  }
}
