import CMosquitto
import CastqLink
import Glibc
import Synchronization

/// What comes from a broker.
package enum MQTTEvent: Sendable, Hashable {
  /// Subscriptions and retained messages are to be made again.
  case connected
  /// The words are for the log; the library calls the broker again by itself.
  case disconnected(String)
  /// The broker accepts the connection, and not what is sent on it, such as `messages: Not authorized`. Reported once
  /// for each reason.
  case refused(String)
  /// Connections end soon after they began: another client seems to have the name of this one.
  case pushedOff
  /// - Parameters:
  ///   - payload: at most `MQTTClient.longest` bytes of it.
  ///   - isRetained: whether the broker had kept it, or was asked to keep it.
  case message(topic: String, payload: [UInt8], isRetained: Bool)
}

/// What cannot even be tried.
package struct MQTTError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
}

/// A connection to an MQTT broker, through libmosquitto. A thread of that library reads, and calls the broker again after a loss, after
/// 1 s at first and 30 s at most, and more rarely where somebody pushes it off.
package final class MQTTClient: Sendable {
  /// How to reach a broker.
  package struct Address: Sendable, Hashable {
    package var host: String
    package var port: Int
    package var user: String?
    package var password: String?
    package var hasTLS: Bool
    /// The file with the certificates of those who may vouch for the broker, as PEM; nil is those whom the system trusts.
    package var authority: String?

    package init(
      host: String, port: Int, user: String?, password: String?, hasTLS: Bool, authority: String? = nil
    ) {
      self.host = host
      self.port = port
      self.user = user
      self.password = password
      self.hasTLS = hasTLS
      self.authority = authority
    }

    /// The host and the port, for messages.
    fileprivate var place: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  /// A message that the broker keeps for those who subscribe later.
  package struct Will: Sendable, Hashable {
    package var topic: String
    package var payload: String

    package init(topic: String, payload: String) {
      self.topic = topic
      self.payload = payload
    }
  }

  /// Of longer messages the beginning is read alone, in bytes: nothing that may be so long has a meaning here.
  package static let longest = 64 * 1024

  /// Everything that comes from the broker. For one reader.
  package let events: AsyncStream<MQTTEvent>

  /// The client's identity at the broker.
  package let name: String

  // Every function of libmosquitto that is called here locks the handle by itself, and it is freed after the library's thread has ended.
  nonisolated(unsafe) private let handle: OpaquePointer
  private let inbox: Inbox

  /// Begins to call the broker.
  /// - Parameters:
  ///   - name: the client's identity, unique at the broker.
  ///   - will: what the broker publishes when this connection ends without a word; nil is nothing.
  ///   - clock: the time since some moment, always the same one.
  package init(
    _ address: Address, name: String, will: Will?, clock: @escaping @Sendable () -> Duration
  ) throws(MQTTError) {
    Self.library
    let inbox = Inbox(place: address.place, clock: clock)
    self.inbox = inbox
    self.name = name
    events = AsyncStream { await inbox.next() }
    guard let handle = mosquitto_new(name, true, Unmanaged.passUnretained(inbox).toOpaque()) else {
      throw MQTTError(description: "out of memory")
    }
    self.handle = handle
    do throws(MQTTError) {
      try Self.set(handle, address, will, inbox)
    } catch {
      mosquitto_destroy(handle)
      throw error
    }
  }

  deinit { mosquitto_destroy(handle) }

  private static let library: Void = { _ = mosquitto_lib_init() }()

  private static func set(
    _ handle: OpaquePointer, _ address: Address, _ will: Will?, _ inbox: Inbox
  ) throws(MQTTError) {
    mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
    mosquitto_reconnect_delay_set(handle, 1, Inbox.longestPause, true)
    if let will {
      try check(
        mosquitto_will_set(handle, will.topic, Int32(will.payload.utf8.count), will.payload, 1, true))
    }
    if let user = address.user { try check(mosquitto_username_pw_set(handle, user, address.password)) }
    if address.hasTLS, let authority = address.authority {
      try requireFile(authority)
      try check(mosquitto_tls_set(handle, authority, nil, nil, nil, nil))
    } else if address.hasTLS {
      try check(mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
      try check(mosquitto_tls_set(handle, nil, "/etc/ssl/certs", nil, nil, nil))
    }
    mosquitto_connect_callback_set(handle) { handle, context, code in
      Inbox.of(context)?.connected(handle, code)
    }
    mosquitto_disconnect_callback_set(handle) { handle, context, code in
      Inbox.of(context)?.disconnected(handle, code)
    }
    mosquitto_message_callback_set(handle) { _, context, message in
      Inbox.of(context)?.receive(message)
    }
    mosquitto_publish_v5_callback_set(handle) { _, context, _, code, _ in
      Inbox.of(context)?.answered("messages", code)
    }
    mosquitto_subscribe_v5_callback_set(handle) { _, context, _, count, codes, _ in
      guard let codes else { return }
      for index in 0..<max(Int(count), 0) { Inbox.of(context)?.answered("subscriptions", codes[index]) }
    }
    // An attempt that fails before the broker has answered has no other callback.
    mosquitto_log_callback_set(handle) { _, context, level, words in
      guard level == MOSQ_LOG_ERR, let words else { return }
      Inbox.of(context)?.failed(String(cString: words))
    }
    let started = mosquitto_connect_async(handle, address.host, Int32(address.port), 20)
    if started == MOSQ_ERR_INVAL.rawValue || started == MOSQ_ERR_NOMEM.rawValue { try check(started) }
    // A broker that is away now is called again by the library's thread, which says nothing of why.
    if started != 0 { inbox.failed(words(started)) }
    try check(mosquitto_loop_start(handle))
  }

  /// A code in words: the library's own errors, and from 128 on the reasons that brokers give.
  fileprivate static func words(_ code: Int32) -> String {
    switch code {
    case MOSQ_ERR_EAI.rawValue: "its name cannot be resolved"
    case 128...: String(cString: mosquitto_reason_string(code))
    default: String(cString: mosquitto_strerror(code))
    }
  }

  /// The library names no file that it cannot open.
  private static func requireFile(_ path: String) throws(MQTTError) {
    guard access(path, R_OK) != 0 else { return }
    let words = String(cString: strerror(errno))
    throw MQTTError(description: "cannot read the certificates of its authority, \(path): \(words)")
  }

  private static func check(_ code: Int32) throws(MQTTError) {
    guard code != 0 else { return }
    throw MQTTError(description: words(code))
  }

  /// Publishes, at least once. Without a connection nothing happens: what is published again after `connected` needs no queue.
  /// - Parameter isRetained: whether the broker keeps it.
  /// - Returns: whether it is on its way.
  @discardableResult
  package func publish(_ payload: String, to topic: String, isRetained: Bool) -> Bool {
    guard inbox.isConnected else { return false }
    return mosquitto_publish(
      handle, nil, topic, Int32(clamping: payload.utf8.count), payload, 1, isRetained) == 0
  }

  /// Subscribes, at least once, with the mark that says of each message whether it is kept.
  /// - Parameter hearsItself: whether what this client publishes comes back; a broker of version 3.1.1 sends it back in any case.
  package func subscribe(_ filter: String, hearsItself: Bool = true) {
    var options = Int32(MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue)
    if !hearsItself { options |= Int32(MQTT_SUB_OPT_NO_LOCAL.rawValue) }
    _ = mosquitto_subscribe_v5(handle, nil, filter, 1, inbox.isOld ? 0 : options, nil)
  }

  /// Reports an outage that had no other report: a broker that was never reached gives none.
  package func reportSilence() { inbox.failed("there is no connection") }

  /// Says goodbye, and ends the library's thread when what was published is on its way.
  package func close() {
    _ = mosquitto_disconnect(handle)
    _ = mosquitto_loop_stop(handle, false)
    inbox.end()
  }
}

/// Where the library's thread puts what it reads.
private final class Inbox: Sendable {
  private struct State {
    var isConnected = false
    /// What the broker has refused on connections that it accepts.
    var refusals: Set<String> = []
    /// The broker does not know version 5.
    var isOld = false
    var hasReported = false
    var patience = BrokerPatience()
    var backlog = BrokerBacklog<MQTTEvent, MQTTEvent>()
    var hasEnded = false
  }

  private let state = Mutex(State())
  /// Where the broker is, for messages.
  private let place: String
  private let clock: @Sendable () -> Duration
  /// Seconds between calls of a broker that is away.
  static let longestPause: UInt32 = 30
  /// Rings when something waits, or nothing will.
  private let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(place: String, clock: @escaping @Sendable () -> Duration) {
    self.place = place
    self.clock = clock
  }

  /// The oldest event; nil after the end, and when the reader's task is cancelled.
  func next() async -> MQTTEvent? {
    while true {
      let (item, hasEnded) = state.withLock { ($0.backlog.next(), $0.hasEnded) }
      switch item {
      case .change(let event), .message(let event): return event
      case nil where hasEnded: return nil
      case nil:
        var isRung = false
        for await _ in rings {
          isRung = true
          break
        }
        guard isRung || state.withLock({ $0.hasEnded }) else { return nil }
      }
    }
  }

  static func of(_ context: UnsafeMutableRawPointer?) -> Inbox? {
    context.map { Unmanaged<Inbox>.fromOpaque($0).takeUnretainedValue() }
  }

  var isConnected: Bool { state.withLock { $0.isConnected } }
  var isOld: Bool { state.withLock { $0.isOld } }

  func connected(_ handle: OpaquePointer?, _ code: Int32) {
    guard code == 0 else {
      // 1 of version 3.1.1 and 132 of version 5: the version is refused.
      if code == 1 || code == 132, let handle {
        state.withLock { $0.isOld = true }
        _ = mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V311)
      }
      return lose(code < 128 ? String(cString: mosquitto_connack_string(code)) : MQTTClient.words(code))
    }
    state.withLock { state in
      (state.isConnected, state.hasReported) = (true, false)
      state.patience.connected(at: clock())
      state.backlog.note(.connected)
    }
    bell.yield()
  }

  func disconnected(_ handle: OpaquePointer?, _ code: Int32) {
    // Few brokers say that another client has the name: 142 of version 5.
    let pause = state.withLock { $0.patience.lost(at: clock(), isTakenOver: code == 142) }
    if let handle {
      // The library's thread waits after this.
      mosquitto_reconnect_delay_set(
        handle, UInt32(clamping: pause), max(UInt32(clamping: pause), Self.longestPause), true)
    }
    lose(code == 0 ? "the connection was closed" : MQTTClient.words(code))
  }

  func failed(_ words: String) {
    guard !isConnected else { return }
    lose(words)
  }

  /// Each outage is reported once.
  private func lose(_ words: String) {
    state.withLock { state in
      if !state.hasReported {
        state.backlog.note(state.patience.isPushedOff ? .pushedOff : .disconnected("\(place): \(words)"))
      }
      (state.isConnected, state.hasReported) = (false, true)
    }
    bell.yield()
  }

  /// The broker has answered what was sent.
  func answered(_ what: String, _ code: Int32) {
    guard code >= 128 else { return }
    let words = "\(what): \(MQTTClient.words(code))"
    let isNew = state.withLock { state in
      guard state.refusals.insert(words).inserted else { return false }
      return state.backlog.add(.refused(words), size: words.utf8.count)
    }
    if isNew { bell.yield() }
  }

  func receive(_ message: UnsafePointer<mosquitto_message>?) {
    guard let message = message?.pointee, let topic = message.topic, message.payloadlen >= 0 else { return }
    let size = min(Int(message.payloadlen), MQTTClient.longest)
    let bytes = UnsafeRawBufferPointer(start: message.payload, count: size)
    let event = MQTTEvent.message(
      topic: String(cString: topic), payload: Array(bytes), isRetained: message.retain)
    state.withLock { _ = $0.backlog.add(event, size: bytes.count) }
    bell.yield()
  }

  func end() {
    state.withLock { $0.hasEnded = true }
    bell.finish()
  }
}
