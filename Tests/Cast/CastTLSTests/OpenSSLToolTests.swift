import CastTLS
import Foundation
import NIOCore
import NIOPosix
import Testing

/// A server of the `openssl` program that the client must or must not get along with.
struct ForeignServer: Sendable, CustomTestStringConvertible {
  var name: String
  /// Arguments of `openssl req` for the certificate.
  var certificate = ["-newkey", "rsa:2048", "-sha256"]
  /// Further arguments of `openssl s_server`.
  var arguments: [String]
  var compatibility = false
  /// What the client's log begins with.
  var outcome: String

  var testDescription: String { name }

  private static let old = ["-newkey", "rsa:1024", "-sha1"]
  private static let sha1Signature = ["-tls1_2", "-sigalgs", "RSA+SHA1", "-cipher", "ECDHE:@SECLEVEL=0"]
  private static let camellia = ["-tls1_2", "-cipher", "CAMELLIA128-SHA:@SECLEVEL=0"]

  static let all = [
    ForeignServer(name: "TLS 1.3", arguments: ["-tls1_3"], outcome: "handshake TLSv1.3"),
    ForeignServer(
      name: "TLS 1.3 with tickets", arguments: ["-tls1_3", "-num_tickets", "5"], outcome: "handshake TLSv1.3"),
    ForeignServer(name: "TLS 1.2", arguments: ["-tls1_2"], outcome: "handshake TLSv1.2"),
    ForeignServer(
      name: "TLS 1.2, certificate RSA-1024 SHA-1", certificate: old,
      arguments: ["-tls1_2", "-cipher", "DEFAULT:@SECLEVEL=1"], outcome: "handshake TLSv1.2"),
    ForeignServer(
      name: "RSA key exchange, CBC", certificate: old,
      arguments: ["-tls1_2", "-cipher", "AES128-SHA:@SECLEVEL=0"], outcome: "handshake TLSv1.2"),
    ForeignServer(
      name: "SHA-1 handshake signatures", arguments: sha1Signature, compatibility: true,
      outcome: "handshake TLSv1.2"),
    ForeignServer(
      name: "SHA-1 handshake signatures without compatibility", arguments: sha1Signature,
      outcome: "error: the TLS handshake failed: sslv3 alert handshake failure"),
    ForeignServer(
      name: "old cipher suite", arguments: camellia, compatibility: true, outcome: "handshake TLSv1.2"),
    ForeignServer(
      name: "old cipher suite without compatibility", arguments: camellia,
      outcome: "error: the TLS handshake failed: sslv3 alert handshake failure"),
  ]
}

@Suite(
  "Against the openssl program", .timeLimit(.minutes(5)),
  .enabled(if: OpenSSLProgram.isInstalled, "there is no openssl here"))
struct OpenSSLToolTests {
  @Test("servers of all kinds", arguments: ForeignServer.all)
  func server(kind: ForeignServer) async throws {
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "castq-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["-keyout", folder.appending(path: "key").path, "-out", folder.appending(path: "cert").path]
    let making = try OpenSSLProgram(
      ["req", "-x509", "-nodes", "-subj", "/CN=old"] + kind.certificate + files)
    #expect(making.waitUntilExit() == 0)

    let program = try OpenSSLProgram(
      ["s_server", "-accept", "127.0.0.1:0", "-naccept", "1", "-rev", "-cert", files[3], "-key", files[1]]
        + kind.arguments)
    defer { program.terminate() }
    let port = try #require(program.acceptedPort())

    let group = MultiThreadedEventLoopGroup.singleton
    let ended = group.next().makePromise(of: [String].self)
    let context = try TLSContext.client(compatibility: kind.compatibility)
    let channel = try await ClientBootstrap(group: group).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandlers([
          TLSHandler(context: context, role: .client), HangUpAfterAnswer(), EventLog(ended: ended),
        ])
      }
    }.connect(host: "127.0.0.1", port: port).get()
    channel.writeAndFlush(ByteBuffer(string: "queue\n"), promise: nil)
    let lines = try await ended.futureResult.get()
    #expect(lines.first?.hasPrefix(kind.outcome) == true, "\(lines)")
    if kind.outcome.hasPrefix("handshake") {
      #expect(lines.dropFirst() == ["eueuq\n", "inactive"])
    }
  }
}

/// Closes the channel once a line has come back.
private final class HangUpAfterAnswer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private var answer = ""

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    answer += unwrapInboundIn(data).text
    guard answer.hasSuffix("\n") else { return }
    context.fireChannelRead(NIOAny(ByteBuffer(string: answer)))
    context.close(promise: nil)
  }
}

/// One run of the `openssl` program.
final class OpenSSLProgram {
  private static let path = "/usr/bin/openssl"
  static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

  private let process = Process()
  private let output = Pipe()

  init(_ arguments: [String]) throws {
    process.executableURL = URL(filePath: Self.path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func waitUntilExit() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Whatever signals this thread blocks its children block, too: all but this one.
  func terminate() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Reads the line "ACCEPT 127.0.0.1:PORT"; nil when the program ends before.
  func acceptedPort() -> Int? {
    var text = ""
    while let data = try? output.fileHandleForReading.read(upToCount: 1), !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
      guard text.hasSuffix("\n") else { continue }
      if text.hasPrefix("ACCEPT "), let port = text.dropLast().split(separator: ":").last { return Int(port) }
      text = ""
    }
    return nil
  }
}
