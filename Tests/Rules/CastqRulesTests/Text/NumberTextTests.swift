import CastqText
import Testing

@Suite struct NumberTextTests {
  @Test(
    "a length of time is read in every spelling",
    arguments: [
      ("90", 90), ("90s", 90), ("1m30s", 90), ("01:30", 90), ("1:02:03", 3723), ("250ms", 0.25),
      ("1.5s", 1.5),
      ("1.5", 1.5), (".5", 0.5), ("0", 0), ("2h", 7200), ("1d", 86400), ("1h2m3s4ms", 3723.004),
      ("00:00.5", 0.5),
      ("90:00", 5400), ("9999999999", 9_999_999_999), ("100000:00", 6_000_000), ("1m0.25s", 60.25),
    ])
  func length(text: String, seconds: Double) throws {
    #expect(try DurationText.seconds(text) == seconds)
  }

  @Test(
    "what is no length of time is refused and not guessed",
    arguments: [
      "", " ", "-1", "+1", "1:5", "1:60", "1:60:00", "1:2:3:4", ":30", "30:", "1.5m30s", "30s1m", "1m1m",
      "1h30", "s",
      "1 s", "1x", "1e3", "inf", "nan", "0x10", "99999999999", "1.", "1..2", "1.2.3", "1:02.5:03", "٣", "1s ",
      "1,5",
      "999999999999999999999999999999999999999999999999", "1234567:00",
    ])
  func noLength(text: String) {
    let error = #expect(throws: TextError.self) { try DurationText.seconds(text) }
    #expect(error?.hint?.typed.contains("1m30s") == true)
  }

  @Test(
    "an integer is a percentage, a point makes a fraction, a sign makes a change",
    arguments: [
      ("0", .level(0)), ("55", .level(0.55)), ("100", .level(1)), ("1", .level(0.01)), ("1.0", .level(1)),
      ("0.55", .level(0.55)), (".5", .level(0.5)), ("+5", .change(0.05)), ("-10", .change(-0.1)),
      ("-0.25", .change(-0.25)), ("+100", .change(1)),
    ] as [(String, VolumeText)])
  func volume(text: String, volume: VolumeText) throws {
    #expect(try VolumeText(text) == volume)
  }

  @Test(
    "what is no volume is refused",
    arguments: ["", "101", "1.01", "+101", "--5", "+-5", "55%", "five", "1e1", "0x5", "5 ", "nan", "+", "-"])
  func noVolume(text: String) {
    #expect(throws: TextError.self) { try VolumeText(text) }
  }

  @Test(
    "a volume out of range is said to be on the side on which it is",
    arguments: [
      ("500", "above the maximum"), ("+500", "above the maximum"), ("1.01", "above the maximum"),
      ("-500", "below the minimum"), ("-1.01", "below the minimum"),
    ])
  func volumeOutOfRange(text: String, words: String) {
    let error = #expect(throws: TextError.self) { try VolumeText(text) }
    #expect(error?.message == "volume \(text) is \(words)")
  }

  @Test("numbers compare by value and the order is total")
  func naturalOrder() {
    let sorted = [
      "", "1", "01", "2.mp4", "10.mp4", "a1b2", "a1b10", "A2", "a2", "a02", "file2", "file10", "file10a",
      "file99999999999999999999998", "file99999999999999999999999", "File100000000000000000000000", "z", "é",
    ]
    #expect(sorted.reversed().sorted(by: NaturalOrder.precedes) == reordered(sorted))
    for left in sorted {
      for right in sorted where left != right {
        #expect(NaturalOrder.precedes(left, right) != NaturalOrder.precedes(right, left))
      }
      #expect(!NaturalOrder.precedes(left, left))
    }
  }

  /// Equal values are ordered by their bytes: `0` before `1`, capitals before small letters.
  private func reordered(_ names: [String]) -> [String] {
    var names = names
    names.swapAt(1, 2)
    names.replaceSubrange(7...9, with: ["A2", "a02", "a2"])
    return names
  }

  @Test(
    "the nearest known word is found, a distant one is not",
    arguments: [
      ("preloda", "preload"), ("strat", "start"), ("End", "end"), ("titel", "title"), ("colour", nil),
      ("", nil),
      ("x", nil), (String(repeating: "start", count: 100), nil),
    ] as [(String, String?)])
  func spelling(word: String, nearest: String?) {
    #expect(Spelling.nearest(to: word, in: ["start", "end", "preload", "title"]) == nearest)
  }

  @Test(
    "an age is told in the unit that a person thinks in",
    arguments: [
      (-5, "0 s"), (0, "0 s"), (61.4, "61 s"), (90, "2 min"), (1200, "20 min"), (5400, "2 h"),
      (129_600, "2 days"), (1e300, "1000000 days"), (.infinity, "1000000 days"), (.nan, "0 days"),
    ] as [(Double, String)])
  func age(seconds: Double, words: String) {
    #expect(AgeText.words(seconds) == words)
  }
}
