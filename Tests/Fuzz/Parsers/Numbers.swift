import CastProtocol
import CastqText

extension Parser {
  /// What people, the environment and the configuration write as numbers and times; and numbers of files, clocks and rows, eight bytes
  /// each, as people read them.
  func parseNumbers(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let zones = [{ (_: WallTime) in 0 }, { (_: WallTime) in 50_400 }]
    let clocks = [Int64.min, -1, 0, 1_800_000_000_000, .max].map { WallTime(milliseconds: $0) }
    if let seconds = try? DurationText.seconds(text) { say(seconds) }
    if let size = try? ByteSizeText.bytes(text) { _ = ByteSizeText.words(size) }
    _ = try? VolumeText(text)
    if let time = try? RFC3339.parse(text) { say(time) }
    if let time = try? TimeText(text) {
      for now in clocks {
        for zone in zones {
          say(time.resolved(now: now, sense: .last, utcOffset: zone))
          say(time.resolved(now: now, sense: .next, utcOffset: zone))
        }
      }
    }
    let numbers = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
      bytes[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
    for number in numbers {
      say(WallTime(milliseconds: number))
      say(Double(bitPattern: UInt64(bitPattern: number)))
      _ = ByteSizeText.words(Int(number))
      let file = Int64(millisecondsOf: Int(number), nanoseconds: Int(truncatingIfNeeded: number >> 7))
      say(WallTime(milliseconds: file))
      for clock in clocks { say(clock - WallTime(milliseconds: number)) }
    }
  }

  private func say(_ seconds: Double) {
    _ = ClockText.format(seconds)
    _ = AgeText.words(seconds)
    _ = DecimalText.text(seconds)
    let length = Duration.bounded(seconds: seconds)
    precondition(length >= .zero && length <= .longest, "a duration that is none")
    _ = WallTime.now(at: seconds)
  }

  private func say(_ time: WallTime) {
    let text = RFC3339.text(time)
    if let again = try? RFC3339.parse(text) {
      precondition(again == time, "\(text) is another time when it is read")
    }
    _ = RFC3339.local(time, offset: 50_400)
    let civil = CivilTime(time, utcOffset: -43_200)
    _ = civil.wallTime { _ in -43_200 }
  }
}

extension WallTime {
  /// A time so many seconds from one of today.
  fileprivate static func now(at seconds: Double) -> WallTime {
    WallTime(milliseconds: 1_800_000_000_000).adding(seconds: seconds)
  }
}
