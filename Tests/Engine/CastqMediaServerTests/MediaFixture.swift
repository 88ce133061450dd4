import CastqMediaServer
import Glibc
import NIOPosix

/// A running server, a folder of its own, and what the server says it has served.
final class MediaFixture: Sendable {
  let server: MediaServer
  let folder: String
  private let served: AsyncStream<MediaServed>

  /// Runs the body against a fresh server and takes everything down afterwards.
  static func run(
    _ limits: MediaServerLimits = MediaServerLimits(), _ body: (MediaFixture) async throws -> Void
  ) async throws {
    let fixture = try MediaFixture(limits)
    do {
      try await fixture.server.start()
      try await body(fixture)
    } catch {
      await fixture.end()
      throw error
    }
    await fixture.end()
  }

  private init(_ limits: MediaServerLimits) throws {
    var template = Array("/tmp/castq-media-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template), let resolved = realpath(made, nil) else {
      throw RawClient.Failure(what: "mkdtemp")
    }
    folder = String(cString: resolved)
    free(resolved)
    let (stream, continuation) = AsyncStream.makeStream(of: MediaServed.self)
    served = stream
    server = MediaServer(
      host: "127.0.0.1", group: MultiThreadedEventLoopGroup.singleton, limits: limits,
      onServed: { continuation.yield($0) })
  }

  private func end() async {
    await server.stop()
    remove(folder)
  }

  private func remove(_ path: String) {
    if let listing = opendir(path) {
      var names: [String] = []
      while let entry = readdir(listing) {
        names.append(
          withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
          })
      }
      closedir(listing)
      for name in names where name != "." && name != ".." {
        let inner = path + "/" + name
        if unlink(inner) != 0 { remove(inner) }
      }
    }
    rmdir(path)
  }

  func path(_ name: String) -> String { folder + "/" + name }

  /// Writes a file and gives its path; `size` makes a sparse one.
  @discardableResult
  func write(_ name: String, _ text: String = "", size: Int? = nil) throws -> String {
    let file = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw RawClient.Failure(what: "open \(name)") }
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw RawClient.Failure(what: "write") }
    if let size, ftruncate(file, off_t(size)) != 0 { throw RawClient.Failure(what: "ftruncate") }
    return path(name)
  }

  /// Writes at the end of a file.
  func append(_ name: String, _ text: String) throws { try put(name, text, O_APPEND) }

  /// Writes over a part of a file.
  func overwrite(_ name: String, _ text: String, at offset: Int = 0) throws {
    try put(name, text, 0, at: offset)
  }

  /// Writes somewhere in a file.
  private func put(_ name: String, _ text: String, _ flag: CInt, at offset: Int = 0) throws {
    let file = open(path(name), O_WRONLY | O_CLOEXEC | flag)
    guard file >= 0 else { throw RawClient.Failure(what: "open \(name)") }
    defer { close(file) }
    let bytes = Array(text.utf8)
    let count =
      flag == O_APPEND
      ? Glibc.write(file, bytes, bytes.count) : pwrite(file, bytes, bytes.count, off_t(offset))
    guard count == bytes.count else { throw RawClient.Failure(what: "write") }
  }

  func publish(_ name: String, _ text: String = "", size: Int? = nil, type: String = "video/mp4") throws
    -> MediaLink
  {
    try server.publish(path: write(name, text, size: size), contentType: type)
  }

  func client(receiveBuffer: CInt = 0) throws -> RawClient {
    try RawClient(port: server.port, receiveBuffer: receiveBuffer)
  }

  /// The answer to a new client on a thread of its own, for what the server makes in a task: clients that block the threads of tasks may
  /// leave none for it.
  func answer(to target: String) async throws -> RawClient.Response {
    let port = server.port
    return try await NIOThreadPool.singleton.runIfActive { try RawClient(port: port).get(target) }
  }

  /// The next `count` notices of the server, in the order it gave them.
  func notices(_ count: Int) async -> [MediaServed] {
    var result: [MediaServed] = []
    for await notice in served.prefix(count) { result.append(notice) }
    return result
  }

  /// Open descriptors of this process that lead into the folder. Other tests may open others meanwhile.
  var openFiles: Int {
    (0..<4096).count { number in
      var target = [CChar](repeating: 0, count: 512)
      let length = readlink("/proc/self/fd/\(number)", &target, target.count)
      guard length > 0 else { return false }
      return String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self).hasPrefix(
        folder)
    }
  }

  /// With whom the sockets of this process at a port are connected, by their ports.
  static func peers(ofPort port: Int) -> Set<Int> {
    func end(_ number: Int, _ ask: (CInt, UnsafeMutablePointer<sockaddr>, inout socklen_t) -> CInt) -> Int? {
      var name = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(CInt(number), $0, &size) }
      }
      guard result == 0, name.sin_family == sa_family_t(AF_INET) else { return nil }
      return Int(in_port_t(bigEndian: name.sin_port))
    }
    return Set(
      (0..<4096).filter { end($0) { getsockname($0, $1, &$2) } == port }
        .compactMap { end($0) { getpeername($0, $1, &$2) } })
  }

  /// Resident memory of this process, in bytes.
  static func residentBytes() -> Int {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(file, &bytes, bytes.count)
    let fields = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(CInt(_SC_PAGESIZE))
  }
}
