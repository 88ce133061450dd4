import CastProtocol
import Testing

@Suite("When and what discovery asks")
struct DiscoveryAskingTests {
  typealias Bench = DiscoveryBench

  @Test(
    "it asks at once, then after 1, 2, 4 s, up to the limit of its pace",
    arguments: [
      (DiscoveryPace.active, 46, [0, 1, 3, 7, 15, 25, 35, 45]),
      (.passive, 130, [0, 1, 3, 7, 15, 31, 63, 127]), (.once, 3600, [0, 1, 3]),
    ])
  func schedule(pace: DiscoveryPace, seconds: Int, expected: [Double]) {
    var bench = Bench(pace: pace)
    bench.advance(.seconds(seconds))
    #expect(bench.times() == expected)
    #expect(bench.sent.map { $0.message.questions[0].wantsUnicastReply }.prefix(2) == [true, false])
    #expect(bench.sent.dropFirst().allSatisfy { !$0.message.questions[0].wantsUnicastReply })
    #expect(bench.sent.allSatisfy { !$0.message.isResponse && $0.message.questions.count == 1 })
  }

  @Test("at the slowest it asks once an hour")
  func slowest() {
    var bench = Bench(pace: .passive)
    bench.advance(.seconds(5 * 3600))
    let times = bench.times()
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(intervals.max() == 3600 && intervals.last == 3600)
  }

  @Test("the answer to the first question makes a device, and what it says of itself is all there")
  func firstAnswer() {
    var bench = Bench()
    bench.handle(.received(DiscoveryPackets.answer, on: Bench.wifi))
    #expect(bench.changes == [.found("Wohnzimmer at 192.168.1.20:8009")])
    #expect(bench.machine.devices.map(\.modelName) == ["Chromecast Ultra"])
    bench.advance(.seconds(10))
    #expect(bench.sent.allSatisfy { $0.message.questions.map(\.type) == [.ptr] }, "nothing was lacking")
  }

  @Test("subtypes are asked for, and only who answers to one of them is found, once")
  func subtypes() {
    let application = CastServiceRecord.subtype(applicationID: "CC1AD845")
    let namespace = CastServiceRecord.subtype(namespaceHash: "9E5E7C8F47989526C9BCD95D24084F6F0B27C5ED")
    var bench = Bench(services: [application, namespace, application])
    #expect(bench.sent.first?.message.questions.map(\.name) == [application, namespace])
    bench.hear(DiscoveredNeighbour().answer())
    #expect(bench.changes.isEmpty, "nobody asked for the service itself")
    bench.hear(DiscoveredNeighbour().answer(service: application))
    bench.hear(DiscoveredNeighbour().answer(service: namespace))
    #expect(bench.changes == [.found("Kitchen at 192.168.1.20:8009")])
    bench.hear(.response([DiscoveredNeighbour().pointer(application, ttl: 0)]))
    bench.advance(.seconds(2))
    #expect(bench.changes.count == 1, "it still answers to the other name")
    bench.hear(.response([DiscoveredNeighbour().pointer(namespace, ttl: 0)]))
    bench.advance(.seconds(2))
    #expect(bench.changes.last == .lost("Kitchen at 192.168.1.20:8009"))
  }

  @Test("when listing all devices, an answer to the name of a subtype is not looked at")
  func subtypeAnswers() {
    var bench = Bench()
    bench.hear(DiscoveredNeighbour().answer(service: CastServiceRecord.subtype(applicationID: "CC1AD845")))
    #expect(bench.changes.isEmpty)
  }

  @Test("what is known for less than half of its time is told with the question, and not on other links")
  func knownAnswers() throws {
    var bench = Bench(links: [Bench.wifi, Bench.cable])
    bench.hear(DiscoveredNeighbour().answer())
    bench.advance(.seconds(66))
    let wifi = bench.sent.filter {
      $0.link == Bench.wifi && $0.message.questions.contains { $0.type == .ptr }
    }
    for packet in wifi.dropFirst() {
      let known = packet.message.answers
      #expect(known.count == (packet.at <= .seconds(60) ? 1 : 0), "at \(packet.at)")
      for answer in known {
        #expect(answer.data == .ptr(DiscoveredNeighbour().instance))
        #expect(answer.timeToLive == UInt32(120 - Int(packet.at.seconds)))
      }
    }
    #expect(bench.sent.filter { $0.link == Bench.cable }.allSatisfy { $0.message.answers.isEmpty })
  }

  @Test("known answers that do not fit go on in further packets, each within its limit")
  func manyKnownAnswers() throws {
    var bench = Bench()
    for number in 1...200 { bench.hear(DiscoveredNeighbour(number).answer()) }
    bench.sent = []
    bench.advance(.seconds(1))
    let packets = bench.sent.map(\.message)
    #expect(packets.count > 5)
    #expect(packets.map(\.isTruncated) == packets.indices.map { $0 < packets.count - 1 })
    #expect(packets.map(\.questions.count) == packets.indices.map { $0 == 0 ? 1 : 0 })
    let told = packets.flatMap(\.answers).map(\.data)
    #expect(told == (1...200).map { .ptr(DiscoveredNeighbour($0).instance) })
    let lengths = try packets.map { try $0.encoded().count }
    #expect(lengths.dropLast().allSatisfy { $0 > 1000 })
  }

  @Test("what an answer lacks is asked for: after a moment, and four times at most")
  func followUps() {
    let neighbour = DiscoveredNeighbour()
    var bench = Bench()
    bench.hear(.response([neighbour.pointer(ttl: 4500)]))
    bench.advance(.seconds(60))
    #expect(bench.times(neighbour.instance, .srv) == [0.1, 1.1, 3.1, 7.1])
    #expect(bench.times(neighbour.instance, .txt) == [0.1, 1.1, 3.1, 7.1])
    let asked = bench.sent.filter { $0.message.questions.contains { $0.type == .srv } }
    #expect(
      asked.map { $0.message.questions.allSatisfy { $0.wantsUnicastReply } } == [true, false, false, false])
    #expect(bench.changes.isEmpty)
  }

  @Test("records that come one by one make a device as soon as the last is there")
  func piecemeal() {
    let neighbour = DiscoveredNeighbour()
    var bench = Bench()
    bench.responder = { message, _ in
      message.questions.compactMap { question in
        let records = [neighbour.pointer(), neighbour.place(), neighbour.text()] + neighbour.hosts()
        return records.first { question.name == $0.name && [$0.type, .any].contains(question.type) }
          .map { .response([$0]) }
      }
    }
    bench.advance(.seconds(1))
    bench.advance(.milliseconds(150))
    #expect(bench.times(neighbour.instance, .srv) == [1.1])
    bench.advance(.seconds(1))
    #expect(bench.times(neighbour.host, .a).count == 1)
    #expect(bench.changes == [.found("Kitchen at 192.168.1.20:8009")])
  }

  @Test("near the end of their time records are asked for again, and the answer keeps the device")
  func refresh() {
    let neighbour = DiscoveredNeighbour()
    var bench = Bench(pace: .passive)
    bench.advance(.seconds(200))
    bench.hear(neighbour.answer())
    bench.sent = []
    bench.advance(.seconds(119))
    #expect(bench.times(neighbour.instance, .srv) == [296, 302, 308, 314])
    #expect(bench.times(neighbour.instance, .txt) == [296, 302, 308, 314])
    #expect(bench.times(neighbour.host, .a) == [296, 302, 308, 314])
    #expect(bench.times().filter { $0 != 255 } == [296, 302, 308, 314])
    bench.hear(neighbour.answer())
    bench.advance(.seconds(110))
    #expect(bench.changes == [.found("Kitchen at 192.168.1.20:8009")])
  }

  @Test("what is looked for once is not asked for again")
  func onceWithoutRefresh() {
    var bench = Bench(pace: .once)
    bench.hear(DiscoveredNeighbour().answer())
    bench.advance(.seconds(119))
    #expect(bench.sent.count == 3)
    bench.advance(.seconds(2))
    #expect(bench.changes.last == .lost("Kitchen at 192.168.1.20:8009"))
    #expect(bench.timer == nil)
  }

  @Test("who waits for a device makes it ask at once for all that tells where it is, once a second")
  func lookFor() {
    let neighbour = DiscoveredNeighbour()
    var bench = Bench(pace: .passive)
    bench.hear(neighbour.answer())
    bench.advance(.seconds(50))
    bench.sent = []
    for _ in 0..<5 { bench.handle(.lookFor(uniqueID: neighbour.id)) }
    #expect(bench.times() == [50])
    #expect(bench.times(neighbour.instance, .srv) == [50])
    #expect(bench.times(neighbour.host, .a) == [50])
    bench.advance(.seconds(2))
    bench.hear(neighbour.answer())
    bench.hear(neighbour.answer())
    #expect(
      bench.changes
        == [.found("Kitchen at 192.168.1.20:8009"), .heard("Kitchen at 192.168.1.20:8009")])
    bench.advance(.seconds(2))
    #expect(bench.times() == [50, 51, 53])
    bench.handle(.lookFor(uniqueID: "unknown"))
    #expect(bench.times() == [50, 51, 53, 54])
  }

  @Test("a name that nobody can be asked for is left out, and said")
  func unsendable() {
    let long = CastServiceRecord.subtype(applicationID: String(repeating: "A", count: 80))
    let bench = Bench(services: [long, CastServiceRecord.serviceType])
    #expect(bench.sent.first?.message.questions.map(\.name) == [CastServiceRecord.serviceType])
    #expect(bench.notes == [.unsendable(.invalidName(long))])
  }

  @Test("interfaces that appear are asked on at once, those that vanish take their devices with them")
  func interfaces() {
    var bench = Bench(links: [])
    #expect(bench.sent.isEmpty)
    bench.advance(.seconds(30))
    bench.handle(.linksChanged([Bench.cable]))
    #expect(bench.times() == [30])
    #expect(bench.sent[0].message.questions[0].wantsUnicastReply)
    bench.advance(.seconds(2))
    bench.handle(.linksChanged([Bench.cable, Bench.wifi]))
    #expect(bench.sent.last?.link == Bench.wifi)
    #expect(bench.sent.last?.message.questions[0].wantsUnicastReply == true)
    bench.hear(DiscoveredNeighbour(1).answer(), on: Bench.wifi)
    bench.hear(DiscoveredNeighbour(2).answer(), on: Bench.cable)
    bench.hear(DiscoveredNeighbour(3).answer(), on: Bench.cable)
    bench.hear(DiscoveredNeighbour(3).answer(), on: Bench.wifi)
    bench.handle(.linksChanged([Bench.wifi]))
    #expect(bench.machine.devices.map(\.friendlyName) == ["Device 1", "Device 3"])
    #expect(bench.changes.last == .lost("Device 2 at 10.0.0.2:8009"))
    bench.hear(DiscoveredNeighbour(2).answer(), on: Bench.cable)
    #expect(bench.machine.devices.count == 2, "nothing is heard on an interface that is gone")
  }

  @Test("who stops hears and asks nothing more; who begins again still knows what is not too old")
  func stopAndStart() {
    var bench = Bench()
    bench.hear(DiscoveredNeighbour(1).answer())
    bench.hear(DiscoveredNeighbour(2).answer(ttl: 1000))
    bench.handle(.stop)
    bench.sent = []
    bench.advance(.seconds(130))
    bench.hear(DiscoveredNeighbour(3).answer())
    #expect(bench.sent.isEmpty && bench.timer == nil)
    #expect(bench.machine.devices.count == 2)
    bench.handle(.start(services: [CastServiceRecord.serviceType], pace: .active))
    #expect(bench.machine.devices.map(\.friendlyName) == ["Device 2"])
    #expect(bench.changes.last == .lost("Device 1 at 10.0.0.1:8009"))
    bench.handle(.linksChanged([Bench.wifi]))
    #expect(bench.times() == [130])
  }
}
