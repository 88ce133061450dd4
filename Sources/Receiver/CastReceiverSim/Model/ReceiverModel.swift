package import CastProtocol

/// One simulated Cast device without sockets and clocks: it answers events with actions.
///
/// It works on JSON values and shares no message types with the sender, so that both cannot have the same bug.
package struct ReceiverModel: Sendable {
  /// What can happen to a device.
  package enum Event: Sendable, Equatable {
    case connectionOpened(SimConnectionID)
    case connectionClosed(SimConnectionID)
    case received(CastMessage, from: SimConnectionID)
    case fetched(SimFetchID, FetchResult)
    case timerFired(SimTimerID)
    /// Something other than a sender acts on the device.
    case control(SimControl)
  }

  /// What the driver must do, in this order.
  package enum Action: Sendable, Equatable {
    case send(CastMessage, to: SimConnectionID)
    /// A media message of an application that no sender receives: for the log alone.
    case unheard(CastMessage)
    case close(SimConnectionID)
    case fetch(SimFetchID, url: String, contentType: String?)
    case cancelFetch(SimFetchID)
    case startTimer(SimTimerID, after: Duration)
    case cancelTimer(SimTimerID)
    /// Resets a connection.
    case reset(SimConnectionID)
    /// Changes the treatment of new connections.
    case door(SimDoor)
    /// Whether open connections are frozen: they carry nothing.
    case freeze(Bool)
    /// Listens on another port; nil is any.
    case relocate(port: Int?)
  }

  /// Longest body of a frame in bytes, both ways (protocol 1.2).
  package static let frameLimit = 65_536

  package let configuration: ReceiverConfiguration
  let authenticator: SimAuthenticator?
  var connections = VirtualConnections()
  var platform: PlatformState
  var faults: FaultState
  var reach = DeviceReach()
  var foreignRequests = 0
  /// Why the last event, a control, was refused; nil when it was not.
  package internal(set) var refusal: SimControlError?
  var now = Tick.zero
  var actions: [Action] = []

  /// - Parameter authenticator: the device's credentials; nil where its configuration needs none.
  package init(configuration: ReceiverConfiguration, authenticator: SimAuthenticator? = nil) {
    self.configuration = configuration
    self.authenticator = authenticator
    platform = PlatformState(configuration: configuration)
    faults = FaultState(faults: configuration.faults)
  }

  /// The endpoint of the running application; nil while none runs.
  package var applicationTransport: EndpointID? { platform.application?.transport }

  /// Handles an event; returns the actions to carry out.
  package mutating func handle(_ event: Event, at tick: Tick) -> [Action] {
    now = max(now, tick)
    refusal = nil
    if reach.absence != nil, hold(event) { return [] }
    take(event)
    // Off the network, outgoing messages are held like incoming ones.
    if reach.absence != nil { holdActions() }
    defer { actions = [] }
    return actions
  }

  mutating func take(_ event: Event) {
    switch event {
    case .connectionOpened(let connection): opened(connection)
    case .connectionClosed(let connection): closed(connection)
    case .received(let message, let connection): received(message, from: connection)
    case .fetched(let fetch, let result): fetched(fetch, result)
    case .timerFired(let timer): fired(timer)
    case .control(let control): self.control(control)
    }
  }

  private mutating func opened(_ connection: SimConnectionID) {
    guard reach.isPowered else { return actions.append(.reset(connection)) }
    connections.add(connection)
    if reach.isAsleep { wake() }
    guard !faults.has(.silent) else { return }
    actions.append(.startTimer(.heartbeat(connection), after: configuration.heartbeatInterval))
    armFaults(.dropConnection, connection: connection)
  }

  private mutating func closed(_ connection: SimConnectionID) {
    guard connections.drop(connection) else { return }
    actions.append(.cancelTimer(.heartbeat(connection)))
    forgetFaults(of: connection)
  }

  /// Closes a connection.
  mutating func close(_ connection: SimConnectionID) { end(connection, .close(connection)) }

  /// Resets a connection.
  mutating func reset(_ connection: SimConnectionID) { end(connection, .reset(connection)) }

  private mutating func end(_ connection: SimConnectionID, _ action: Action) {
    guard connections.drop(connection) else { return }
    actions.append(.cancelTimer(.heartbeat(connection)))
    actions.append(action)
    forgetFaults(of: connection)
  }

  private mutating func received(_ message: CastMessage, from connection: SimConnectionID) {
    guard connections.isOpen(connection), !faults.has(.silent) else { return }
    connections.heard(from: connection)
    guard message.frameBodySize <= Self.frameLimit else { return close(connection) }
    if message.namespace == .deviceAuth { return authenticationAsked(message, from: connection) }
    if message.destination != .receiver, !message.namespace.rawValue.hasPrefix("urn:x-cast:com.google.cast.")
    {
      return customMessage(message, from: connection)
    }
    guard let body = message.json, let type = body["type"]?.string else { return }
    if faults.dropsConnection(on: type) { return close(connection) }
    faults.note(request: body, type: type, from: message.source, over: connection)
    switch message.namespace {
    case .heartbeat: heartbeat(type, message, from: connection)
    case .connection: linkMessage(type, body, message, from: connection)
    default: routed(type, body, message, from: connection)
    }
  }

  private mutating func heartbeat(_ type: String, _ message: CastMessage, from connection: SimConnectionID) {
    guard type == "PING" else { return }
    let pong = CastMessage(
      source: message.destination, destination: message.source, namespace: .heartbeat, json: ["type": "PONG"])
    actions.append(.send(pong, to: connection))
  }

  /// Routes a message to an endpoint; a link that is not connected is answered with CLOSE (protocol 3, 3.2).
  private mutating func routed(
    _ type: String, _ body: JSONValue, _ message: CastMessage, from connection: SimConnectionID
  ) {
    let link = VirtualLink(source: message.source, destination: message.destination)
    guard connections.isConnected(link, over: connection) else {
      return refuse(link, over: connection)
    }
    let requester = Requester(connection: connection, source: message.source)
    if message.destination == .receiver {
      platformMessage(type, body, message.namespace, from: requester)
    } else if message.namespace == .media, platform.application?.media != nil {
      applicationMessage(body, to: message.destination, from: requester)
    } else if platform.application?.namespaces.contains(message.namespace.rawValue) == false {
      unlisted(message, from: connection)
    }
  }

  private mutating func fired(_ timer: SimTimerID) {
    switch timer {
    case .heartbeat(let connection): beat(connection)
    case .launch: continueLaunch()
    case .application: applicationTimerFired()
    case .boot: powerOn()
    case .network: returnToNetwork()
    case .fault(let number): faultFired(number)
    case .pages: pagesTimerFired()
    case .hush: speak()
    case .delayedMessage(let number):
      guard let held = faults.release(number), connections.isOpen(held.connection) else { return }
      actions.append(.send(held.message, to: held.connection))
    }
  }

  /// Sends a PING, or closes the connection of a sender that has been silent too long (protocol 4).
  private mutating func beat(_ connection: SimConnectionID) {
    guard let silentBeats = connections.beat(connection) else { return }
    guard configuration.heartbeatInterval * silentBeats < configuration.silenceLimit else {
      return close(connection)
    }
    let endpoint: EndpointID = "Tr@n$p0rt-0"
    let ping = CastMessage(
      source: endpoint, destination: endpoint, namespace: .heartbeat, json: ["type": "PING"])
    actions.append(.send(ping, to: connection))
    actions.append(.startTimer(.heartbeat(connection), after: configuration.heartbeatInterval))
  }
}

/// The origin of a request: a reply goes over the same connection to the same endpoint.
struct Requester: Sendable, Hashable {
  var connection: SimConnectionID
  var source: EndpointID

  /// The remote control or another simulated sender: it has no connection.
  static let nobody = Requester(connection: SimConnectionID(-1), source: "")
}

extension CastMessage {
  /// The payload as JSON; nil when it is none. Text sent as binary is read too (protocol 1.3).
  var json: JSONValue? {
    switch payload {
    case .string(let text): try? JSONValue(parsing: text)
    case .binary(let bytes): try? JSONValue(parsing: bytes)
    }
  }

  /// Bytes this message takes as the body of a frame (protocol 1.3): six fields, each a tag and, for texts, a
  /// length.
  var frameBodySize: Int {
    func field(_ count: Int) -> Int { 1 + (count < 0x80 ? 1 : count < 0x4000 ? 2 : 3) + count }
    let content =
      switch payload {
      case .string(let text): text.utf8.count
      case .binary(let bytes): bytes.count
      }
    return 4 + field(source.rawValue.utf8.count) + field(destination.rawValue.utf8.count)
      + field(namespace.rawValue.utf8.count) + field(content)
  }
}
