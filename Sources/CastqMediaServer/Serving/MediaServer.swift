package import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Serves the local files of a queue to Cast devices over HTTP, and nothing else (protocol 12.4).
///
/// A file is reachable only while it is published, under a path nobody can guess. Keep the server up until the device
/// is idle: some fetch late (protocol 18.34). Files are read on the event loops of the group: on a disk that may
/// stall, give the server a group of its own, so that heartbeats of sessions do not wait for it.
package final class MediaServer: Sendable {
  private enum State {
    case idle
    case starting
    case running(any Channel)
    case stopped
  }

  private let host: String
  private let wantedPort: Int
  private let group: any EventLoopGroup
  private let limits: MediaServerLimits
  private let onServed: @Sendable (MediaServed) -> Void
  private let shelf: MediaShelf
  private let ledger: ConnectionLedger
  private let state = Mutex(State.idle)

  /// - Parameters:
  ///   - host: IP address to listen on; `0.0.0.0` for every IPv4 one, `::` for every one.
  ///   - port: 0 for any free one.
  ///   - onServed: told once for each answered request for a published file, on an event loop: it must not block.
  package init(
    host: String = "0.0.0.0", port: Int = 0, group: any EventLoopGroup,
    limits: MediaServerLimits = MediaServerLimits(),
    onServed: @escaping @Sendable (MediaServed) -> Void = { _ in }
  ) {
    self.host = host
    wantedPort = port
    self.group = group
    self.limits = limits
    self.onServed = onServed
    shelf = MediaShelf(capacity: limits.publishedFiles)
    ledger = ConnectionLedger(limits: limits)
  }

  /// The port that is listened on; before `start` the one that was asked for.
  package var port: Int {
    state.withLock { state in
      guard case .running(let channel) = state else { return wantedPort }
      return channel.localAddress?.port ?? wantedPort
    }
  }

  /// Open connections.
  package var connectionCount: Int { ledger.channels.count }

  /// Returns when devices can connect. A server is started once.
  package func start() async throws(MediaServerError) {
    let isFirst = state.withLock { state in
      guard case .idle = state else { return false }
      state = .starting
      return true
    }
    guard isFirst else { throw .alreadyStarted }
    let channel: any Channel
    do {
      channel = try await bootstrap().bind(host: host, port: wantedPort).get()
    } catch {
      state.withLock { $0 = .stopped }
      throw .cannotListen(host: host, port: wantedPort, reason: String(describing: error))
    }
    let isWanted = state.withLock { state in
      guard case .starting = state else { return false }
      state = .running(channel)
      return true
    }
    if !isWanted {
      await close(channel)
      throw .alreadyStarted
    }
  }

  /// Stops listening and closes every connection, also those that are in the middle of a file. Returns when all
  /// sockets and files are closed and `onServed` has heard the last.
  package func stop() async {
    let channel = state.withLock { state -> (any Channel)? in
      defer { state = .stopped }
      guard case .running(let channel) = state else { return nil }
      return channel
    }
    if let channel { await close(channel) }
    let connections = ledger.channels
    for connection in connections { connection.close(promise: nil) }
    for connection in connections { await closed(connection) }
  }

  /// Makes a file reachable until `withdraw`. The same file gives the same link, however often it is published.
  ///
  /// Symbolic links are followed now and never again. Looks at the disk, so it may block.
  /// - Throws: when there is no readable regular file, or the type is not one.
  package func publish(path: String, contentType: String) throws(MediaServerError) -> MediaLink {
    try shelf.publish(path: path, contentType: contentType, token: nil)
  }

  /// The same with a token that the caller derived from a stored secret, so that the URL survives a restart. A token
  /// that was used for another file stands for this one from now on.
  /// - Parameter token: 22 to 128 of `A-Z a-z 0-9 - _`, with at least 128 bits nobody else knows.
  package func publish(path: String, contentType: String, token: String) throws(MediaServerError) -> MediaLink
  {
    try shelf.publish(path: path, contentType: contentType, token: token)
  }

  /// Whatever the number of times it was published: the link is dead at once. Answers under way are finished.
  package func withdraw(_ link: MediaLink) { shelf.withdraw(link) }

  /// The URL to give to a device.
  ///
  /// - Parameter host: this machine as the device reaches it, an IP address with or without brackets and zone, or a
  ///   name that public DNS knows. See `LocalAddress`.
  package func url(for link: MediaLink, host: String) -> String {
    "http://\(LocalAddress.urlHost(of: host)):\(port)\(link.path)"
  }

  private func bootstrap() -> ServerBootstrap {
    let (shelf, ledger, limits, onServed) = (shelf, ledger, limits, onServed)
    return ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // Requests are small. What a peer has sent is read in full when it hangs up, so this bounds that as well.
      // Set on the listener, because the window is agreed on before a connection is accepted.
      .serverChannelOption(.socketOption(.so_rcvbuf), value: 32 * 1024)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ConnectionLimiter(ledger))
        }
      }
      // The first byte is what the screen stays black for (protocol 21.18).
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          var parsing = NIOHTTPDecoderLimitConfiguration()
          parsing.maxHeaderFieldSize = limits.headerBytes
          parsing.maxHeaderListSize = limits.headerBytes
          parsing.maxHeaderFieldCount = 100
          let deadlines = ConnectionDeadlines(limits)
          let handlers: [any ChannelHandler] = [
            deadlines,
            HTTPResponseEncoder(),
            ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: parsing)),
            MediaRequestHandler(
              shelf: shelf, ledger: ledger, limits: limits, deadlines: deadlines, onServed: onServed
            ),
          ]
          try channel.pipeline.syncOperations.addHandlers(handlers)
        }
      }
  }

  private func close(_ channel: any Channel) async {
    channel.close(promise: nil)
    await closed(channel)
  }

  private func closed(_ channel: any Channel) async {
    do {
      try await channel.closeFuture.get()
    } catch {
      // The future of a closed channel fails only when its loop is gone, and the channel with it.
    }
  }
}
