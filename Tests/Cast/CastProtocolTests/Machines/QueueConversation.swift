import CastProtocol

/// A conversation of a queue's copy in words: a line is an event and, after `->`, the actions it has to lead to.
struct QueueConversation {
  private(set) var machine = MediaQueueMachine()

  struct Unreadable: Error { var line: String }

  /// Plays the lines and writes them anew with what really happened.
  mutating func play(_ text: String) throws -> String {
    try text.split(separator: "\n").map { line in
      let input = line.components(" ->")[0]
      let words = machine.handle(try event(input), at: .zero).map(Self.words)
      return words.isEmpty ? input : "\(input) -> \(words.joined(separator: " · "))"
    }.joined(separator: "\n")
  }

  private func event(_ line: String) throws -> MediaQueueMachine.Event {
    var words = line.split(separator: " ").map(String.init)
    let verb = words.removeFirst()
    func value(_ key: String) -> String? {
      words.firstIndex(of: key).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    }
    let sequence = words.first { $0.hasPrefix("@") }.flatMap { Int($0.dropFirst()) }
    let number = words.first.flatMap { Int($0) } ?? 0
    let failure = value("failed").map { Self.error($0) }
    switch verb {
    case "attach": return .attached(isActive: true, nil)
    case "joined": return .session(.active(Self.application))
    case "none": return .session(.mediaStatus(nil))
    case "over": return .session(.ended(nil))
    case "status": return .session(.mediaStatus(status(number, words, value)))
    case "ids":
      let answer = MediaQueueIDs(Self.ids(value("=") ?? ""), sequenceNumber: sequence)
      return .itemIDs(number, failure.map { .failure($0) } ?? .success(answer))
    case "items":
      let items = Self.ids(value("=") ?? "").map { Self.item($0) }
      return .items(number, failure.map { .failure($0) } ?? .success(items))
    case "want": return .wanted(MediaQueueItemID(number))
    case "time": return .timerFired(.collecting)
    case "reload": return .reload
    case "clear": return .clear
    case "cache": return .setCacheSize(number)
    case "batch": return .setMaxFetchCount(number)
    default:
      guard let kind = Self.kinds[verb] else { throw Unreadable(line: line) }
      let change = MediaQueueChange(
        kind: kind, itemIDs: Self.ids(words.first ?? ""),
        insertBefore: value("before").flatMap { Int($0) }.map(MediaQueueItemID.init), sequenceNumber: sequence
      )
      return .session(.queueChange(change))
    }
  }

  private func status(_ session: Int, _ words: [String], _ value: (String) -> String?) -> MediaStatus {
    var status = MediaStatus(mediaSessionID: MediaSessionID(session))
    status.playerState = words.contains("ended") ? .idle : .playing
    status.idleReason = words.contains("ended") ? .finished : nil
    status.extendedStatus = words.contains("loading") ? MediaExtendedStatus() : nil
    status.queueItems = Self.ids(value("window") ?? "").map { id in
      var item = Self.item(id)
      if words.contains("placed") { item.orderID = 1 }
      return item
    }
    if let shuffle = value("shuffle") {
      status.queueData = MediaQueueData()
      status.queueData?.shuffle = shuffle == "on"
    }
    return status
  }

  static func ids(_ text: String) -> [MediaQueueItemID] {
    text.split(separator: ",").compactMap { Int($0) }.map(MediaQueueItemID.init)
  }

  private static func item(_ id: MediaQueueItemID) -> MediaQueueItem {
    var item = MediaQueueItem(
      mediaInformation: MediaInformation(contentID: "http://m/\(id)", contentType: "video/mp4"))
    item.itemID = id
    return item
  }

  private static let kinds: [String: MediaQueueChange.Kind] = [
    "insert": .insert, "remove": .remove, "change": .itemsChange, "order": .update, "nothing": .noChange,
    "oddity": .unknown("ODDITY"),
  ]

  private static func error(_ reason: String) -> CastError {
    reason == "timeout"
      ? CastError(.timeout, "late") : CastError(.invalidRequest, "refused", receiverReason: reason)
  }

  private static var application: ApplicationMetadata? {
    ApplicationMetadata(json: [
      "appId": "CC1AD845", "sessionId": "s", "transportId": "t", "namespaces": [],
    ])
  }

  private static func words(_ action: MediaQueueMachine.Action) -> String {
    func list(_ ids: [MediaQueueItemID]) -> String { ids.map(\.description).joined(separator: ",") }
    switch action {
    case .fetchItemIDs(let number): return "ask \(number)"
    case .fetchItems(let number, let ids): return "fetch \(number) = \(list(ids))"
    case .startTimer: return "timer"
    case .cancelTimer: return "cancel"
    case .finish: return "finish"
    case .update(let update):
      let edits = update.edits.map { edit in
        switch edit {
        case .reloaded: "reloaded"
        case .inserted(let range): "inserted \(range)"
        case .updated(let indexes): "updated \(indexes.map(String.init).joined(separator: ","))"
        case .removed(let indexes): "removed \(indexes.map(String.init).joined(separator: ","))"
        case .reordered: "reordered"
        }
      }
      return "\(edits.joined(separator: "+")) [\(list(update.itemIDs))]\(update.isComplete ? "" : "?")"
    }
  }
}

extension Substring {
  fileprivate func components(_ separator: String) -> [String] {
    split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  }
}
