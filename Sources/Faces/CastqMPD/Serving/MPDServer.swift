import CastqAccepting
package import CastqText
import NIOCore
import NIOPosix
import Synchronization

/// Serves the Music Player Daemon's protocol: `castq mpd`.
package struct MPDServer: Sendable {
  private let doors: [MPDDoor]
  private let face: MPDFace
  private let gate: any MPDGate

  private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>
  private typealias Listener = NIOAsyncChannel<Connection, Never>

  package init(_ doors: [MPDDoor], face: MPDFace, gate: any MPDGate) {
    self.doors = doors
    self.face = face
    self.gate = gate
  }

  /// Serves until the task is cancelled.
  /// - Parameter ready: called with the ports, in the order of the doors, once clients can connect; nil for a socket.
  /// - Throws: `listen` when one of the places cannot be used.
  package func run(ready: @escaping @Sendable ([Int?]) async -> Void) async throws(Failure) {
    var listeners: [(MPDDoor, Listener)] = []
    for door in doors { listeners.append((door, try await listen(at: door))) }
    await ready(listeners.map { $0.1.channel.localAddress?.port })
    let seats = Seats(face.settings.clients)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await face.run() }
      for (door, listener) in listeners {
        group.addTask { await accept(at: door, listener, seats) }
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func listen(at door: MPDDoor) async throws(Failure) -> Listener {
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptPause())
        }
      }
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 << 10))
    let initializer: @Sendable (any Channel) -> EventLoopFuture<Connection> = { channel in
      channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
    }
    do {
      switch door.place {
      case .address(let host, let port):
        return try await bootstrap.bind(host: host, port: port, childChannelInitializer: initializer)
      case .socket(let descriptor, _):
        return try await bootstrap.bind(descriptor, childChannelInitializer: initializer)
      }
    } catch {
      let (words, isLasting) = ListenProblem.reason(error)
      throw Failure(cannotListenAt: Self.words(door.place), words, isLasting: isLasting)
    }
  }

  private static func words(_ place: MPDDoor.Place) -> String {
    switch place {
    case .address(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .socket(_, let path): path
    }
  }

  private func accept(at door: MPDDoor, _ listener: Listener, _ seats: Seats) async {
    try? await listener.executeThenClose { connections in
      try await withThrowingDiscardingTaskGroup { group in
        for try await connection in connections {
          group.addTask { await serve(connection, at: door, seats) }
        }
      }
    }
  }

  private func serve(_ connection: Connection, at door: MPDDoor, _ seats: Seats) async {
    let hasSeat = seats.enter()
    defer { if hasSeat { seats.leave() } }
    try? await connection.executeThenClose { inbound, outbound in
      guard hasSeat else { return }
      let partition: String
      do throws(MPDFailure) {
        partition =
          if let own = door.partition { try await face.partition(named: own) } else { try await face.home() }
      } catch {
        // In place of the greeting, as a client expects of a server that cannot serve it.
        return try await outbound.write(ByteBuffer(string: error.line(index: 0, command: "")))
      }
      let conversation = MPDConversation(partition: partition, permissions: door.permissions)
      let client = MPDClient(
        conversation, face: face, gate: gate, peer: connection.channel.remoteAddress?.ipAddress, outbound)
      await client.serve(inbound)
    }
  }
}

/// How many clients there may be.
private final class Seats: Sendable {
  private let free: Mutex<Int>

  init(_ count: Int) { free = Mutex(count) }

  /// Whether there was room.
  func enter() -> Bool {
    free.withLock { free in
      guard free > 0 else { return false }
      free -= 1
      return true
    }
  }

  func leave() { free.withLock { $0 += 1 } }
}
