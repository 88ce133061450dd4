import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

/// People who cannot make up their minds, with a device that comes and goes.
struct CommandStormTests {
  private enum Doing: CaseIterable {
    case next, previous, entry, unknown, restart, poke, outlook, cut, power, wait
  }

  @Test("each live command has one reply at the end of the run, and none is a bug", arguments: 1...200)
  func replies(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    let names = (0..<dice.number(1...4)).map { index in
      dice.chance(0.15)
        ? "dead\(index).mp4" : dice.chance(0.2) ? "p\(index).html" : "v\(dice.number(1...9)).mp4"
    }
    var feed = FeedFixture.feed(names, repeatMode: dice.chance(0.5) ? .all : .off, seed: UInt64(seed))
    var asked: [(TicketID, ControlCommand)] = []
    for _ in 0..<dice.number(3...14) {
      feed.run(until: feed.now + .seconds(dice.fraction() * (dice.chance(0.3) ? 0.2 : 6)))
      if feed.end != nil { break }
      let entry = EntryID(Int64(dice.number(1...names.count)))
      let command: ControlCommand
      switch Doing.allCases[dice.number(0...Doing.allCases.count - 1)] {
      case .next: command = .perform(.next)
      case .previous: command = .perform(.previous)
      case .entry: command = .perform(.play(entry))
      case .unknown: command = .perform(.play(EntryID(999)))
      case .restart: command = .feed(FeedRequest(isNewQueue: true, waits: dice.chance(0.5)))
      case .poke: command = .poke
      case .outlook: command = .outlook
      case .cut:
        feed.cutConnection()
        continue
      case .power:
        feed.cutPower(for: .seconds(Double(dice.number(1...20))))
        continue
      case .wait: continue
      }
      asked.append((feed.ask(command), command))
    }
    feed.run(until: feed.now + .seconds(dice.fraction() * 30))
    if feed.end == nil {
      asked.append((feed.ask(.perform(.stop(quits: dice.chance(0.5)))), .perform(.stop(quits: false))))
    }
    feed.run(until: feed.now + .seconds(120))
    let story = "seed \(seed) \(names)\n" + feed.log.joined(separator: "\n")
    #expect(feed.end != nil, "\(story)")
    for (ticket, command) in asked {
      switch feed.answers[ticket] {
      case nil: Issue.record("\(command) has no reply\n\(story)")
      case .failed(let failure)?: #expect(failure.exit != .bug, "\(command): \(failure)\n\(story)")
      case .done?: break
      }
    }
  }
}
