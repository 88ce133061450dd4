import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The files of a folder over http on loopback, with ranges, for tests that have no server of their own.
final class MediaFolder: Sendable {
  private let listener: any Channel
  private let connections: Connections

  /// The open connections; none is accepted after `closeAll()`.
  private final class Connections: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]?>([:])

    func add(_ channel: any Channel) {
      let key = ObjectIdentifier(channel)
      let isOpen = channels.withLock { channels in
        channels?[key] = channel
        return channels != nil
      }
      guard isOpen else { return channel.close(promise: nil) }
      channel.closeFuture.whenComplete { [weak self] _ in self?.channels.withLock { $0?[key] = nil } }
    }

    func closeAll() async {
      let channels = channels.withLock { $0.take() } ?? [:]
      for channel in channels.values { _ = try? await channel.close() }
    }
  }

  private init(listener: any Channel, connections: Connections) {
    self.listener = listener
    self.connections = connections
  }

  static func serve(_ folder: String, on group: any EventLoopGroup) async throws -> MediaFolder {
    guard let root = realPath(folder) else {
      throw SimulatedReceiverError(description: "\(folder): \(String(cString: strerror(errno)))")
    }
    let connections = Connections()
    let listener = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        connections.add(channel)
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
          try pipeline.addHandler(MediaFolderHandler(root: root))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return MediaFolder(listener: listener, connections: connections)
  }

  func address(of file: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    let path = MediaURL.escaped(file, keeping: plain.contains)
    return "http://127.0.0.1:\(listener.localAddress?.port ?? 0)/\(path)"
  }

  /// Closes all connections and frees the port.
  func stop() async {
    _ = try? await listener.close()
    await connections.closeAll()
  }

  /// A path without links and dots; nil when it does not exist.
  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
