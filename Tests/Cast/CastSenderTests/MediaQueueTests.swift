import CastProtocol
import CastSender
import Synchronization
import Testing

extension SenderTests {
  /// The copy of the receiver's queue, around its machine.
  @Suite(.timeLimit(.minutes(5))) struct MediaQueueTests {
    /// A receiver with a queue of four that answers questions about it.
    private static let script: ScriptedTransport.Script = { message in
      guard case .string(let text) = message.payload, let json = try? JSONValue(parsing: text),
        message.namespace == .media, let id = json["requestId"]?.int
      else { return ScriptedApplication.script()(message) }
      switch json["type"]?.string {
      case "QUEUE_GET_ITEM_IDS":
        return [
          media(
            ["type": "QUEUE_ITEM_IDS", "itemIds": [1, 2, 3, 4], "sequenceNumber": 0], id, to: message.source)
        ]
      case "QUEUE_GET_ITEMS":
        let items = json["itemIds"]?.array?.map { id -> JSONValue in
          ["itemId": id, "media": ["contentId": "m", "contentType": "video/mp4"]]
        }
        return [media(["type": "QUEUE_ITEMS", "items": .array(items ?? [])], id, to: message.source)]
      default: return ScriptedApplication.script()(message)
      }
    }

    private static func media(
      _ body: JSONValue, _ requestID: Int = 0, to destination: EndpointID = .broadcast
    ) -> CastMessage {
      CastMessage(
        source: ScriptedApplication.transport, destination: destination, namespace: .media,
        json: body.keeping(["requestId": .integer(Int64(requestID))]))
    }

    private static func session(_ transport: ScriptedTransport, _ time: ManualTime) -> Session {
      Session(
        device: Device(endpoint: DeviceEndpoint(host: "tv")),
        options: SessionOptions(applicationID: "AAAA0001"),
        transport: transport, time: time.source)
    }

    @Test(
      "listeners see the old queue before a change and the new one during it, and the sequence tells the same"
    )
    func tellsInOrder() async throws {
      let transport = ScriptedTransport(script: Self.script)
      let session = Self.session(transport, ManualTime())
      let queue = session.remoteMediaClient.mediaQueue
      let watching = Watching()
      queue.add(watching)
      var updates = queue.updates.makeAsyncIterator()
      #expect(queue.itemCount == 0 && !queue.isComplete)
      try await session.start()
      #expect(await updates.next()?.edits == [.reloaded])
      #expect(queue.isComplete)
      transport.say(
        .message(
          Self.media([
            "type": "QUEUE_CHANGE", "changeType": "INSERT", "itemIds": [9], "insertBefore": 2,
            "sequenceNumber": 1,
          ])))
      transport.say(
        .message(
          Self.media([
            "type": "QUEUE_CHANGE", "changeType": "REMOVE", "itemIds": [1, 4], "sequenceNumber": 2,
          ])))
      #expect(await updates.next()?.edits == [.inserted(1..<2)])
      let removal = await updates.next()
      #expect(removal?.edits == [.removed([0, 4])])
      #expect(removal?.itemIDs.map(\.rawValue) == [9, 2, 3])
      #expect(queue.indexOfItem(withID: MediaQueueItemID(3)) == 2)
      #expect(
        watching.heard == [
          "will 0", "reload 4", "did 4", "will 4", "insert 1..<2 5", "did 5", "will 5", "remove 0 4 3",
          "did 3",
        ])
      await session.leave()
      #expect(await updates.next()?.edits == [.reloaded])
      #expect(await updates.next() == nil)
      #expect(queue.itemCount == 0 && !queue.isComplete)
      var late = queue.updates.makeAsyncIterator()
      #expect(await late.next() == nil)
    }

    @Test("an item is nil at first, is asked for with others that are wanted, and is told when it is there")
    func fetchesItems() async throws {
      let ids = HeldAnswers()
      let transport = ScriptedTransport(script: { ids.hold(Self.script($0), of: $0) })
      let time = ManualTime()
      let session = Self.session(transport, time)
      try await session.start()
      // Used late: it begins with what the session knows.
      let queue = session.remoteMediaClient.mediaQueue
      #expect(session.remoteMediaClient.mediaQueue === queue)
      var updates = queue.updates.makeAsyncIterator()
      // Not before somebody listens: who comes late hears only of what comes later.
      for answer in ids.release() { transport.say(.message(answer)) }
      #expect(await updates.next()?.itemIDs.count == 4)
      #expect(queue.item(at: 3, fetchIfNeeded: false) == nil)
      #expect(queue.item(at: 1) == nil && queue.item(at: 2) == nil)
      #expect(queue.item(at: 4) == nil && queue.item(at: -1) == nil)
      #expect(!transport.sentTypes.contains("QUEUE_GET_ITEMS"))
      // The session's own timers sleep, too.
      await time.waitForSleeper(2)
      time.advance(by: MediaQueueMachine.collecting)
      #expect(await updates.next()?.edits == [.updated([1, 2])])
      #expect(queue.item(at: 1)?.mediaInformation?.contentID == "m")
      #expect(transport.sentTypes.filter { $0 == "QUEUE_GET_ITEMS" }.count == 1)
      queue.clear()
      #expect(await updates.next()?.itemIDs == [])
      queue.reload()
      #expect(await updates.next()?.itemIDs.count == 4)
      // Receivers do not announce what a shuffle makes of the order.
      session.remoteMediaClient.queueShuffle()
      #expect(await updates.next()?.edits == [.reloaded])
      await session.leave()
    }

    @Test("who listens may change the queue's copy, and hears of it in its turn")
    func allowsReentry() async throws {
      let transport = ScriptedTransport(script: Self.script)
      let session = Self.session(transport, ManualTime())
      let queue = session.remoteMediaClient.mediaQueue
      let watching = Watching { if $0.itemCount == 4 { $0.clear() } }
      queue.add(watching)
      var updates = queue.updates.makeAsyncIterator()
      try await session.start()
      #expect(await updates.next()?.itemIDs.count == 4)
      #expect(await updates.next()?.itemIDs.count == 0)
      #expect(watching.heard == ["will 0", "reload 4", "did 4", "will 4", "reload 0", "did 0"])
      await session.leave()
    }
  }
}

/// Keeps back what a receiver says of its ids until it may.
private final class HeldAnswers: Sendable {
  /// Nil when nothing is kept back any more.
  private let held = Mutex<[CastMessage]?>([])

  /// - Returns: what of the answers to a question is said at once.
  func hold(_ answers: [CastMessage], of question: CastMessage) -> [CastMessage] {
    guard case .string(let text) = question.payload, text.contains("QUEUE_GET_ITEM_IDS") else {
      return answers
    }
    return held.withLock { held in
      guard let earlier = held else { return answers }
      held = earlier + answers
      return []
    }
  }

  func release() -> [CastMessage] {
    held.withLock { held in
      defer { held = nil }
      return held ?? []
    }
  }
}

/// Writes down what it hears, and how many items the queue showed.
private final class Watching: MediaQueueListener {
  private let words = Mutex<[String]>([])
  private let onReload: @Sendable (MediaQueue) -> Void

  init(onReload: @escaping @Sendable (MediaQueue) -> Void = { _ in }) { self.onReload = onReload }

  var heard: [String] { words.withLock { $0 } }
  private func note(_ word: String, _ queue: MediaQueue) {
    words.withLock { $0.append("\(word) \(queue.itemCount)") }
  }

  func mediaQueueWillChange(_ queue: MediaQueue) { note("will", queue) }
  func mediaQueueDidReloadItems(_ queue: MediaQueue) {
    note("reload", queue)
    onReload(queue)
  }
  func mediaQueue(_ queue: MediaQueue, didInsertItemsIn range: Range<Int>) { note("insert \(range)", queue) }
  func mediaQueue(_ queue: MediaQueue, didRemoveItemsAt indexes: [Int]) {
    note("remove \(indexes.map(String.init).joined(separator: " "))", queue)
  }
  func mediaQueueDidChange(_ queue: MediaQueue) { note("did", queue) }
}
