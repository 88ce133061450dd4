package import CastqMediaServer
package import CastqStore
package import Logging
import NIOCore
import NIOPosix

/// What all feeders of a process share: the server for local files with its event loop and, in a daemon, the socket for live
/// commands.
package actor FeederHost {
  /// Where live commands for every device are taken; nil when each feeder has a socket of its own.
  let socket: String?
  // Files have an event loop of their own: a disk that stalls must not delay a heartbeat.
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let limits: MediaServerLimits
  private let memoryPath: String?
  private var start: Task<Result<SharedMedia, MediaServerError>, Never>?

  /// - Parameters:
  ///   - database: addresses of local files are kept beside it; nil keeps none.
  ///   - socket: where the caller serves live commands for all devices; nil lets each feeder do so for its own.
  package init(
    database: Database?, socket: String? = nil, limits: MediaServerLimits = MediaServerLimits()
  ) {
    memoryPath = database.map { "\($0.path).media" }
    self.socket = socket
    self.limits = limits
  }

  /// The limits of a server for many devices, some of which may be behind one address.
  package static var fleetLimits: MediaServerLimits {
    var limits = MediaServerLimits()
    limits.connections = 8192
    limits.connectionsPerAddress = 2048
    return limits
  }

  /// A device's part of the server, which is started with the first one.
  func share() async throws(MediaServerError) -> SharedMedia.Share {
    let start =
      start
      ?? Task { [group, limits, memoryPath] in
        await Self.serve(on: group, limits, MediaMemory(path: memoryPath))
      }
    self.start = start
    let result = await start.value
    // What did not work may work later, such as when other programs have closed some files.
    if case .failure = result, self.start == start { self.start = nil }
    return try result.get().share()
  }

  /// Serves at the address of last time, unless somebody else has it now.
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

  /// Closes everything. No feeder may be at work any more.
  package func shutDown(_ logger: Logger) async {
    if case .success(let media)? = await start?.value { await media.server.stop() }
    do { try await group.shutdownGracefully() } catch {
      logger.notice("event loops did not end in order", metadata: ["error": "\(error)"])
    }
  }
}
