import CastProtocol
import CastSender
import Synchronization

/// A connection in memory: a closure says what comes back for each message that is sent.
final class ScriptedTransport: Transport {
  typealias Script = @Sendable (CastMessage) -> [CastMessage]
  private let script: Script
  private let sent = Mutex<[CastMessage]>([])
  private let deliver = Mutex<(@Sendable (TransportEvent) -> Void)?>(nil)
  /// Whether the peer takes what is sent.
  let hasRoom = Atomic(true)
  private let onDeinit: @Sendable () -> Void

  init(
    onDeinit: @escaping @Sendable () -> Void = {}, script: @escaping Script = ScriptedTransport.restingDevice
  ) {
    self.script = script
    self.onDeinit = onDeinit
  }

  deinit { onDeinit() }

  /// A device where nothing runs; it answers what the platform is asked.
  static let restingDevice: Script = { message in
    guard message.namespace == .receiver, case .string(let text) = message.payload,
      let json = try? JSONValue(parsing: text), let id = json["requestId"]?.int
    else { return [] }
    return [status(requestID: id, to: message.source)]
  }

  static func status(requestID: Int, to destination: EndpointID = .broadcast) -> CastMessage {
    CastMessage(
      source: .receiver, destination: destination, namespace: .receiver,
      json: [
        "type": "RECEIVER_STATUS", "requestId": .integer(Int64(requestID)),
        "status": ["volume": ["level": 0.5, "muted": false]],
      ])
  }

  var sentMessages: [CastMessage] { sent.withLock { $0 } }

  /// The types of all messages that have one, in order.
  var sentTypes: [String] { sentMessages.compactMap { Self.json($0)?["type"]?.string } }

  /// The numbers of all requests, in order.
  var sentNumbers: [Int] { sentMessages.compactMap { Self.json($0)?["requestId"]?.int } }

  private static func json(_ message: CastMessage) -> JSONValue? {
    guard case .string(let text) = message.payload else { return nil }
    return try? JSONValue(parsing: text)
  }

  /// The device says something by itself.
  func say(_ event: TransportEvent) { deliver.withLock { $0 }?(event) }

  func open(
    _ endpoint: DeviceEndpoint, name: String, timeout: Duration, early: EarlyLaunch?,
    deliver: @escaping @Sendable (TransportEvent) -> Void
  ) async throws(CastError) -> any TransportConnection {
    self.deliver.withLock { $0 = deliver }
    return Connection(transport: self)
  }

  private struct Connection: TransportConnection {
    let transport: ScriptedTransport

    func send(_ message: CastMessage) {
      transport.sent.withLock { $0.append(message) }
      for answer in transport.script(message) { transport.say(.message(answer)) }
    }
    var isWritable: Bool { transport.hasRoom.load(ordering: .relaxed) }
    func consumed() {}
    func close() async { transport.deliver.withLock { $0 = nil } }
  }
}

/// Time that passes only when it is told to.
final class ManualTime: Sendable {
  private struct State {
    var now = Tick.zero
    var next = 0
    var sleepers: [Int: (due: Tick, wake: CheckedContinuation<Void, any Error>)] = [:]
    var watchers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
  }
  private let state = Mutex(State())

  var source: TimeSource {
    TimeSource(
      now: { self.state.withLock { $0.now } }, sleep: { try await self.rest($0) }, wallMilliseconds: { 0 })
  }

  /// Returns when somebody sleeps, or so many do.
  func waitForSleeper(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isAsleep = state.withLock { state in
        if state.sleepers.count < count { state.watchers.append((count, continuation)) }
        return state.sleepers.count >= count
      }
      if isAsleep { continuation.resume() }
    }
  }

  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now + duration
      let due = state.sleepers.filter { $0.value.due <= state.now }
      for key in due.keys { state.sleepers[key] = nil }
      return due.values.map(\.wake)
    }
    for wake in due { wake.resume() }
  }

  private func rest(_ duration: Duration) async throws {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let watchers = state.withLock { state in
          state.sleepers[id] = (state.now + duration, continuation)
          defer { state.watchers.removeAll { $0.count <= state.sleepers.count } }
          return state.watchers.filter { $0.count <= state.sleepers.count }
        }
        for watcher in watchers { watcher.wake.resume() }
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: Int) {
    state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake.resume(throwing: CancellationError())
  }
}
