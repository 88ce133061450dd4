import CastProtocol

/// The two ends of a virtual connection inside one socket (protocol 3).
struct VirtualLink: Sendable, Hashable {
  var source: EndpointID
  var destination: EndpointID
}

/// Which sender endpoints are connected to which of ours, for each socket.
struct VirtualConnections: Sendable {
  private struct Socket: Sendable {
    var links: Set<VirtualLink> = []
    var heardSinceBeat = false
    var silentBeats = 0
  }

  /// Most links of a socket: a hostile peer must not exhaust memory.
  static let linksPerSocket = 256

  private var sockets: [SimConnectionID: Socket] = [:]

  mutating func add(_ connection: SimConnectionID) { sockets[connection] = Socket() }

  /// Removes a socket; false when it is unknown.
  mutating func drop(_ connection: SimConnectionID) -> Bool { sockets.removeValue(forKey: connection) != nil }

  /// Every socket, in order of their numbers.
  var all: [SimConnectionID] { sockets.keys.sorted() }

  func isOpen(_ connection: SimConnectionID) -> Bool { sockets[connection] != nil }

  mutating func heard(from connection: SimConnectionID) { sockets[connection]?.heardSinceBeat = true }

  /// Counts a heartbeat and returns how many in a row have passed in silence; nil for an unknown socket.
  mutating func beat(_ connection: SimConnectionID) -> Int? {
    guard var socket = sockets[connection] else { return nil }
    socket.silentBeats = socket.heardSinceBeat ? 0 : socket.silentBeats + 1
    socket.heardSinceBeat = false
    sockets[connection] = socket
    return socket.silentBeats
  }

  /// Records a CONNECT; false when the socket holds too many links.
  mutating func connect(_ link: VirtualLink, over connection: SimConnectionID) -> Bool {
    guard let count = sockets[connection]?.links.count, count < Self.linksPerSocket else { return false }
    sockets[connection]?.links.insert(link)
    return true
  }

  mutating func disconnect(_ link: VirtualLink, over connection: SimConnectionID) {
    sockets[connection]?.links.remove(link)
  }

  func isConnected(_ link: VirtualLink, over connection: SimConnectionID) -> Bool {
    sockets[connection]?.links.contains(link) ?? false
  }

  /// The sockets that receive broadcasts of an endpoint, in order of their numbers.
  func listeners(to endpoint: EndpointID) -> [SimConnectionID] {
    sockets.filter { $0.value.links.contains { $0.destination == endpoint } }.keys.sorted()
  }

  /// Ends every link to an endpoint and returns the senders that held them.
  mutating func disconnectAll(from endpoint: EndpointID) -> [Requester] {
    var ended: [Requester] = []
    for connection in sockets.keys.sorted() {
      let links = sockets[connection]?.links.filter { $0.destination == endpoint } ?? []
      for link in links.sorted(by: { $0.source.rawValue < $1.source.rawValue }) {
        ended.append(Requester(connection: connection, source: link.source))
        sockets[connection]?.links.remove(link)
      }
    }
    return ended
  }
}

extension ReceiverModel {
  /// CONNECT and CLOSE (protocol 3.1, 3.2).
  mutating func linkMessage(
    _ type: String, _ body: JSONValue, _ message: CastMessage, from connection: SimConnectionID
  ) {
    let link = VirtualLink(source: message.source, destination: message.destination)
    switch type {
    case "CONNECT":
      let kind = body["connType"]
      guard link.source != .broadcast, link.destination != .broadcast,
        kind == nil || (0...2).contains(kind?.int ?? -1),
        link.destination == .receiver || link.destination == platform.application?.transport,
        connections.connect(link, over: connection)
      else { return refuse(link, over: connection) }
      // Some applications end when a sender connects too early (protocol 18, quirk 32).
      if link.destination != .receiver, let soon = faults.first(.earlyConnect)?.value,
        let readyAt = platform.application?.readyAt, now - readyAt < Duration(parsing: soon) ?? .zero
      {
        return endApplication()
      }
      if link.destination != .receiver, faults.has(.closeAfterConnect) {
        connections.disconnect(link, over: connection)
        return refuse(link, over: connection)
      }
      if configuration.platform.answersConnect,
        let versions = body["protocolVersionList"]?.array?.compactMap(\.int)
      {
        let answer: JSONValue = .members([
          "type": "CONNECTED", "protocolVersion": JSONValue(versions.max() ?? 0),
        ])
        send(answer, .connection, from: link.destination, to: link.source, over: connection)
      }
    case "CLOSE":
      connections.disconnect(link, over: connection)
    default:
      break
    }
  }

  /// Sends CLOSE for a link that is not connected.
  mutating func refuse(_ link: VirtualLink, over connection: SimConnectionID) {
    send(["type": "CLOSE"], .connection, from: link.destination, to: link.source, over: connection)
  }
}
