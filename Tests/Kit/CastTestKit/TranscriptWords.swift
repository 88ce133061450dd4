package import CastProtocol

/// Events and actions of a session machine as text.
package enum TranscriptWords {
  /// Text that cannot be parsed.
  package struct Failure: Error { package var reason: String }

  /// The application's end of the virtual connection, unless a line says otherwise.
  static let transport: EndpointID = "web-7"

  /// Parses an event.
  package static func event(_ text: String) throws(Failure) -> SessionMachine.Event {
    let words = text.split(separator: " ").map(String.init)
    switch words.first {
    case "start": return .start(try target(words))
    case "opened": return .transportOpened()
    case "closed": return .transportClosed(.closedByPeer)
    case "failed":
      return .transportClosed(.failed(CastError(.networkError, words.dropFirst().joined(separator: " "))))
    case "recv": return .received(try message(text))
    case "raw": return .received(rawMessage(text))
    case "request": return try request(words, text)
    case "cancel": return .cancel(try token(words))
    case "leave": return .end(.leave)
    case "stop": return .end(.stopApplication)
    default: throw Failure(reason: "no such event: \(text)")
    }
  }

  private static func target(_ words: [String]) throws(Failure) -> SessionTarget {
    let options = words.filter { $0.contains("=") }.map { $0.split(separator: "=").map(String.init) }
    let names = words.filter { !$0.contains("=") }
    let id = names.count > 2 ? names[2] : nil
    let purpose: SessionPurpose
    switch (names.count > 1 ? names[1] : "", id) {
    case ("play", let id?): purpose = .play(applicationID: id)
    case ("join", let id?) where id.contains("/"):
      let parts = id.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      purpose = .joinSession(applicationID: parts[0], sessionID: parts[1])
    case ("join", let id): purpose = .join(applicationID: id)
    case ("observe", let id): purpose = .observe(applicationID: id)
    case ("device", _): purpose = .device
    default: throw Failure(reason: "start play ID, join [ID[/SESSION]], observe [ID] or device")
    }
    var target = SessionTarget(
      endpoint: DeviceEndpoint(host: "tv"), deviceName: "Lobby TV", purpose: purpose)
    for option in options {
      if option.first == "needs", option.count == 2 {
        target.requiredNamespaces = [option[1]]
        continue
      }
      if option == ["relaunch", "yes"] {
        target.launch.relaunchIfRunning = true
        continue
      }
      guard option.count == 2, let seconds = Int(option[1]) else { throw Failure(reason: "option=SECONDS") }
      switch option[0] {
      case "launch": target.launchTimeout = .seconds(Int64(seconds))
      case "start": target.startTimeout = .seconds(Int64(seconds))
      case "request": target.requestTimeout = .seconds(Int64(seconds))
      case "load": target.loadTimeout = .seconds(Int64(seconds))
      default: throw Failure(reason: "options are launch, start, request, load, needs and relaunch")
      }
    }
    return target
  }

  /// `recv TYPE [#N] [from X] [to Y] [{…}]`: type and number are spelled outside of the body.
  private static func message(_ text: String) throws(Failure) -> CastMessage {
    let head = text.prefix { $0 != "{" }.split(separator: " ").map(String.init)
    var members: [String: JSONValue] = [:]
    if let start = text.firstIndex(of: "{") {
      do {
        members = try JSONValue(parsing: String(text[start...])).object ?? [:]
      } catch {
        throw Failure(reason: "not JSON at \(error.offset): \(error.reason)")
      }
    }
    guard head.count > 1 else { throw Failure(reason: "recv TYPE") }
    members["type"] = .string(head[1])
    let number = head.first { $0.hasPrefix("#") }.flatMap { Int64($0.dropFirst()) }
    if let number { members["requestId"] = .integer(number) }
    var (source, namespace) = origin(of: head[1])
    if let from = word(after: "from", in: head) {
      source = EndpointID(from)
      if namespace == .media, source == .receiver { namespace = .receiver }
    }
    let isAnswer = (number ?? 0) > 0
    let destination =
      word(after: "to", in: head).map { EndpointID($0) } ?? (isAnswer ? "sender-1" : .broadcast)
    return CastMessage(
      source: source, destination: destination, namespace: namespace, json: .object(members))
  }

  private static func origin(of type: String) -> (EndpointID, Namespace) {
    switch type {
    case "RECEIVER_STATUS", "LAUNCH_ERROR", "LAUNCH_STATUS": (.receiver, .receiver)
    case "MULTIZONE_STATUS", "DEVICE_ADDED", "DEVICE_UPDATED", "DEVICE_REMOVED", "CASTING_GROUPS":
      (.receiver, .multizone)
    case "GET_DEVICE_INFO": (.receiver, .discovery)
    case "PING", "PONG": ("Tr@n$p0rt-0", .heartbeat)
    case "CLOSE", "CONNECTED": (transport, .connection)
    default: (transport, .media)
    }
  }

  /// `raw NAMESPACE TEXT`: anything at all, from the application.
  private static func rawMessage(_ text: String) -> CastMessage {
    let parts = text.split(separator: " ", maxSplits: 2)
    return CastMessage(
      source: transport, destination: .broadcast,
      namespace: Namespace(parts.count > 1 ? String(parts[1]) : ""),
      payload: .string(parts.count > 2 ? String(parts[2]) : ""))
  }

  private static func word(after name: String, in words: [String]) -> String? {
    guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
    return words[index + 1]
  }

  private static func token(_ words: [String]) throws(Failure) -> RequestToken {
    guard words.count > 1, words[1].hasPrefix("r"), let number = Int(words[1].dropFirst()) else {
      throw Failure(reason: "a request is called r1, r2, …")
    }
    return RequestToken(number)
  }

  private static func request(_ words: [String], _ text: String) throws(Failure) -> SessionMachine.Event {
    guard words.count > 2 else { throw Failure(reason: "request rN WHAT …") }
    return .request(try token(words), try request(words[2], Array(words.dropFirst(3))))
  }

  private static func request(_ name: String, _ arguments: [String]) throws(Failure) -> SenderRequest {
    let number = arguments.first.flatMap(Double.init) ?? 0
    let ids = arguments.compactMap { Int($0) }.map { MediaQueueItemID($0) }
    switch name {
    case "load": return .media(.load(LoadRequest(media: media(arguments.first ?? ""))))
    case "queueLoad":
      return .media(
        .queueLoad(QueueLoad(items: arguments.map { MediaQueueItem(mediaInformation: media($0)) })))
    case "insert":
      return .media(
        .queueInsert(QueueInsert(items: arguments.map { MediaQueueItem(mediaInformation: media($0)) })))
    case "insertBytes":
      let filler = JSONValue.string(String(repeating: "x", count: Int(bounded: number)))
      return .media(
        .queueInsert(QueueInsert(items: [MediaQueueItem(mediaInformation: nil, customData: filler)])))
    case "jump": return .media(.queueUpdate(QueueUpdate(currentItemID: ids.first)))
    case "next": return .media(.queueUpdate(QueueUpdate(jump: 1)))
    case "repeat": return .media(.queueUpdate(QueueUpdate(repeatMode: .all)))
    case "remove": return .media(.queueRemove(QueueRemove(itemIDs: ids)))
    case "ids": return .media(.queueGetItemIDs)
    case "items": return .media(.queueGetItems(ids))
    case "play": return .media(.play)
    case "pause": return .media(.pause)
    case "stopMedia": return .media(.stop)
    case "seek": return .media(.seek(SeekOptions(.position(MediaTime(seconds: number)))))
    case "status": return .media(.getStatus())
    case "volume": return .receiver(.setVolume(.level(number)))
    case "members": return .platform(.multizoneStatus)
    case "deviceInformation": return .platform(.deviceInformation)
    case "say":
      guard arguments.count == 2 else { throw Failure(reason: "say NAMESPACE WORD") }
      return .message(ChannelMessage(namespace: arguments[0], payload: .text(arguments[1])))
    case "deviceStatus": return .receiver(.getStatus)
    default: throw Failure(reason: "no such request: \(name)")
    }
  }

  private static func media(_ name: String) -> MediaInformation {
    MediaInformation(contentID: "http://h/\(name)", contentType: "video/mp4")
  }
}
