import CastProtocol
import CastqFeeding
import CastqText
import Testing
@testable import CastqLink

/// What leaves a site by its link, for documents that are full of secrets.
@Suite("Secrets of addresses, at the broker and at the centre")
struct SecretsTests {
  private static let address =
    "http://SECRETUSER:SECRETPASS@media.example/a.mp4?SECRETQUERY,'SECRETMORE'#SECRETFRAG"
  private static let words = "LOAD_FAILED \(address): no"

  @Test("a reply has addresses without them, also where a long text is cut")
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
