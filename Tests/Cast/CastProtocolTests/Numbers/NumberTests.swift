import CastProtocol
import Testing

/// Numbers of the outside: what is believed, and that none ends the process.
struct NumberTests {
  private static let extremes: [Double] = [
    .nan, .signalingNaN, .infinity, -.infinity, 1.7e308, -1.7e308, 9.3e18, -9.3e18, 0x1p63, -0x1p63, 0x1p64,
    .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 0, -0.0, 1, -1, 0.9999,
  ]

  @Test("every number has a whole number", arguments: extremes)
  func wholeNumbers(_ value: Double) {
    let expected: Int =
      switch value {
      case _ where value.isNaN: 0
      case 9.2e18...: .max
      case ...(-9.3e18): .min
      default: Int(exactly: value.rounded(.towardZero)) ?? 0
      }
    #expect(Int(bounded: value) == expected)
    #expect(UInt8(bounded: value) == UInt8(clamping: expected))
    let large = value >= 0x1p63 ? UInt64(exactly: value) ?? .max : UInt64(clamping: expected)
    #expect(UInt64(bounded: value) == large)
  }

  @Test("every number is a length of time that timers can bear", arguments: extremes)
  func durations(_ value: Double) {
    let duration = Duration.bounded(seconds: value)
    #expect(duration >= .zero && duration <= .longest)
    #expect(!value.isNaN || duration == .zero)
    #expect(value != .infinity || duration == .longest)
    #expect(Duration.seconds(30).scaled(by: value) <= .longest)
    #expect((Tick(.longest) + duration + duration).sinceStart > .zero)
  }

  @Test("sums and milliseconds end at what fits")
  func sums() {
    #expect(Int64.max.adding(bounded: 1) == .max)
    #expect(Int64.min.adding(bounded: -1) == .min)
    #expect(Int64.min.subtracting(bounded: 1) == .min)
    #expect(Int64.max.subtracting(bounded: -1) == .max)
    #expect(Int64(5).adding(bounded: -7) == -2)
    #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeMilliseconds == .min)
    #expect(Duration.milliseconds(4_100).wholeMilliseconds == 4_100)
  }

  @Test(
    "a field keeps what is believed and drops or clamps the rest",
    arguments: [
      (.position, "12.5", 12.5), (.position, "-1", -1), (.position, "1.7e308", nil), (.position, "1e11", nil),
      (.rate, "2", 2), (.rate, "0", 0), (.rate, "1.7e308", nil), (.rate, "-1.7e308", nil),
      (.volume, "1.0000001", 1), (.volume, "-1", 0), (.volume, "1.7e308", 1),
      (.volumeStep, "0.05", 0.05), (.volumeStep, "2", nil),
      (.breakPosition, "-1", -1), (.breakPosition, "-7", -1), (.breakPosition, "1.7e308", 1e10),
      (.adTime, "-1.7e308", 0), (.adTime, "1.7e308", 1e7), (.length, "9223372036854775808", nil),
      (.rate, "\"1\"", nil), (.rate, "null", nil), (.rate, "true", nil),
    ] as [(NumberField, String, Double?)])
  func numbers(_ field: NumberField, _ text: String, _ expected: Double?) throws {
    #expect(try JSONValue(parsing: text).number(field) == expected)
  }

  @Test(
    "a whole number is one in its range",
    arguments: [
      (.identifier, "7", 7), (.identifier, "7.0", 7), (.identifier, "7.5", nil), (.identifier, "0", nil),
      (.identifier, "-1", nil), (.identifier, "9223372036854775807", nil),
      (.identifier, "9223372036854775808", nil), (.identifier, "1.7e308", nil),
      (.trackID, "-3", -3), (.trackID, "-9223372036854775808", nil), (.pixels, "-1", nil),
      (.pixels, "1920", 1920), (.pixels, "1e7", nil), (.bits, "274447", 274_447), (.code, "1e10", nil),
      (.count, "\"1\"", nil),
    ] as [(NumberField, String, Int?)])
  func integers(_ field: NumberField, _ text: String, _ expected: Int?) throws {
    #expect(try JSONValue(parsing: text).integer(field) == expected)
  }

  @Test("a status with a number that cannot be is one without it")
  func status() throws {
    func status(_ json: String) throws -> MediaStatus {
      let update = try #require(MediaStatusUpdate(json: try JSONValue(parsing: json)))
      return MediaStatusReducer.merge(update, into: nil)
    }
    let believed = try status(
      #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":3,"playbackRate":2,"currentItemId":4}"#)
    #expect(believed.streamPosition == 3 && believed.playbackRate == 2)
    #expect(believed.currentItemID == MediaQueueItemID(4))
    let hostile = try status(
      #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":1.7e308,"playbackRate":-1.7e308,"currentItemId":9223372036854775807,"loadingItemId":0,"media":{"contentId":"x","duration":1.7e308},"volume":{"level":-1.7e308},"liveSeekableRange":{"start":0,"end":1.7e308}}"#
    )
    #expect(hostile.streamPosition == nil && hostile.playbackRate == 1)
    #expect(hostile.currentItemID == nil && hostile.loadingItemID == nil)
    #expect(hostile.mediaInformation?.streamDuration == nil)
    #expect(hostile.volume?.level == 0 && hostile.liveSeekableRange == nil)
  }

  @Test("what is no number never reaches the wire", arguments: [Double.nan, .infinity, -.infinity])
  func wire(_ value: Double) {
    #expect(JSONValue.number(value).text == "null")
    #expect(JSONValue(value) == nil)
    #expect(MediaTime(seconds: value).json == .null)
  }
}
