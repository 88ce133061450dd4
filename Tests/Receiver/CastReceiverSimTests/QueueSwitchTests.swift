import CastProtocol
import CastReceiverSim
import Testing

/// What of queues differs between receivers, and the numbers of their changes (protocol 7).
@Suite struct QueueSwitchTests {
  private func stage(
    items: Int, repeatMode: String = "REPEAT_OFF", _ change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) -> Stage {
    var configuration = ReceiverConfiguration()
    configuration.silenceLimit = .seconds(100_000)
    change(&configuration)
    var stage = Stage(configuration)
    _ = stage.media([
      "type": "QUEUE_LOAD", "requestId": 2, "repeatMode": .string(repeatMode),
      "items": .array((0..<items).map { _ in MediaRuleTests.item("v20.mp4") }),
    ])
    _ = stage.wait(0.5)
    return stage
  }

  private func request(_ type: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
    .object(["type": .string(type), "requestId": 9, "mediaSessionId": 1].merging(more) { $1 })
  }

  private func ids(_ stage: inout Stage) -> [Int] {
    stage.media(request("QUEUE_GET_ITEM_IDS")).first?["itemIds"]?.array?.compactMap(\.int) ?? []
  }

  @Test("every edit of a queue is told with the next number, and what it tells makes the new list")
  func numbersEveryEdit() {
    var stage = stage(items: 4) { $0.queue.announcesShuffles = true }
    let edits: [(JSONValue, String)] = [
      (request("QUEUE_INSERT", ["items": [MediaRuleTests.item("v4.mp4")], "insertBefore": 2]), "INSERT"),
      (request("QUEUE_REMOVE", ["itemIds": [3]]), "REMOVE"),
      (request("QUEUE_REORDER", ["itemIds": [4], "insertBefore": 1]), "UPDATE"),
      (
        request("QUEUE_UPDATE", ["items": [["itemId": 2, "media": ["contentId": "http://h/v6.mp4"]]]]),
        "ITEMS_CHANGE"
      ),
      (request("QUEUE_SHUFFLE"), "UPDATE"), (request("QUEUE_UPDATE", ["shuffle": false]), "UPDATE"),
    ]
    var known = ids(&stage)
    for (number, (edit, type)) in edits.enumerated() {
      guard let change = stage.media(edit).first(where: { $0["type"] == "QUEUE_CHANGE" }) else {
        Issue.record("\(edit.text) is not told")
        continue
      }
      #expect(change["changeType"]?.string == type && change["sequenceNumber"]?.int == number + 1)
      let changed = change["itemIds"]?.array?.compactMap(\.int) ?? []
      switch type {
      case "INSERT":
        let place = change["insertBefore"]?.int.flatMap(known.firstIndex(of:)) ?? known.count
        known.insert(contentsOf: changed, at: place)
      case "REMOVE": known.removeAll(where: changed.contains)
      case "UPDATE": known = changed
      default: break
      }
      _ = stage.wait(0.2)
      #expect(known == ids(&stage), "\(type)")
    }
    let last = stage.media(request("QUEUE_GET_ITEM_IDS")).first
    #expect(last?["sequenceNumber"]?.int == edits.count)
  }

  @Test(
    "next and previous past an end are refused or end the queue; a queue that repeats goes round",
    arguments: [
      ("QUEUE_NEXT", "REPEAT_OFF", true, "END_OF_QUEUE"), ("QUEUE_PREV", "REPEAT_OFF", true, "END_OF_QUEUE"),
      ("QUEUE_NEXT", "REPEAT_OFF", false, "IDLE INTERRUPTED"),
      ("QUEUE_NEXT", "REPEAT_ALL", true, "IDLE INTERRUPTED loading 1"),
      ("QUEUE_PREV", "REPEAT_SINGLE", true, "END_OF_QUEUE"),
    ])
  func edges(type: String, repeatMode: String, refuses: Bool, expected: String) {
    var stage = stage(items: 1, repeatMode: repeatMode) { $0.queue.refusesPastEnd = refuses }
    let said = stage.media(request(type)).first
    let entry = said?["status"]?.array?.first
    let loading = entry?["loadingItemId"]?.int.map { " loading \($0)" } ?? ""
    let told = entry.map {
      "\($0["playerState"]?.string ?? "") \($0["idleReason"]?.string ?? "")\(loading)"
    }
    #expect((told ?? said?["reason"]?.string) == expected)
  }

  @Test(
    "a shuffle starts what comes to the current place, or leaves what plays alone", arguments: [true, false])
  func shuffles(restarts: Bool) {
    var stage = stage(items: 6) { $0.queue.shuffleRestarts = restarts }
    let said = stage.media(request("QUEUE_UPDATE", ["shuffle": true]))
    #expect(said.map { $0["type"] } == ["QUEUE_CHANGE", "MEDIA_STATUS"])
    #expect((said.last?["status"]?.array?.first?["playerState"] == "IDLE") == restarts)
    let order = ids(&stage)
    let items = stage.wait(0.3) + stage.media(["type": "GET_STATUS", "requestId": 4])
    let entry = items.last?["status"]?.array?.first
    guard !restarts else { return }
    #expect(entry?["currentItemId"] == 1)
    let window = entry?["items"]?.array?.compactMap { $0["itemId"]?.int } ?? []
    #expect(window.contains(1) && order.contains(1))
    let place = order.firstIndex(of: 1) ?? 0
    #expect(window == Array(order[max(0, place - 1)...min(order.count - 1, place + 1)]))
  }

  @Test("an item's update replaces it, or is joined with it", arguments: [false, true])
  func updates(merges: Bool) {
    var stage = stage(items: 2) { $0.queue.mergesItems = merges }
    let media: JSONValue = ["contentId": "http://h/v4.mp4", "contentType": "video/mp4"]
    for item: JSONValue in [["itemId": 2, "preloadTime": 5, "media": media], ["itemId": 2, "startTime": 3]] {
      _ = stage.media(request("QUEUE_UPDATE", ["items": [item]]))
    }
    let item = stage.media(request("QUEUE_GET_ITEMS", ["itemIds": [2]])).first?["items"]?.array?.first
    #expect(item?["preloadTime"] == 5 && item?["media"]?["contentId"] == "http://h/v4.mp4")
    #expect(item?["startTime"]?.int == (merges ? 3 : nil), "without media the update is malformed otherwise")
  }

  @Test(
    "a range around an item is cut at the ends of the queue, and refused where it is not known",
    arguments: [
      (3, 1, 1, [2, 3, 4]), (1, 2, 5, [1, 2, 3]), (5, 9, 1, [4, 5]), (9, 1, 1, nil), (2, -1, 1, nil),
    ])
  func ranges(id: Int, next: Int, previous: Int, expected: [Int]?) {
    let more: [String: JSONValue] = [
      "itemId": .integer(Int64(id)), "nextCount": .integer(Int64(next)),
      "prevCount": .integer(Int64(previous)),
    ]
    var stage = stage(items: 5) { $0.queue.answersItemRanges = true }
    let items = stage.media(request("QUEUE_GET_ITEM_RANGE", more)).first?["items"]?.array
    #expect(items?.compactMap { $0["itemId"]?.int } == expected)
    var plain = self.stage(items: 5)
    #expect(plain.media(request("QUEUE_GET_ITEM_RANGE", more)).first?["reason"] == "INVALID_COMMAND")
  }

  @Test(
    "one answer holds no more items than the receiver allows; commands tell of neighbours where configured")
  func capsAndCommands() {
    var stage = stage(items: 5) {
      $0.itemsPerAnswer = 2
      $0.queue.announcesCommands = true
      $0.itemsBefore = 0
      $0.itemsAfter = 2
    }
    let answer = stage.media(request("QUEUE_GET_ITEMS", ["itemIds": [5, 1, 2]])).first
    #expect(answer?["items"]?.array?.compactMap { $0["itemId"]?.int } == [5, 1])
    func commands() -> Int {
      let entry = stage.media(["type": "GET_STATUS", "requestId": 4]).first?["status"]?.array?.first
      return entry?["supportedMediaCommands"]?.int ?? 0
    }
    #expect(commands() == 12_303 + 64)
    _ = stage.media(request("QUEUE_UPDATE", ["currentItemId": 5]))
    _ = stage.wait(0.2)
    #expect(commands() == 12_303 + 128)
  }
}
