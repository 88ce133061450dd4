import NIOCore
import NIOPosix
import Synchronization

/// The port of one receiver, and its treatment of new connections.
///
/// Confined to its event loop; only the port may be read from anywhere.
final class SimListener {
  /// The port, readable from any thread.
  final class Place: Sendable {
    private let number: Atomic<Int>
    init(_ port: Int) { number = Atomic(port) }
    var port: Int { number.load(ordering: .acquiring) }
    fileprivate func set(_ port: Int) { number.store(port, ordering: .releasing) }
  }

  typealias Welcome = @Sendable (any Channel) -> EventLoopFuture<Void>

  private enum Stand {
    case listening(any Channel)
    case held(HeldPort)
    case nothing
  }

  let place: Place
  private let loop: any EventLoop
  private let host: String
  private let welcome: Welcome
  private var stand: Stand
  /// The last requested change; the next waits for it.
  private(set) var work: EventLoopFuture<Void>

  /// Adopts a port; `change(to:)` opens it.
  init(loop: any EventLoop, host: String, held: HeldPort, welcome: @escaping Welcome) {
    self.loop = loop
    self.host = host
    self.welcome = welcome
    stand = .held(held)
    place = Place(held.port)
    work = loop.makeSucceededVoidFuture()
  }

  /// Changes the treatment of new connections.
  func change(to door: SimDoor) {
    enqueue { listener in
      switch door {
      case .open: return try listener.open()
      case .closed: return listener.shut { _ in }
      case .silent:
        let host = listener.host
        return listener.shut { $0.playDead(host: host) }
      }
    }
  }

  /// Listens on another port, nil for any; the old one is released.
  func move(to port: Int?) {
    enqueue { listener in
      let held = try HeldPort(host: listener.host, port: port ?? 0)
      let bound = NIOLoopBound((listener, held), eventLoop: listener.loop)
      return listener.leave().flatMapThrowing {
        let (listener, held) = bound.value
        listener.stand = .held(held)
        listener.place.set(held.port)
        return try listener.open()
      }.flatMap { $0 }
    }
  }

  /// Releases the port for good.
  func close() {
    enqueue { $0.leave() }
  }

  private func enqueue(_ change: @escaping (SimListener) throws -> EventLoopFuture<Void>) {
    let bound = NIOLoopBound((self, change), eventLoop: loop)
    // A failed change was reported to its caller; it does not affect the next.
    work = work.flatMapError { _ in bound.eventLoop.makeSucceededVoidFuture() }.flatMap {
      let (listener, change) = bound.value
      do {
        return try change(listener)
      } catch {
        return listener.loop.makeFailedFuture(error)
      }
    }
  }

  private func open() throws -> EventLoopFuture<Void> {
    if case .listening = stand { return loop.makeSucceededVoidFuture() }
    let held =
      if case .held(let held) = stand { held } else { try HeldPort(host: host, port: place.port) }
    guard let descriptor = held.release() else { return loop.makeSucceededVoidFuture() }
    stand = .nothing
    let bound = NIOLoopBound(self, eventLoop: loop)
    return ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 64)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 1 << 20, high: 4 << 20))
      .childChannelInitializer(welcome)
      .withBoundSocket(descriptor)
      .map { bound.value.stand = .listening($0) }
  }

  /// Keeps the port without a listener.
  private func shut(_ manner: @escaping (HeldPort) -> Void) -> EventLoopFuture<Void> {
    let bound = NIOLoopBound((self, manner), eventLoop: loop)
    return leave().flatMapThrowing {
      let (listener, manner) = bound.value
      let held = try HeldPort(host: listener.host, port: listener.place.port)
      manner(held)
      listener.stand = .held(held)
    }
  }

  private func leave() -> EventLoopFuture<Void> {
    guard case .listening(let channel) = stand else {
      stand = .nothing
      return loop.makeSucceededVoidFuture()
    }
    stand = .nothing
    return channel.close()
  }
}
