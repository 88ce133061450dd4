import CastProtocol
import CastqPlaylists
import Testing

@Suite("Shuffle and tags")
struct QueueValueTests {
  @Test(
    "the shuffled order is the same for ever",
    arguments: [
      (0, 0, 0, 0x2382_75BC_38FC_BE91), (1, 0, 1, 0x4653_9195_8FC6_1F13), (1, 1, 1, 0x7095_BEEB_D765_75E4),
      (.max, 7, 12345, 0xC748_C676_900D_25C3), (42, 3, -1, 0x07BF_C254_3C5D_CA7F),
    ] as [(UInt64, Int, Int64, UInt64)])
  func known(seed: UInt64, round: Int, entry: Int64, key: UInt64) {
    #expect(ShuffleOrder.key(seed: seed, round: round, entry: EntryID(entry)) == key)
  }

  @Test("each round and each seed has an order of its own, and all places are as likely")
  func orders() {
    let ids = (1...50).map { EntryID($0) }
    func order(_ seed: UInt64, _ round: Int) -> [EntryID] {
      ids.sorted {
        ShuffleOrder.key(seed: seed, round: round, entry: $0)
          < ShuffleOrder.key(seed: seed, round: round, entry: $1)
      }
    }
    let orders = (0..<400).map { order(UInt64($0 / 20), $0 % 20) }
    #expect(Set(orders).count == 400)
    for order in orders { #expect(order.sorted() == ids) }
    // The first of fifty leads about one round in fifty.
    let leads = orders.count { $0[0] == ids[0] }
    #expect((1...24).contains(leads))
  }

  @Test(
    "the mark of an item survives the way to the receiver and back, beside the user's own data",
    arguments: [
      nil, .object([:]), ["mine": [1, "x"]], ["castq": "theirs", "k": 1], "a string", 5, [1, 2], .null,
    ] as [JSONValue?])
  func tags(own: JSONValue?) throws {
    let tag = EntryTag(queue: "q\"\\é", turn: EntryTurn(entry: EntryID(1 << 53 + 1), turn: 7))
    let sent = tag.marking(own)
    let back = try JSONValue(parsing: sent.text)
    #expect(EntryTag(customData: back) == tag)
    #expect(back["castq"]?["n"] == nil)
    let paired = EntryTag(queue: "q", turn: tag.turn, epoch: 12)
    #expect(EntryTag(customData: try JSONValue(parsing: paired.marking(own).text)) == paired)
    for (key, value) in own?.object ?? [:] where key != "castq" { #expect(back[key] == value) }
  }

  @Test(
    "what is no mark is not taken for one",
    arguments: [
      nil, .null, "castq", [], ["castq": 1], ["castq": ["q": "a", "e": 1]],
      ["castq": ["q": 1, "e": 1, "t": 1]],
      ["castq": ["q": "a", "e": "1", "t": 1]], ["castq": ["q": "a", "e": 1.5, "t": 1]],
      ["castq": ["q": "a", "e": 1e300, "t": 1]],
    ] as [JSONValue?])
  func noTag(data: JSONValue?) {
    #expect(EntryTag(customData: data) == nil)
  }
}
