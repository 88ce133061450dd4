import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import CastTLS

/// Agreement with OpenSSL's own server, set up as an old device is.
@Suite("A foreign TLS server")
struct TLSForeignTests {
  private func openssl(_ arguments: [String], output: Pipe? = nil) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    if let output { process.standardOutput = output }
    try process.run()
    return process
  }

  @Test(
    "an old device with a short key and SHA-1 is understood; one that signs with nothing better needs compatibility",
    arguments: [(false, "RSA+SHA256"), (true, "RSA+SHA1"), (true, "RSA+SHA256")])
  func oldDevice(compatibility: Bool, signature: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "castq-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (key, certificate) = (folder.appending(path: "key").path, folder.appending(path: "cert").path)
    let maker = try openssl([
      "req", "-x509", "-newkey", "rsa:1024", "-sha1", "-nodes", "-days", "2", "-subj", "/CN=old", "-keyout",
      key,
      "-out", certificate,
    ])
    maker.waitUntilExit()
    try #require(maker.terminationStatus == 0)
    let output = Pipe()
    let server = try openssl(
      [
        "s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-tls1_2", "-cipher",
        "ALL:@SECLEVEL=0", "-sigalgs", signature, "-rev", "-naccept", "1",
      ], output: output)
    defer { server.terminate() }
    var words = ""
    while !words.contains("ACCEPT"), let new = try output.fileHandleForReading.read(upToCount: 1) {
      words += String(decoding: new, as: UTF8.self)
    }
    var line = ""
    while let new = try output.fileHandleForReading.read(upToCount: 1), new != Data("\n".utf8) {
      line += String(decoding: new, as: UTF8.self)
    }
    let port = try #require(line.split(separator: ":").last.flatMap { Int($0) }, "\(line)")
    let (seen, report) = AsyncStream.makeStream(of: Seen.self)
    let context = try TLSContext.client(compatibility: compatibility)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            TLSHandler(context: context, role: .client), Witness(report))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    channel.writeAndFlush(ByteBuffer(string: "abc\n"), promise: nil)
    var iterator = seen.makeAsyncIterator()
    #expect(await iterator.next() == .handshake)
    #expect(await iterator.next() == .bytes(Array("cba\n".utf8)))
    try? await channel.close()
  }
}
