import CastPresentation
import CastProtocol
import CastReceiverSim
import CastSender
import CastTLS
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A simulated receiver on loopback, a context, and presenters of it.
struct Stage {
  let server: SimServer
  let context: CastContext
  let files: any Channel

  private static let identity = Result { () throws(TLSError) in
    try TLSIdentity.selfSigned(commonName: "simulator", notBefore: 1_700_000_000, notAfter: 1_900_000_000)
  }

  static func run(
    _ change: (inout ReceiverConfiguration) -> Void = { _ in },
    context option: (inout CastOptions) -> Void = { _ in }, _ body: (Stage) async throws -> Void
  ) async throws {
    var configuration = ReceiverConfiguration()
    configuration.launchDelay = .milliseconds(20)
    configuration.namespaceDelay = .milliseconds(10)
    configuration.unknownDuration = 600
    change(&configuration)
    var options = CastOptions()
    options.startsDiscoveryAutomatically = false
    option(&options)
    let group = MultiThreadedEventLoopGroup.singleton
    let stage = Stage(
      server: try await SimServer.start(
        configuration, SimServer.Options(), identity: identity.get(), on: group),
      context: CastContext(options: options), files: try await serveFiles(on: group))
    try await body(stage)
    try? await stage.context.sessionManager.endSession(stoppingCasting: false)
    await stage.context.discoveryManager.stopDiscovery()
    await stage.server.stop()
    try await stage.files.close()
  }

  var device: Device {
    Device(endpoint: DeviceEndpoint(host: "127.0.0.1", port: server.port), friendlyName: "Test TV")
  }

  /// A presenter that lists the receiver.
  func presenter(
    introductions: any IntroductionStore = MemoryIntroduction(),
    _ change: (inout PresentationOptions) -> Void = { _ in }
  ) -> CastPresenter {
    var options = PresentationOptions()
    change(&options)
    let presenter = CastPresenter(context: context, options: options, introductions: introductions)
    presenter.addDevice(device)
    return presenter
  }

  /// A presenter that plays a film.
  func playing(_ change: (inout PresentationOptions) -> Void = { _ in }) async throws -> CastPresenter {
    let presenter = presenter(change)
    try await presenter.perform(.chooseDevice(device.presentedID))
    try await load()
    await presenter.wait { $0.media.playbackState == .playing }
    return presenter
  }

  func load(_ name: String = "film") async throws {
    let session = try #require(context.sessionManager.currentSession)
    _ = try await session.remoteMediaClient.load(film(name)).value
  }

  func film(_ name: String) -> MediaInformation {
    MediaInformation(
      contentURL: "http://127.0.0.1:\(files.localAddress?.port ?? 0)/\(name)", contentType: "video/mp4",
      streamDuration: 600,
      metadata: MediaMetadata(
        kind: .movie, images: [Image(url: "http://127.0.0.1/\(name).png")], values: ["title": .string(name)]))
  }

  /// Answers every request with the same few bytes.
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
      let answer =
        "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 4\r\nConnection: close\r\n\r\nfilm"
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
    }
  }
}

extension CastPresenter {
  /// Waits for models.
  @discardableResult
  func wait(_ isReached: (PresentationSnapshot) -> Bool) async -> PresentationSnapshot {
    for await snapshot in snapshots() where isReached(snapshot) { return snapshot }
    Issue.record("the presenter closed first")
    return snapshot
  }
}

/// Keeps in memory that the introduction was shown.
final class MemoryIntroduction: IntroductionStore {
  private let wasShown: Mutex<Bool>
  init(wasShown: Bool = true) { self.wasShown = Mutex(wasShown) }
  func claim() -> Bool {
    wasShown.withLock { wasShown in
      defer { wasShown = true }
      return !wasShown
    }
  }
  func reset() { wasShown.withLock { $0 = false } }
}

/// A cache that has all images but those called `nope`.
struct SomeImages: ImageCache {
  func image(at url: String) async throws(CastError) -> CachedImage {
    guard !url.contains("nope") else { throw CastError(.invalidResponse, "no image") }
    return CachedImage(bytes: [1, 2, 3], mimeType: "image/png", size: nil, fetchedAt: 0)
  }
  func removeAll() async throws(CastError) {}
}
