import CastProtocol
import CastqFeeding
import CastqSchedule
import CastqText
import Testing

@Suite("Hooks")
struct HookRuleTests {
  @Test(
    "a trigger is read as it is written",
    arguments: [
      ("dark>60s", HookRule.Trigger.dark(.seconds(60))), ("dark > 1m30s", .dark(.seconds(90))),
      ("failed", .failed), ("takeover", .takeover), ("list", .list),
    ])
  func triggers(_ text: String, _ trigger: HookRule.Trigger) throws {
    #expect(try HookRule.Trigger(text) == trigger)
  }

  @Test(
    "what is no trigger is refused", arguments: ["", "dark", "dark>", "dark>0s", "dark>2d", "dark<5s", "lit"])
  func mistakes(_ text: String) { #expect(throws: TextError.self) { try HookRule.Trigger(text) } }

  @Test("retries come less and less often, and end with the seventh day")
  func retries() {
    let pauses = (1...20).map { HookRetry.pause(after: $0, age: .zero)?.seconds ?? -1 }
    #expect(pauses.prefix(8) == [1, 2, 5, 10, 30, 60, 300, 900] && pauses.last == 900)
    #expect(HookRetry.pause(after: 1, age: .seconds(7 * 86_400)) == nil)
    #expect(HookRetry.pause(after: .max, age: .seconds(-1)) == .seconds(900))
    #expect(HookRetry.pause(after: .min, age: .zero) == .seconds(1))
  }

  @Test("an event has all its keys, and nothing that reaches a terminal raw")
  func events() {
    var event = HookEvent(.failed, device: "lob\u{1B}by", at: WallTime(milliseconds: 1000))
    event.title = String(repeating: "\u{1B}]0;x\u{7}", count: 1000)
    #expect(
      Set(event.json.object?.keys.map { $0 } ?? []) == [
        "event", "device", "at", "since", "dark_s", "cause", "entry", "title", "reason", "source",
      ])
    #expect(!event.json.text.contains("\\u001b") && !event.json.text.contains("\u{1B}"))
    #expect(event.json.text.utf8.count < 8000)
    var dark = HookEvent(.dark(.seconds(60)), device: "lobby", at: WallTime(milliseconds: 90_000))
    dark.since = WallTime(milliseconds: 29_500)
    dark.cause = .unreachable
    #expect(dark.json["dark_s"]?.double == 60.5 && dark.json["cause"]?.string == "unreachable")
    #expect(dark.json.object?["title"] == .null)
  }
}
