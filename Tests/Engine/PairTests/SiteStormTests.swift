import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import Foundation
import Testing

/// Whatever befalls a site, everybody who asks is answered once, and no screen is dark without a reason.
struct SiteStormTests {
  /// Ten thousand of them take an hour: the daily run makes some, and `make endurance` ten times as many as CASTQ_STORMS says.
  private static let storms =
    ProcessInfo.processInfo.environment["CASTQ_STORMS"].flatMap { Int($0) }.map { $0 * 10 } ?? 100
  private static let blocks = 20

  @Test("any sequence of mishaps leaves nobody unanswered and no screen dark", arguments: 0..<blocks)
  func storms(_ block: Int) {
    let size = max(Self.storms / Self.blocks, 1)
    for seed in (block * size)..<(block * size + size) {
      var storm = SiteStorm(seed: seed, devices: 1 + seed % 3)
      storm.run(mishaps: 12, within: 3_000)
      #expect(storm.complaints.isEmpty, "\(storm.story)")
    }
  }

  @Test(
    "storms that once left somebody unanswered",
    arguments: [1867, 1870, 1887, 1939, 3015, 4790, 4793, 4923, 4929, 4935, 4947, 5171, 6164])
  func known(_ seed: Int) {
    var storm = SiteStorm(seed: seed, devices: 1 + seed % 3)
    storm.run(mishaps: 12, within: 3_000)
    #expect(storm.complaints.isEmpty, "\(storm.story)")
  }

  @Test("two hundred devices in one storm")
  func crowd() {
    var storm = SiteStorm(seed: 4711, devices: 200)
    storm.run(mishaps: 100, within: 50, calmingIn: 30)
    #expect(storm.complaints.isEmpty, "\(storm.story)")
  }
}

/// One bad hour of one site.
struct SiteStorm {
  private let seed: Int
  private var dice: Dice
  private var site: VirtualSite
  private(set) var complaints: [String] = []
  /// Devices whose lists repeat: nobody waits for their ends.
  private var repeating: Set<DeviceID> = []
  /// Until when a device may be dark because of what has just befallen it.
  private var excused: [DeviceID: Tick] = [:]
  private var asked: [TicketID] = []

  init(seed: Int, devices: Int) {
    self.seed = seed
    var dice = Dice(seed: UInt64(seed) &+ 400_000)
    var feeds: [VirtualFeed] = []
    for index in 0..<devices {
      var rows = VirtualRows()
      if index % 2 == 0 {
        rows.repeatMode = .all
        repeating.insert(DeviceID(Int64(index + 1)))
      }
      rows.append(Self.list(&dice))
      var receiver = ReceiverConfiguration()
      receiver.seed = UInt64(seed * 1000 + index)
      feeds.append(
        VirtualFeed(
          rows: rows, receiver: VirtualReceiver(configuration: receiver, fetching: FeedFixture.fetching),
          isOfSite: true))
    }
    site = VirtualSite(feeds)
    self.dice = dice
  }

  private static func list(_ dice: inout Dice) -> [EntryDraft] {
    // Something of it can be played.
    (0..<dice.number(1...3)).map { index in
      index > 0 && dice.chance(0.2)
        ? FeedFixture.draft("dead.mp4") : FeedFixture.draft("v\(dice.number(2...6)).mp4")
    }
  }

  /// - Parameters:
  ///   - pause: the most milliseconds between two of them.
  ///   - calm: after so many seconds without any, everybody has been told.
  mutating func run(mishaps: Int, within pause: Int, calmingIn calm: Int = 50) {
    site.run(for: .seconds(5))
    for _ in 0..<mishaps {
      strike()
      site.run(for: .milliseconds(dice.chance(0.3) ? dice.number(0...50) : dice.number(0...pause)))
      look()
    }
    settle(in: calm)
  }

  private mutating func strike() {
    let id = site.ids[dice.number(0...site.ids.count - 1)]
    switch dice.number(0...15) {
    case 0...4: feed(id)
    case 5, 6: ask(.perform(.stop(quits: dice.chance(0.3))), of: id)
    case 7: replace(id)
    case 8: ask(dice.chance(0.5) ? .perform(.next) : .outlook, of: id)
    case 9:
      site.control(id, .reboot(downFor: .seconds(dice.number(1...15))))
      excuse(id, 60)
    case 10:
      site.control(id, .drop(for: .seconds(dice.number(1...15)), dice.chance(0.5) ? .silent : .refuse))
      excuse(id, 60)
    case 11: quiet(dice.chance(0.5))
    case 12:
      let length = dice.number(1...10)
      site.failRows(for: .seconds(length))
      for id in site.ids { excuse(id, Double(length) + 30) }
    case 13:
      if dice.chance(0.3) {
        let pause = dice.number(1...5)
        site.crash(for: .seconds(pause))
        for id in site.ids { excuse(id, Double(pause) + 30) }
      }
    case 14:
      site.setClock(by: .seconds(dice.number(-100...100)))
    default: ask(.poke, of: id)
    }
  }

  private mutating func ask(_ command: ControlCommand, of id: DeviceID) {
    asked.append(site.ask(command, of: id))
  }

  private mutating func feed(_ id: DeviceID) {
    let rows = site.feeds[Int(id.rawValue) - 1].rows.rows
    var request = FeedRequest(patience: Double(dice.number(0...20)))
    if dice.chance(0.4), !rows.isEmpty { request.first = rows[dice.number(0...rows.count - 1)].id }
    request.waits = !repeating.contains(id) && dice.chance(0.5)
    request.takesRules = dice.chance(0.2)
    ask(.feed(request), of: id)
    excuse(id, 30)
  }

  /// Another list takes the place of the present one.
  private mutating func replace(_ id: DeviceID) {
    let list = Self.list(&dice)
    site.edit(id) { rows in
      rows.rows = []
      rows.append(list)
    }
    var request = FeedRequest(isNewQueue: true, patience: 10)
    request.member = site.feeds[Int(id.rawValue) - 1].rows.rows.first?.id
    request.waits = !repeating.contains(id) && dice.chance(0.5)
    ask(.feed(request), of: id)
    excuse(id, 30)
  }

  private mutating func quiet(_ isQuiet: Bool) {
    var configuration = DaemonConfiguration()
    if isQuiet {
      configuration.standard.quietHours = [.wholeDay]
      configuration.standard.quietShow = QuietShow.allCases[dice.number(0...QuietShow.allCases.count - 1)]
    }
    site.reload(configuration)
    for id in site.ids { excuse(id, 30) }
  }

  private mutating func excuse(_ id: DeviceID, _ seconds: Double) {
    let until = site.now + .seconds(seconds)
    excused[id] = max(excused[id] ?? until, until)
  }

  /// Looks at every screen.
  private mutating func look() {
    for id in site.ids where (excused[id] ?? .zero) < site.now {
      let feed = site.feeds[Int(id.rawValue) - 1]
      guard feed.rows.hasWork, feed.rows.stoppedAt == nil, !site.machine.rules(of: id).isQuietAllDay,
        feed.receiver.model.door == .open, let last = feed.watch.all.last, last.shown == .dark,
        last.seconds > 20
      else { continue }
      complain("device \(id) is dark for \(last.seconds) s without a reason")
    }
  }

  private mutating func complain(_ words: String) {
    if !complaints.contains(words) { complaints.append(words) }
  }

  /// Everything works again: what is asked comes true, and everybody has been told.
  private mutating func settle(in calm: Int) {
    quiet(false)
    site.run(for: .seconds(calm))
    look()
    for (ticket, since) in site.open { complain("\(ticket) was not answered since \(since.sinceStart)") }
    for id in site.ids {
      let feed = site.feeds[Int(id.rawValue) - 1]
      guard feed.rows.stoppedAt == nil, feed.rows.hasWork else { continue }
      ask(.feed(FeedRequest(patience: 30)), of: id)
    }
    site.run(for: .seconds(10))
    look()
    for (ticket, since) in site.open { complain("\(ticket) was not answered since \(since.sinceStart)") }
    site.shutDown()
    for ticket in asked where site.answers[ticket] == nil { complain("\(ticket) was never answered") }
    for words in site.complaints { complain(words) }
  }

  /// Everything that is needed to see what happened.
  var story: String {
    """
    seed \(seed): \(complaints.prefix(10).joined(separator: "; "))
    \(site.log.suffix(400).joined(separator: "\n"))
    """
  }
}

extension DeviceRules {
  fileprivate var isQuietAllDay: Bool { !quietHours.isEmpty }
}
