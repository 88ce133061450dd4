import CastProtocol
import CastSender
import CastqAccepting
import CastqFeeding
import CastqFiles
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
  /// Whether the process feeds one device, and is over with its run.
  let endsItsProcess: Bool
  /// The media server's own event loop, so that a stalled disk does not delay a heartbeat; nil before it is started.
  private var group: MultiThreadedEventLoopGroup?
  private let limits: MediaServerLimits
  private let loops: LoopProbe?
  private let memoryPath: String?
  /// What the local files are made of; nil without a database.
  nonisolated let probes: FileProbes?
  /// The pictures in them; nil makes none.
  nonisolated let pictures: FilePictures?
  /// What is converted while it plays; nil converts nothing.
  nonisolated let live: LivePieces?
  /// The port that the media server must have; nil lets it choose.
  private let mediaPort: Int?
  /// What devices fetched.
  nonisolated let accessLog: MediaAccessLog
  private var start: Task<Result<SharedMedia, MediaServerError>, Never>?

  /// - Parameters:
  ///   - database: addresses of local files are stored beside it; nil stores none.
  ///   - control: the server of live commands; nil without them.
  ///   - endsWithRun: whether that server serves a single run.
  ///   - limits: the limits of the media server.
  ///   - mediaPort: the only port at which local files are served; nil is the one that the database had before, or another free one.
  ///   - accessLog: what devices fetch is added to it.
  ///   - programs: what local files are probed with, and pictures of them made.
  ///   - loops: the loop of the media server is added to it.
  ///   - pictureFolder: where the pictures are kept; nil makes none.
  package init(
    database: Database?, control: ControlServer? = nil, endsWithRun: Bool = false,
    limits: MediaServerLimits = MediaServerLimits(), mediaPort: Int? = nil,
    accessLog: MediaAccessLog = MediaAccessLog(logger: Session.silentLogger),
    programs: MediaPrograms = MediaPrograms(), pictureFolder: String? = nil, loops: LoopProbe? = nil
  ) {
    self.loops = loops
    pictures = programs.ffmpeg.flatMap { program in
      pictureFolder.map { FilePictures(PictureMaker(program), folder: PictureFolder(path: $0)) }
    }
    live = programs.ffmpeg.map { LivePieces($0) }
    probes = database.map { FileProbes(ProbeMemory(programs.ffprobe.map { MediaProber($0) }, $0)) }
    self.mediaPort = mediaPort
    self.accessLog = accessLog
    memoryPath = database.map { MediaMemory.path(ofDatabase: $0.path) }
    socket = control?.path
    self.endsWithRun = endsWithRun ? control : nil
    endsItsProcess = endsWithRun
    self.limits = limits
  }

  /// A device's share of the media server; the first one starts the server.
  /// - Parameters:
  ///   - address: the device's IP address.
  ///   - port: the port that leads to the server from the device; nil is the server's own.
  func share(of address: String, port: Int?) async throws(MediaServerError) -> SharedMedia.Share {
    try await media().get().share(of: address, port: port)
  }

  /// Connections that fetch local files now.
  func connections() async -> Int {
    guard case .success(let media)? = await start?.value else { return 0 }
    return media.server.connectionCount
  }

  /// What devices fetched, and what of the process is in use, as a document.
  /// - Parameter connectionProblem: why the device that is asked about is not connected; nil when it is.
  func mediaDocument(_ shares: GuestShares, connectionProblem: String?) async -> JSONValue {
    var members = await mediaDocument().object ?? [:]
    members["connection_problem"] = JSONValue(connectionProblem)
    members["open_files"] =
      OpenFilesFinding(
        shares: shares, open: GuestShares.openDescriptors, mediaConnections: await connections(), devices: 0
      ).document
    return .object(members)
  }

  /// What devices fetched, as a document.
  func mediaDocument() async -> JSONValue {
    guard case .success(let media)? = await start?.value else { return accessLog.document(port: nil) }
    // What a device has received by now is recorded before the next thing that the loop does.
    _ = try? await group?.next().submit {}.get()
    return accessLog.document(port: media.server.port)
  }

  /// Makes what the first device needs: the media server and the settings of connections.
  func prepare() async {
    async let media = media()
    TLSTransport.prepare()
    _ = await media
  }

  private func media() async -> Result<SharedMedia, MediaServerError> {
    // A loop that gets no descriptor would end the process.
    guard group != nil || DescriptorRoom.has(DescriptorRoom.ofLoop) else { return .failure(.noDescriptors) }
    let group = group ?? MultiThreadedEventLoopGroup(numberOfThreads: 1)
    if self.group == nil { loops?.add(group.next(), as: "the loop of local files") }
    self.group = group
    let start =
      start
      ?? Task { [limits, memoryPath, mediaPort, accessLog] in
        let memory: MediaMemory
        do throws(OwnFileError) { memory = try MediaMemory(path: memoryPath) } catch {
          return .failure(.unreadable(error.path, reason: error.words))
        }
        return await Self.serve(on: group, limits, memory, port: mediaPort, accessLog)
      }
    self.start = start
    let result = await start.value
    // Forget a failed start, so that the next call retries it.
    if case .failure = result, self.start == start { self.start = nil }
    return result
  }

  /// Starts the server: on the required port and no other, which a firewall or a forwarding would not let pass; or else on the stored
  /// one, or on another one if that is in use.
  private static func serve(
    on group: MultiThreadedEventLoopGroup, _ limits: MediaServerLimits, _ memory: MediaMemory, port: Int?,
    _ log: MediaAccessLog
  ) async -> Result<SharedMedia, MediaServerError> {
    var memory = memory
    do throws(MediaServerError) {
      if let port {
        let server = try await server(at: port, on: group, limits, log)
        if memory.port != port { memory.move(to: port) }
        return .success(SharedMedia(server, memory: memory))
      }
      if let port = memory.port, let server = try? await server(at: port, on: group, limits, log) {
        return .success(SharedMedia(server, memory: memory))
      }
      let server = try await server(at: 0, on: group, limits, log)
      if memory.port == nil { memory.move(to: server.port) }
      return .success(SharedMedia(server, memory: memory))
    } catch {
      return .failure(error)
    }
  }

  /// A running server at all addresses of both families; those of IPv4 alone where the system has no IPv6.
  private static func server(
    at port: Int, on group: MultiThreadedEventLoopGroup, _ limits: MediaServerLimits, _ log: MediaAccessLog
  ) async throws(MediaServerError) -> MediaServer {
    let both = MediaServer(host: "::", port: port, group: group, limits: limits) { log.record($0) }
    if (try? await both.start()) != nil { return both }
    let server = MediaServer(host: "0.0.0.0", port: port, group: group, limits: limits) { log.record($0) }
    try await server.start()
    return server
  }

  /// Closes everything. All feeders must have ended.
  package func shutDown(_ logger: Logger) async {
    await probes?.end()
    await pictures?.end()
    await live?.end()
    if case .success(let media)? = await start?.value { await media.server.stop() }
    do { try await group?.shutdownGracefully() } catch {
      logger.notice("event loops did not shut down cleanly", metadata: ["error": "\(error)"])
    }
  }
}
