import CastProtocol
import Foundation
import Testing

@Suite("What discovery makes of answers")
struct DiscoveryAnswerTests {
  typealias Bench = DiscoveryBench

  @Test(
    "a device that falls silent is given up after the longer of its time to live and two minutes",
    arguments: [(10, 120), (119, 120), (120, 120), (600, 600), (4500, 4500), (86_400, 4500)]
      as [(UInt32, Int)])
  func silence(ttl: UInt32, seconds: Int) {
    var bench = Bench()
    bench.hear(DiscoveredNeighbour().answer(ttl: ttl))
    bench.advance(.seconds(seconds) - .milliseconds(1))
    #expect(bench.changes == [.found("Kitchen at 192.168.1.20:8009")])
    bench.advance(.milliseconds(30))
    #expect(bench.changes.last == .lost("Kitchen at 192.168.1.20:8009"))
    #expect(bench.machine.devices.isEmpty)
  }

  @Test("who says goodbye is gone after a second, unless it comes back within it")
  func goodbye() {
    let neighbour = DiscoveredNeighbour()
    var bench = Bench()
    bench.hear(neighbour.answer())
    bench.hear(.response([neighbour.pointer(ttl: 0)]))
    bench.advance(.milliseconds(500))
    bench.hear(neighbour.answer())
    bench.advance(.seconds(5))
    #expect(bench.changes.count == 1)
    bench.hear(neighbour.answer(ttl: 0))
    bench.advance(.milliseconds(999))
    #expect(bench.machine.devices.count == 1)
    bench.advance(.milliseconds(1))
    #expect(bench.changes.last == .lost("Kitchen at 192.168.1.20:8009"))
    #expect(bench.machine.entryCount == 2, "a link and a service")
  }

  @Test("new addresses, ports, names and states of a device change it in place")
  func changes() {
    var neighbour = DiscoveredNeighbour()
    var bench = Bench()
    bench.hear(neighbour.answer())
    bench.hear(neighbour.answer())
    #expect(bench.changes == [.found("Kitchen at 192.168.1.20:8009")])
    bench.advance(.seconds(5))
    neighbour.addresses = [.a([192, 168, 1, 99])]
    bench.hear(neighbour.answer())
    #expect(bench.changes.last == .changed("Kitchen at 192.168.1.99:8009"))
    neighbour.port = 32_000
    bench.hear(.response([neighbour.place()]))
    #expect(bench.changes.last == .changed("Kitchen at 192.168.1.99:32000"))
    neighbour.name = "Bath"
    bench.hear(.response([neighbour.text()]))
    #expect(bench.changes.last == .changed("Bath at 192.168.1.99:32000"))
    neighbour.more = ["st=1", "rs=Music"]
    bench.hear(.response([neighbour.text()]))
    #expect(bench.machine.devices.map(\.statusText) == ["Music"])
    #expect(bench.changes.count == 5)
    bench.advance(.seconds(30))
    #expect(bench.changes.count == 5, "the old address expires unnoticed")
  }

  @Test("a name conflict leaves one device, at the newer place; when that goes, the other is back")
  func conflict() {
    let old = DiscoveredNeighbour()
    var new = old
    new.label += "-1"
    new.host = "host-2.local"
    new.addresses = [.a([192, 168, 1, 21])]
    var bench = Bench()
    bench.hear(old.answer())
    bench.hear(new.answer())
    for _ in 0..<4 {
      bench.advance(.seconds(20))
      bench.hear(old.answer())
      bench.hear(new.answer())
      bench.hear(old.answer())
    }
    #expect(
      bench.changes == [.found("Kitchen at 192.168.1.20:8009"), .changed("Kitchen at 192.168.1.21:8009")])
    bench.hear(.response([new.pointer(ttl: 0)]))
    bench.advance(.seconds(2))
    #expect(bench.changes.last == .changed("Kitchen at 192.168.1.20:8009"))
  }

  @Test("a group follows its leader, under the same name or another", arguments: ["", "-1"])
  func leader(suffix: String) {
    var group = DiscoveredNeighbour()
    group.name = "All rooms"
    group.label = "Google-Cast-Group-\(group.id)"
    group.port = 42_277
    group.more = ["ca=36"]
    var bench = Bench()
    bench.hear(group.answer())
    #expect(bench.machine.devices.first?.isGroup == true)
    bench.advance(.seconds(10))
    group.label += suffix
    group.host = "leader-2.local"
    group.addresses = [.a([192, 168, 1, 31])]
    group.port = 42_278
    bench.hear(group.answer())
    #expect(bench.changes.last == .changed("All rooms at 192.168.1.31:42278"))
    #expect(bench.machine.devices.count == 1)
  }

  @Test(
    "IPv4 comes before IPv6, and an address of the link carries its interface",
    arguments: [
      (["20010db8000000000000000000000001"], "[2001:db8::1]:8009"),
      (["20010db8000000000000000000000001", "0a000001"], "10.0.0.1:8009"),
      (["fe800000000000000000000000000001"], "[fe80::1%wlan0]:8009"),
      (["fe800000000000000000000000000001", "20010db8000000000000000000000001"], "[2001:db8::1]:8009"),
      (["fe800000000000000000000000000001", "a9fe0001"], "169.254.0.1:8009"),
      (["0a000002", "0a000001"], "10.0.0.1:8009"),
      (["7f000001", "0a000001"], "10.0.0.1:8009"), (["e00000fb", "0a000001"], "10.0.0.1:8009"),
    ])
  func addressOrder(addresses: [String], expected: String) {
    var neighbour = DiscoveredNeighbour()
    neighbour.addresses = addresses.map { $0.count == 8 ? .a([UInt8](hex: $0)) : .aaaa([UInt8](hex: $0)) }
    var bench = Bench()
    bench.hear(neighbour.answer())
    #expect(bench.changes == [.found("Kitchen at \(expected)")])
  }

  @Test("an address of this computer itself counts on the loopback interface alone")
  func loopback() {
    var neighbour = DiscoveredNeighbour()
    neighbour.addresses = [.a([127, 0, 0, 1])]
    var bench = Bench(links: [Bench.wifi, Bench.loopback])
    bench.hear(neighbour.answer())
    #expect(bench.changes.isEmpty)
    bench.hear(neighbour.answer(), on: Bench.loopback)
    #expect(bench.changes == [.found("Kitchen at 127.0.0.1:8009")])
  }

  @Test("one speaker of a stereo pair is not shown, and who is no device is told once")
  func notShown() {
    var member = DiscoveredNeighbour(1)
    member.more = ["ca=260"]
    var emulator = DiscoveredNeighbour(2)
    emulator.id = "emulator"
    var bench = Bench()
    for _ in 0..<3 {
      bench.hear(member.answer())
      bench.hear(emulator.answer())
    }
    #expect(bench.changes.isEmpty)
    #expect(bench.notes == [.noDevice(emulator.instance, .malformedIdentity("emulator"))])
    member.more = ["ca=4"]
    bench.hear(member.answer())
    #expect(bench.changes == [.found("Device 1 at 10.0.0.1:8009")])
  }

  @Test("answers nobody asked for leave nothing behind")
  func spoofed() {
    let stranger = DiscoveredNeighbour(7)
    var bench = Bench()
    let count = bench.machine.entryCount
    bench.hear(.response([stranger.place(), stranger.text()] + stranger.hosts()))
    bench.hear(stranger.answer(service: "_airplay._tcp.local"))
    let elsewhere = DNSRecord(
      name: CastServiceRecord.serviceType, data: .ptr("printer._ipp._tcp.local"), timeToLive: 120)
    bench.hear(.response([elsewhere]))
    var question = stranger.answer()
    question.isResponse = false
    bench.hear(question)
    bench.handle(.received([1, 2, 3], on: Bench.wifi))
    #expect(bench.machine.entryCount == count)
    #expect(bench.changes.isEmpty)
    #expect(bench.notes == [.unreadable(.truncated(offset: 2), on: Bench.wifi)])
  }

  @Test("devices come in the order of their names, whatever order they were heard in")
  func order() {
    var generator = SeededGenerator(seed: 5)
    let names = ["alpha", "Beta", "Beta", "gamma", "Ärger", "10", "9"]
    var lists: Set<[String]> = []
    for _ in 0..<10 {
      var bench = Bench()
      for (index, name) in names.enumerated().shuffled(using: &generator) {
        var neighbour = DiscoveredNeighbour(index + 1)
        neighbour.name = name
        bench.hear(neighbour.answer())
      }
      lists.insert(bench.machine.devices.map { "\($0.friendlyName ?? "") \($0.uniqueID?.suffix(1) ?? "")" })
    }
    #expect(lists == [["10 6", "9 7", "alpha 1", "Beta 2", "Beta 3", "gamma 4", "Ärger 5"]])
  }

  @Test("a place is fresh as long as its owner vouches for it")
  func fresh() {
    let neighbour = DiscoveredNeighbour()
    var bench = Bench()
    bench.hear(neighbour.answer(ttl: 30))
    #expect(bench.machine.freshDevice(withUniqueID: neighbour.id, at: bench.now) != nil)
    bench.advance(.seconds(30))
    #expect(bench.machine.freshDevice(withUniqueID: neighbour.id, at: bench.now) == nil)
    #expect(bench.machine.device(withUniqueID: neighbour.id) != nil)
  }

  @Test("a flood of fakes neither grows without end nor drives out a device", arguments: [true, false])
  func flood(isComplete: Bool) {
    let real = DiscoveredNeighbour(1)
    var bench = Bench()
    bench.hear(real.answer())
    var entries = 0
    for number in 2...1500 {
      let fake = DiscoveredNeighbour(number)
      bench.hear(isComplete ? fake.answer(ttl: 2_000_000_000) : .response([fake.pointer(ttl: 2_000_000_000)]))
      if number % 500 == 0 { bench.advance(.milliseconds(10)) }
      entries = max(entries, bench.machine.entryCount)
    }
    #expect(bench.machine.devices.count == (isComplete ? 512 : 1))
    #expect(entries < 512 * 6)
    #expect(bench.machine.device(withUniqueID: real.id) != nil)
    bench.hear(real.answer())
    bench.sent = []
    bench.advance(.seconds(1))
    #expect(bench.sent.count < 200)
    #expect(bench.notes.filter { $0 == .tooManyDevices }.count == (isComplete ? 1 : 0))
    if !isComplete {
      bench.hear(DiscoveredNeighbour(5000).answer())
      #expect(bench.machine.devices.count == 2, "a real one still finds room")
    }
  }

  @Test("a host with hundreds of addresses keeps a few, and a log is not filled")
  func floodOfOne() {
    var neighbour = DiscoveredNeighbour()
    var bench = Bench()
    for number in 0..<500 {
      neighbour.addresses = [.a([10, 1, UInt8(number >> 8), UInt8(number & 255)])]
      neighbour.id = number % 2 == 0 ? DiscoveryPackets.id : "junk \(number)"
      bench.hear(neighbour.answer())
      bench.handle(.received([0], on: Bench.wifi))
    }
    #expect(bench.machine.entryCount < 30)
    #expect(bench.notes.count == 10)
  }

  @Test("damaged answers of any kind leave a machine that still finds devices")
  func damaged() {
    var generator = SeededGenerator(seed: 99)
    var bench = Bench(links: [Bench.wifi, Bench.wifi6])
    for _ in 0..<2000 {
      var bytes = DiscoveryPackets.answer
      generator.mutate(&bytes)
      bench.handle(.received(bytes, on: Bool.random(using: &generator) ? Bench.wifi : Bench.wifi6))
      bench.advance(.milliseconds(20))
    }
    #expect(bench.machine.entryCount < 512 * 40)
    bench.advance(.seconds(8000))
    #expect(bench.machine.entryCount == 3, "two links and a service")
    bench.hear(DiscoveredNeighbour().answer())
    #expect(bench.machine.devices.count == 1)
  }

  /// What stays after each time is seen after a thousand of them; `make endurance` makes ten thousand.
  private static let times = ProcessInfo.processInfo.environment["CASTQ_CYCLES"].flatMap { Int($0) } ?? 1000

  @Test("beginning, finding and ending again and again leave nothing behind")
  func cycles() {
    var bench = Bench()
    var largest = 0
    for number in 0..<Self.times {
      bench.handle(.start(services: [CastServiceRecord.serviceType], pace: .active))
      bench.handle(.linksChanged([Bench.wifi]))
      bench.hear(DiscoveredNeighbour(number % 30 + 1).answer())
      bench.hear(.response([DiscoveredNeighbour(number % 7 + 1).pointer(ttl: 0)]))
      bench.advance(.seconds(5))
      bench.handle(.stop)
      bench.sent = []
      bench.changes = []
      largest = max(largest, bench.machine.entryCount)
      #expect(bench.timer == nil)
    }
    #expect(largest < 200)
    bench.advance(.seconds(200))
    bench.handle(.start(services: [CastServiceRecord.serviceType], pace: .active))
    bench.handle(.linksChanged([]))
    #expect(bench.machine.entryCount == 1, "the service")
  }
}
