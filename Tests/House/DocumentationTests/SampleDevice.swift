import CastReceiverSim
import CastSender
import CastTLS
import NIOCore
import NIOPosix

/// What the samples are played to: a simulated receiver on loopback, and files for it.
struct SampleDevice {
  private let server: SimServer
  private let files: any Channel

  private static let identity = Result { () throws(TLSError) in
    try TLSIdentity.selfSigned(commonName: "simulator", notBefore: 1_700_000_000, notAfter: 1_900_000_000)
  }

  /// Plays a sample in a session with a device of its own.
  static func session(
    speed: Double = 1, _ body: (SampleDevice, Session) async throws -> Void
  ) async throws {
    try await run(speed: speed) { stage in
      let session = Session(device: stage.device)
      try await session.start()
      try await body(stage, session)
      await session.leave()
    }
  }

  /// Plays a sample to a device of its own.
  static func run(
    speed: Double = 1, _ change: (inout ReceiverConfiguration) -> Void = { _ in },
    _ body: (SampleDevice) async throws -> Void
  ) async throws {
    var configuration = ReceiverConfiguration()
    configuration.launchDelay = .milliseconds(20)
    configuration.namespaceDelay = .milliseconds(10)
    configuration.unknownDuration = 600
    change(&configuration)
    var options = SimServer.Options()
    options.speed = speed
    let group = MultiThreadedEventLoopGroup.singleton
    let device = SampleDevice(
      server: try await SimServer.start(configuration, options, identity: identity.get(), on: group),
      files: try await Self.serveFiles(on: group))
    try await body(device)
    await device.server.stop()
    try await device.files.close()
  }

  var device: Device {
    Device(endpoint: DeviceEndpoint(host: "127.0.0.1", port: server.port), friendlyName: "Lobby TV")
  }

  /// Has the application want the viewer's credentials.
  func wantCredentials() async throws { try await server.control(.wantCredentials) }

  /// Makes the device known to those who listen on a port of loopback.
  func advertise(port: Int) async throws {
    var options = AdvertisingOptions()
    options.port = port
    try await server.advertise(options)
  }

  /// The address of a file that is there, unless it is called `nope`.
  func address(_ name: String) -> String { "http://127.0.0.1:\(files.localAddress?.port ?? 0)/\(name)" }

  /// A film of ten minutes with its name for a title.
  func film(_ name: String) -> MediaInformation {
    let path = String(name.map { $0 == " " ? "-" : $0 })
    return MediaInformation(
      contentID: address(path), contentType: "video/mp4", streamDuration: 600,
      metadata: MediaMetadata(kind: .movie, values: ["title": .string(name)]))
  }

  private static func serveFiles(on group: any EventLoopGroup) async throws -> any Channel {
    try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Files()) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  private final class Files: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let request = String(buffer: unwrapInboundIn(data))
      let path = request.split(separator: " ").dropFirst().first ?? ""
      var answer = ByteBuffer()
      if path == "/nope" {
        answer.writeString("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
      } else {
        let body = path.hasPrefix("/picture-") ? Self.picture(path) : Array("film".utf8)
        answer.writeString("HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nConnection: close\r\n")
        answer.writeString("Content-Length: \(body.count)\r\n\r\n")
        answer.writeBytes(body)
      }
      context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }

    /// The head of a PNG of the width in its name, and of the height that goes with it.
    private static func picture(_ path: Substring) -> [UInt8] {
      let width = path.split(separator: "-").last.flatMap { UInt32($0) } ?? 0
      let size = [width, width * 9 / 16].flatMap { number in
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
      }
      return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + size
        + [8, 2, 0, 0, 0, 0, 0, 0, 0]
    }
  }
}
