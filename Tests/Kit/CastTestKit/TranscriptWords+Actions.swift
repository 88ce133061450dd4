package import CastProtocol

extension TranscriptWords {
  /// The text of an action.
  package static func words(_ action: SessionMachine.Action) -> String {
    switch action {
    case .openTransport(let endpoint, let isRetry, _): "\(isRetry ? "find and open" : "open") \(endpoint)"
    case .closeTransport: "close"
    case .send(let message): "send \(words(message))"
    case .startTimer(let timer, let wait):
      "timer \(timer) \(number((wait.seconds * 1000).rounded() / 1000)) s"
    case .cancelTimer(let timer): "cancel \(timer)"
    case .complete(let token, .success(let reply)): "complete \(token) ok \(words(reply))"
    case .complete(let token, .failure(let error)): "complete \(token) failed \(words(error))"
    case .publish(let event): "publish \(words(event))"
    case .note(let note): "note \(note)"
    }
  }

  /// Type, number, destination unless it is the platform, and the body without the sender's description of itself.
  private static func words(_ message: CastMessage) -> String {
    guard case .string(let text) = message.payload else { return "bytes to \(message.namespace)" }
    guard let json = json(text), var members = json.object else { return "\(text) to \(message.namespace)" }
    let type = members.removeValue(forKey: "type")?.string ?? "?"
    let id = members.removeValue(forKey: "requestId")?.int
    for key in ["origin", "userAgent", "senderInfo"] { members[key] = nil }
    let destination = message.destination == .receiver ? nil : "to \(message.destination)"
    let body = members.isEmpty ? nil : JSONValue.object(members).text
    return [type, id.map { "#\($0)" }, destination, body].compactMap { $0 }.joined(separator: " ")
  }

  private static func json(_ text: String) -> JSONValue? {
    do {
      return try JSONValue(parsing: text)
    } catch {
      return nil
    }
  }

  static func words(_ event: SessionEvent) -> String {
    switch event {
    case .connecting: "connecting"
    case .launching: "launching"
    case .waitingForConsent: "waiting for consent"
    case .active(let application):
      "active \(application.map { $0.displayName ?? $0.applicationID } ?? "without application")"
    case .suspended(.connectionLost(let error)): "suspended \(words(error))"
    case .suspended(.byCaller): "suspended by us"
    case .suspended(.transfer): "suspended for a transfer"
    case .retrying(let error, _): "retrying after \(words(error))"
    case .resuming: "resuming"
    case .resumed(let application, let isSame):
      "resumed \(application.map { $0.displayName ?? $0.applicationID } ?? "without application") \(isSame ? "as it was" : "anew")"
    case .foreignAction(let action): "another sender \(words(action))"
    case .receiverStatus(let status): words(status)
    case .mediaStatus(let status): words(status)
    case .queueItemIDs(let ids, _): "queue ids \(list(ids))"
    case .queueItems(let items, _): "queue items \(list(items.compactMap(\.itemID)))"
    case .channelMessage(let message): "message \(message.namespace) \(words(message.payload))"
    case .multizone(let event): "multizone \(words(event))"
    case .credentialsWanted: "credentials wanted"
    case .queueChange(let change): "queue \(change.kind.word) \(list(change.itemIDs))"
    case .queueItemError(let id, let error): "item \(id) named in \(words(error))"
    case .queueItemFailed(let id, let error): "item \(id) failed \(words(error))"
    case .ended(let error): "ended\(error.map { " " + words($0) } ?? "")"
    }
  }

  private static func words(_ action: ForeignAction) -> String {
    switch action {
    case .loaded(let status): "loaded \(status.mediaInformation?.url ?? "something")"
    case .stoppedMedia: "stopped the media"
    case .paused: "paused"
    case .resumed: "resumed"
    case .changedVolume(let volume): "changed the volume to \(number(volume.level))"
    }
  }

  private static func words(_ reply: Reply) -> String {
    switch reply {
    case .mediaStatus(let status): words(status)
    case .receiverStatus(let status): words(status)
    case .queueItemIDs(let answer): "queue ids \(list(answer.ids))"
    case .queueItems(let items): "queue items \(list(items.compactMap(\.itemID)))"
    case .sessionState: "session state"
    case .multizoneStatus(let status): words(.status(status))
    case .castingGroups: "casting groups"
    case .deviceInformation(let information): "device \(information.friendlyName ?? "?")"
    case .setupInformation(let information): "setup \(information.name ?? "?")"
    case .sent: "sent"
    case .appAvailability(let answers):
      answers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.word)" }.joined(separator: " ")
    }
  }

  private static func words(_ payload: ChannelPayload) -> String {
    switch payload {
    case .text(let text): text
    case .binary(let bytes): "\(bytes.count) bytes"
    }
  }

  private static func words(_ event: MultizoneEvent) -> String {
    switch event {
    case .status(let status): "members \(status.devices.map { $0.name ?? $0.deviceID })"
    case .deviceAdded(let device): "added \(device.name ?? device.deviceID)"
    case .deviceUpdated(let device): "updated \(device.name ?? device.deviceID)"
    case .deviceRemoved(let id): "removed \(id)"
    case .playbackSessionUpdated: "playback session updated"
    }
  }

  private static func words(_ error: CastError) -> String { "\(error.code) \"\(error)\"" }

  private static func words(_ status: ReceiverStatus) -> String {
    let applications = status.applications.map { application in
      let isReady =
        application.transportID != nil && application.namespaces.contains(Namespace.media.rawValue)
      return " \(application.displayName ?? application.applicationID)\(isReady ? "" : " (not ready)")"
    }
    let volume = status.volume.map { " volume \(number($0.level))" } ?? ""
    return "device" + (applications.isEmpty ? " at rest" : applications.joined()) + volume
  }

  private static func words(_ status: MediaStatus?) -> String {
    guard let status else { return "media none" }
    var words = ["media", String(status.mediaSessionID.rawValue), status.playerState.word]
    if let reason = status.idleReason { words.append(reason.word) }
    if status.isLoading { words.append("loading") }
    if let id = status.currentItemID { words.append("item \(id)") }
    if let id = status.loadingItemID { words.append("loading item \(id)") }
    if let position = status.streamPosition { words.append("at \(number(position.seconds))") }
    if let media = status.mediaInformation { words.append(media.url) }
    if !status.queueItems.isEmpty { words.append("window \(list(status.queueItems.compactMap(\.itemID)))") }
    return words.joined(separator: " ")
  }

  private static func list(_ ids: [MediaQueueItemID]) -> String {
    "[" + ids.map(\.description).joined(separator: " ") + "]"
  }

  /// A number; a whole one has no fraction.
  private static func number(_ value: Double) -> String { JSONValue(value)?.text ?? "?" }
}
