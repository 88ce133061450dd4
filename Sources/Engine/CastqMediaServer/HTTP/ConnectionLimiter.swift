import CastqAccepting
import Glibc
import NIOCore
import Synchronization

/// The open connections. `ConnectionPlaces` decides whether another one is admitted.
final class ConnectionLedger: Sendable {
  private struct State {
    var places: ConnectionPlaces
    var channels: [ConnectionPlaces.Number: any Channel] = [:]
    var numbers: [ObjectIdentifier: ConnectionPlaces.Number] = [:]
    var memory = CrowdMemory()
  }

  private let state: Mutex<State>

  init(limits: MediaServerLimits) {
    let places = ConnectionPlaces(limit: limits.connections, limitPerAddress: limits.connectionsPerAddress)
    state = Mutex(State(places: places))
  }

  /// Connections that are open now.
  var channels: [any Channel] { state.withLock { Array($0.channels.values) } }

  /// A device at this address is fed; several may be.
  func addDevice(at address: String) { state.withLock { $0.places.addDevice(at: address) } }

  func removeDevice(at address: String) { state.withLock { $0.places.removeDevice(at: address) } }

  /// False when a limit is reached; otherwise the connection counts until it closes, and another one may be closed for it.
  func admit(_ channel: any Channel) -> Bool {
    let address = SocketEndpoint.plain(channel.remoteAddress?.ipAddress ?? "")
    let now = NIODeadline.now()
    let (isAdmitted, victim) = state.withLock { state -> (Bool, (any Channel)?) in
      guard case .admitted(let number, let replaced) = state.places.admit(from: address, at: now) else {
        return (false, nil)
      }
      state.channels[number] = channel
      state.numbers[ObjectIdentifier(channel)] = number
      guard let victim = replaced.flatMap({ state.channels.removeValue(forKey: $0) }) else {
        return (true, nil)
      }
      state.numbers[ObjectIdentifier(victim)] = nil
      return (true, victim)
    }
    victim?.close(promise: nil)
    if isAdmitted { channel.closeFuture.whenComplete { _ in self.remove(channel) } }
    return isAdmitted
  }

  /// The connection requested a published file by its secret link.
  func recordNamedFile(_ channel: any Channel) { record(channel) { $0.recordNamedFile($1) } }

  /// A piece of a response left for the network, or all of one.
  func recordProgress(_ channel: any Channel) { record(channel) { $0.recordProgress($1) } }

  private func record(
    _ channel: any Channel, _ change: (inout ConnectionPlaces, ConnectionPlaces.Number) -> Void
  ) {
    state.withLock { state in
      if let number = state.numbers[ObjectIdentifier(channel)] { change(&state.places, number) }
    }
  }

  private func remove(_ channel: any Channel) {
    let crowdHasLeft = state.withLock { state in
      if let number = state.numbers.removeValue(forKey: ObjectIdentifier(channel)) {
        state.channels[number] = nil
        state.places.remove(number)
      }
      return state.memory.hasLeft(state.channels.count)
    }
    // The last of the crowd still free what they had.
    if crowdHasLeft { channel.eventLoop.scheduleTask(in: .seconds(1)) { CrowdMemory.giveBack() } }
  }
}

/// Sends connections above the limits away before a pipeline is built for them.
final class ConnectionLimiter: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel

  private let ledger: ConnectionLedger

  init(_ ledger: ConnectionLedger) { self.ledger = ledger }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    guard ledger.admit(channel) else {
      channel.eventLoop.execute {
        Self.answer(channel)
        channel.close(promise: nil)
      }
      return
    }
    context.fireChannelRead(data)
  }

  /// What a connection hears for which there is no place; it is closed then. Without what web pages may read they report a network error.
  private static let busy = Array(
    """
    HTTP/1.1 503 Service Unavailable\r
    Retry-After: 5\r
    Access-Control-Allow-Origin: *\r
    Content-Length: 0\r
    Connection: close\r
    \r

    """.utf8)

  /// Writes straight to the socket, which is new: there is room, and nobody waits for what is written.
  private static func answer(_ channel: any Channel) {
    // Without a socket there is only the end.
    _ = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      handle in
      withUnsafeTemporaryAllocation(byteCount: 2048, alignment: 1) { request in
        // Closing with bytes unread would be a reset, which overtakes the answer.
        _ = recv(handle, request.baseAddress, request.count, CInt(MSG_DONTWAIT))
      }
      _ = send(handle, busy, busy.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
    }
  }
}
