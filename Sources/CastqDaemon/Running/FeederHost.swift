import CastSender
package import CastqMediaServer
package import CastqStore
package import Logging
import NIOCore
import NIOPosix

/// Resources shared by all feeders of a process: the media server with its event loop and, in a daemon, the control socket.
package actor FeederHost {
  /// The control socket; nil without live commands.
  let socket: String?
  /// The control server of a process that feeds one device: it stops listening before the device's lock is released, so that the
  /// next feeder can listen there. Nil if it serves other devices, too.
  let endsWithRun: ControlServer?
  /// The media server's own event loop, so that a stalled disk does not delay a heartbeat; nil before it is started.
  private var group: MultiThreadedEventLoopGroup?
  private let limits: MediaServerLimits
  private let memoryPath: String?
  private var start: Task<Result<SharedMedia, MediaServerError>, Never>?

  /// - Parameters:
  ///   - database: addresses of local files are stored beside it; nil stores none.
  ///   - control: the server of live commands; nil without them.
  ///   - endsWithRun: whether that server serves a single run.
  ///   - limits: the limits of the media server.
  package init(
    database: Database?, control: ControlServer? = nil, endsWithRun: Bool = false,
    limits: MediaServerLimits = MediaServerLimits()
  ) {
    memoryPath = database.map { "\($0.path).media" }
    socket = control?.path
    self.endsWithRun = endsWithRun ? control : nil
    self.limits = limits
  }

  /// Server limits for many devices, several of which may share an address.
  package static var fleetLimits: MediaServerLimits {
    var limits = MediaServerLimits()
    limits.connections = 8192
    limits.connectionsPerAddress = 2048
    return limits
  }

  /// A device's share of the media server; the first one starts the server.
  func share() async throws(MediaServerError) -> SharedMedia.Share { try await media().get().share() }

  /// Makes what the first device needs: the media server and the settings of connections.
  func prepare() async {
    async let media = media()
    TLSTransport.prepare()
    _ = await media
  }

  private func media() async -> Result<SharedMedia, MediaServerError> {
    let group = group ?? MultiThreadedEventLoopGroup(numberOfThreads: 1)
    self.group = group
    let start =
      start
      ?? Task { [limits, memoryPath] in
        await Self.serve(on: group, limits, MediaMemory(path: memoryPath))
      }
    self.start = start
    let result = await start.value
    // Forget a failed start, so that the next call retries it.
    if case .failure = result, self.start == start { self.start = nil }
    return result
  }

  /// Starts the server on the stored port, or on another one if that is in use.
  private static func serve(
    on group: MultiThreadedEventLoopGroup, _ limits: MediaServerLimits, _ memory: MediaMemory
  ) async -> Result<SharedMedia, MediaServerError> {
    var memory = memory
    if let port = memory.port {
      let server = MediaServer(port: port, group: group, limits: limits)
      if (try? await server.start()) != nil { return .success(SharedMedia(server, memory: memory)) }
    }
    let server = MediaServer(group: group, limits: limits)
    do throws(MediaServerError) { try await server.start() } catch { return .failure(error) }
    if memory.port == nil {
      memory.port = server.port
      memory.keep()
    }
    return .success(SharedMedia(server, memory: memory))
  }

  /// Closes everything. All feeders must have ended.
  package func shutDown(_ logger: Logger) async {
    if case .success(let media)? = await start?.value { await media.server.stop() }
    do { try await group?.shutdownGracefully() } catch {
      logger.notice("event loops did not shut down cleanly", metadata: ["error": "\(error)"])
    }
  }
}
