import CastReceiverSim
import CastSender
import CastTLS
import Logging
import NIOCore
import NIOPosix

/// A simulated receiver on loopback, and something for it to play.
struct SimulatedDevice {
  let server: SimServer
  let files: FileServer

  private static let identity = Result { () throws(TLSError) in
    try TLSIdentity.selfSigned(commonName: "simulator", notBefore: 1_700_000_000, notAfter: 1_900_000_000)
  }

  /// Where connections live.
  static let group = MultiThreadedEventLoopGroup.singleton

  static func start(_ faults: [String] = [], _ change: (inout ReceiverConfiguration) -> Void = { _ in })
    async throws -> SimulatedDevice
  {
    var configuration = ReceiverConfiguration()
    configuration.launchDelay = .milliseconds(20)
    configuration.namespaceDelay = .milliseconds(10)
    configuration.faults = try faults.map { try Fault(parsing: $0) }
    change(&configuration)
    let server = try await SimServer.start(
      configuration, SimServer.Options(), identity: identity.get(), on: MultiThreadedEventLoopGroup.singleton)
    return SimulatedDevice(server: server, files: try await FileServer.start())
  }

  var device: Device {
    Device(endpoint: DeviceEndpoint(host: "127.0.0.1", port: server.port), friendlyName: "Test TV")
  }

  func media(_ name: String) -> MediaInformation {
    MediaInformation(
      contentID: "http://127.0.0.1:\(files.port)/\(name)", contentType: "video/mp4",
      metadata: nil)
  }

  func stop() async throws {
    await server.stop()
    try await files.channel.close()
  }
}

extension CastContext {
  /// A context that does not look for devices on the network where the tests run.
  static func quiet(
    logger: Logger = CastLogger.shared.logger(for: .session),
    _ change: (inout CastOptions) -> Void = { _ in }
  ) -> CastContext {
    var options = CastOptions()
    options.startsDiscoveryAutomatically = false
    change(&options)
    return CastContext(options: options, logger: logger)
  }
}

/// Answers every request with the same few bytes, except those for `nope`.
struct FileServer {
  let port: Int
  let channel: any Channel

  static func start() async throws -> FileServer {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler()) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return FileServer(port: channel.localAddress?.port ?? 0, channel: channel)
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let request = String(buffer: unwrapInboundIn(data))
      let answer =
        request.hasPrefix("GET /nope")
        ? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        : "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 4\r\nConnection: close\r\n\r\nfilm"
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
    }
  }
}
