import CastqAccepting
import Glibc
package import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Serves the local files of a queue to Cast devices over HTTP, and nothing else (protocol 12.4).
///
/// A file is reachable only while it is published, under an unguessable path. Keep the server running until the device is idle:
/// some fetch late (protocol 18.34). Files are read on the event loops of the group: for a disk that may stall, use a separate
/// group, so that it does not delay the heartbeats of sessions.
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
  /// By event loop.
  private let rounds = Mutex([ObjectIdentifier: NIOLoopBound<ConnectionRounds>]())
  private let state = Mutex(State.idle)

  /// - Parameters:
  ///   - host: IP address to listen on; `0.0.0.0` for all IPv4 addresses, `::` for all addresses.
  ///   - port: 0 for any free port.
  ///   - onServed: called once for each response, on an event loop: it must not block.
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

  /// The port it listens on; before `start`, the requested one.
  package var port: Int {
    state.withLock { state in
      guard case .running(let channel) = state else { return wantedPort }
      return channel.localAddress?.port ?? wantedPort
    }
  }

  /// Open connections.
  package var connectionCount: Int { ledger.channels.count }

  /// Returns when devices can connect. A server starts only once.
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
      throw .cannotListen(host: host, port: wantedPort, reason: MediaServerError.reason(of: error))
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

  /// Stops listening and closes every connection, also during a response. Returns when all sockets and files are closed and the
  /// last `onServed` has been called.
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

  /// Publishes a file until `withdraw`. The same file gets the same link, however often it is published.
  ///
  /// Symbolic links are followed now and never again. Reads the disk, so it may block.
  /// - Throws: when there is no readable regular file, or the type is not a content type.
  package func publish(path: String, contentType: String) throws(MediaServerError) -> MediaLink {
    try shelf.publish(path: path, contentType: contentType, token: nil)
  }

  /// Publishes a file under a token derived from a stored secret, so that the URL survives a restart. A token that was used for
  /// another file now names this one.
  /// - Parameter token: 22 to 128 of `A-Z a-z 0-9 - _`, with at least 128 secret bits.
  package func publish(path: String, contentType: String, token: String) throws(MediaServerError) -> MediaLink
  {
    try shelf.publish(path: path, contentType: contentType, token: token)
  }

  /// Publishes what a conversion makes of a file, at an address of its own. The file is read again for each request.
  /// - Parameters:
  ///   - contentType: of the result.
  ///   - token: as above; nil for a random one.
  package func publish(
    path: String, contentType: String, conversion: MediaConversion, token: String? = nil
  ) throws(MediaServerError) -> MediaLink {
    try shelf.publish(path: path, contentType: contentType, conversion: conversion, token: token)
  }

  /// Publishes a document that is made for each request.
  /// - Parameters:
  ///   - fileName: becomes the end of the address; its own ending stays only where it is that of a known type.
  ///   - token: as above; nil for a random one.
  package func publish(
    _ document: MediaDocument, fileName: String, contentType: String, token: String? = nil
  ) throws(MediaServerError) -> MediaLink {
    try shelf.publish(.document(document), name: fileName, contentType: contentType, token: token)
  }

  /// Publishes a manifest and its pieces, which are made for each request. A piece has the address of the manifest with its own name at the end.
  /// - Parameters:
  ///   - contentType: of the manifest.
  ///   - fileName, token: as above.
  package func publish(
    _ pieces: MediaPieces, fileName: String, contentType: String, token: String? = nil
  ) throws(MediaServerError) -> MediaLink {
    try shelf.publish(.pieces(pieces), name: fileName, contentType: contentType, token: token)
  }

  /// The bytes of a file as a conversion gets them.
  /// - Throws: when there is no readable regular file, or it is larger than the limit in bytes.
  package static func read(path: String, limit: Int) throws(MediaServerError) -> [UInt8] {
    let canonical = try MediaShelf.canonicalPath(of: path)
    do throws(MediaFileError) {
      let file = try MediaFile.open(canonicalPath: canonical)
      defer { file.close() }
      guard file.version.size <= limit else {
        throw MediaFileError.unreadable("it is larger than \(limit) bytes")
      }
      return try file.prefix(file.version.size)
    } catch {
      throw MediaServerError(error, path: path)
    }
  }

  /// Withdraws the link at once, however often it was published. Responses in progress are completed.
  package func withdraw(_ link: MediaLink) { shelf.withdraw(link) }

  /// A device is fed at this IP address: a connection from there takes the place of any other that is not from such a device. Several
  /// devices may share an address, each of which is added and removed once.
  package func addDevice(at address: String) { ledger.addDevice(at: Self.client(address)) }

  package func removeDevice(at address: String) { ledger.removeDevice(at: Self.client(address)) }

  /// The form in which the address of a client is known: without brackets and zone.
  private static func client(_ address: String) -> String {
    (try? SocketEndpoint(literal: address))?.literal ?? address
  }

  /// The URL for a device that reaches the server at its own port.
  package func url(for link: MediaLink, host: String) -> String { url(for: link, host: host, port: port) }

  /// The URL for a device.
  ///
  /// - Parameters:
  ///   - host: an IP address of this machine that the device reaches, with or without brackets and zone, or a name that public DNS
  ///     resolves. See `LocalAddress`.
  ///   - port: the port that leads here from the device.
  package func url(for link: MediaLink, host: String, port: Int) -> String {
    "http://\(LocalAddress.urlHost(of: host)):\(port)\(link.path)"
  }

  /// Those of an event loop, on that loop.
  private func rounds(of loop: any EventLoop) -> ConnectionRounds {
    rounds.withLock { rounds in
      if let known = rounds[ObjectIdentifier(loop)] { return known }
      let new = NIOLoopBound(ConnectionRounds(of: loop, limits), eventLoop: loop)
      rounds[ObjectIdentifier(loop)] = new
      return new
    }.value
  }

  private func bootstrap() -> ServerBootstrap {
    let (shelf, ledger, limits, onServed) = (shelf, ledger, limits, onServed)
    return ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // Requests are small. Data from a peer is read in full when it disconnects, and this bounds that as well. The option is
      // set on the listener, because the window is negotiated before a connection is accepted.
      .serverChannelOption(.socketOption(.so_rcvbuf), value: 32 * 1024)
      // Connections have these options of their listener from the beginning. The screen stays black until the first byte (protocol 21.18).
      .serverChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .serverChannelOption(.socketOption(.so_keepalive), value: 1)
      // What the system holds for a connection beyond what is on its way. Without it a crowd that reads nothing fills megabytes each, and
      // the work of that is most of what it costs.
      .serverChannelOption(.tcpOption(.tcp_notsent_lowat), value: 128 * 1024)
      // A crowd comes at once; the loop asks the system less often.
      .serverChannelOption(.maxMessagesPerRead, value: 16)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([AcceptPause(), ConnectionLimiter(ledger)])
        }
      }
      .childChannelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          // Set here and not by the bootstrap, which waits for a future for each.
          try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
          try channel.syncOptions?.setOption(
            .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
          var parsing = NIOHTTPDecoderLimitConfiguration()
          parsing.maxHeaderFieldSize = limits.headerBytes
          parsing.maxHeaderListSize = limits.headerBytes
          parsing.maxHeaderFieldCount = 100
          let deadlines = ConnectionDeadlines(limits, rounds: rounds(of: channel.eventLoop))
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
      // The future of a closed channel fails only when its event loop is gone, and the channel with it.
    }
  }
}

extension NIOBSDSocket.Option {
  /// SwiftNIO has no name for it.
  fileprivate static let tcp_notsent_lowat = Self(rawValue: TCP_NOTSENT_LOWAT)
}
