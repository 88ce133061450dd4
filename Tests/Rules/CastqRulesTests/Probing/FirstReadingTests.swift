import CastProtocol
import Testing
@testable import CastqPlaylists

@Suite("How long entries wait for their files to be read")
struct FirstReadingTests {
  private let entry = EntryID(1)
  private var reading = FirstReading(patience: .seconds(2))

  private func tick(_ milliseconds: Int64) -> Tick { Tick(.milliseconds(milliseconds)) }

  @Test("a second look at the rows does not end the wait, and does not begin it again")
  mutating func looks() {
    #expect(reading.left(for: entry, at: tick(0)) == .seconds(2))
    #expect(reading.left(for: entry, at: tick(500)) == .milliseconds(1500))
    #expect(reading.left(for: entry, at: tick(1999)) == .milliseconds(1))
    #expect(reading.left(for: entry, at: tick(2000)) == nil)
    #expect(reading.left(for: entry, at: tick(2001)) == nil)
  }

  @Test("what was sent, or is with a device, waits no more")
  mutating func released() {
    reading.release(entry)
    #expect(reading.left(for: entry, at: tick(0)) == nil)
    #expect(reading.left(for: EntryID(2), at: tick(0)) == .seconds(2))
  }

  @Test("a queue that is too long to remember waits again, and takes no more memory")
  mutating func bounded() {
    reading.release(entry)
    for number in 2...5000 { _ = reading.left(for: EntryID(Int64(number)), at: tick(0)) }
    #expect(reading.left(for: entry, at: tick(0)) == .seconds(2))
  }
}
