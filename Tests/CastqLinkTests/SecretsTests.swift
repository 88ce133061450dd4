import CastProtocol
import CastqCore
import Testing

@testable import CastqLink

/// What leaves a site by its link, for documents that are full of secrets.
@Suite("Secrets of addresses, at the broker and at the centre")
struct SecretsTests {
  private static let address =
    "http://SECRETUSER:SECRETPASS@media.example/a.mp4?SECRETQUERY,'SECRETMORE'#SECRETFRAG"
  private static let words = "LOAD_FAILED \(address): no"

  @Test("the state of a device has addresses without them, also where a long text is cut")
  func state() {
    let long =
      String(repeating: "x", count: 950) + " http://SECRETUSER:SECRETPASS" + String(repeating: "S", count: 90)
      + "@h/"
    for title in [Self.address, Self.words, long] {
      let report: JSONValue = [
        "connection": "connected", "application": ["displayName": .string(title)],
        "media": [
          "playerState": .string(title), "customData": ["k": "SECRETDATA"],
          "media": [
            "contentId": .string(Self.address), "metadata": ["title": .string(title)],
            "customData": "SECRETDATA",
          ],
        ],
      ]
      for row in [nil, title] {
        let document = LiveState.document(
          "lobby", site: "berlin", report: report, title: row, url: LiveState.givenAddress(report),
          at: WallTime(milliseconds: 1_800_000_000_000))
        #expect(document["url"] == "http://…@media.example/a.mp4?…")
        #expect(!document.text.contains("SECRET"), "\(document.text)")
      }
    }
  }

  @Test("so has a reply")
  func reply() {
    let reply = LiveReply.document(
      "7", "lobby", at: WallTime(milliseconds: 0), exit: 76, error: ("x", Self.words))
    #expect(reply["error"]?["message"] == "LOAD_FAILED http://…@media.example/a.mp4?…: no")
    let long = String(repeating: "x", count: 1990) + " " + Self.address
    let cut = LiveReply.document("7", "lobby", at: WallTime(milliseconds: 0), exit: 76, error: ("x", long))
    #expect(!cut.text.contains("SECRET"), "\(cut.text)")
  }

  @Test("no column of a play at the centre has one, and every text of the play is in a column")
  func columns() {
    var words = PlayWords(
      chain: 1, previous: nil, play: 1, entry: 1, turn: 1, device: "lobby", deviceKey: nil,
      title: Self.address,
      url: Self.address)
    words.source = Self.address
    words.idleReason = Self.words
    words.errorType = Self.words
    words.errorReason = Self.words
    words.ruleName = Self.address
    words.cause = Self.words
    words.causedBy = "{\"url\":\"\(Self.address)\",\"customData\":\"SECRETDATA\"}"
    let columns = CentreColumns.of(OutboxPlay(seq: 1, words: words, hash: nil, note: Self.words))
    #expect(columns["url"] == "http://…@media.example/a.mp4?…")
    #expect(columns["device"] == "lobby")
    #expect(columns.object?.values.count { $0.string?.contains("media.example") == true } == 10)
    #expect(!columns.text.contains("SECRET"), "\(columns.text)")
  }
}
