import CastProtocol
import Logging
import Synchronization
import Testing

@testable import CastSender

/// Lines of the level `info` and above, with the level of each.
private final class Lines: CastLoggerDelegate {
  private let lines = Mutex<[String]>([])

  func logMessage(
    _ message: String, at level: CastLogLevel, fromFunction function: String, class className: String,
    location: String
  ) {
    lines.withLock { $0.append("\(level.word) \(message)") }
  }

  var all: [String] { lines.withLock { $0 } }
}

@Suite("What a session logs")
struct SessionLogTests {
  private let cast = CastLogger(time: .continuous)
  private let lines = Lines()
  private let error = CastError(.invalidRequest, "no such file")

  private func log() -> SessionLog {
    cast.delegate = lines
    return SessionLog(cast.logger(for: "Session"))
  }

  private func playing(_ item: Int) -> SessionEvent {
    var status = MediaStatus(mediaSessionID: MediaSessionID(1))
    status.playerState = .playing
    status.currentItemID = MediaQueueItemID(item)
    return .mediaStatus(status)
  }

  @Test("items that fail and play in turn are a warning each ten seconds, which counts those it leaves out")
  func storm() {
    var log = log()
    for number in 0..<300 {
      let now = Tick(.milliseconds(100 * number))
      log.logEvent(.queueItemFailed(MediaQueueItemID(number), error), at: now)
      log.logEvent(playing(number + 1), at: now)
    }
    let warnings = lines.all
    #expect(warnings.count == 3 && warnings.allSatisfy { $0.hasPrefix("warning queue item failed") })
    #expect(warnings.dropFirst().allSatisfy { $0.contains("cast.omitted=99") }, "\(warnings)")
  }

  @Test("an item that fails again is one incident until something plays")
  func again() {
    var log = log()
    for second in [0, 20, 40] {
      log.logEvent(.queueItemFailed(MediaQueueItemID(7), error), at: Tick(.seconds(second)))
    }
    #expect(lines.all.count == 1)
    log.logEvent(playing(7), at: Tick(.seconds(50)))
    log.logEvent(.queueItemFailed(MediaQueueItemID(7), error), at: Tick(.seconds(60)))
    #expect(lines.all.count == 2)
  }

  @Test("the failed end of a session that never was active is its caller's to tell, another a warning")
  func ends() {
    var log = log()
    log.logEvent(.ended(error), at: .zero)
    #expect(lines.all == [])
    log.logEvent(.active(nil), at: .zero)
    log.logEvent(.ended(error), at: .zero)
    #expect(lines.all.last?.hasPrefix("warning session ended") == true, "\(lines.all)")
  }
}
