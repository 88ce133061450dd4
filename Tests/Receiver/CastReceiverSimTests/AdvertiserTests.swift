import CastMulticast
import CastProtocol
import CastReceiverSim
import NIOCore
import Testing

/// The responder in memory on virtual time.
struct AdvertiserTests {
  private static let instance =
    DNSName("Chromecast-Ultra-5f0ca57100004000a000000000000001._googlecast._tcp.local")

  @Test("a device probes three times, announces itself twice, and tells everything about itself")
  func announcing() throws {
    var air = Air()
    air.start()
    air.run(for: .seconds(5))
    let probes = air.sent.filter { !$0.message.isResponse }
    #expect(probes.count == 3)
    #expect(
      probes.allSatisfy {
        $0.message.questions == [DNSQuestion(name: Self.instance, type: .any, wantsUnicastReply: true)]
      })
    #expect(probes.allSatisfy { $0.message.authorities.count == 2 })
    let announcements = air.sent.filter { $0.message.isResponse }
    #expect(announcements.count == 2)
    #expect(announcements[1].tick - announcements[0].tick >= .seconds(1))
    let records = announcements[0].message.answers
    let host = DNSName("5f0ca571-0000-4000-a000-000000000001.local")
    #expect(
      records.filter { $0.type != .txt } == [
        Air.pointer("_googlecast._tcp.local", to: Self.instance),
        Air.pointer("_CC1AD845._sub._googlecast._tcp.local", to: Self.instance),
        DNSRecord(
          name: Self.instance, data: .srv(priority: 0, weight: 0, port: 8009, target: host), timeToLive: 120,
          flushesCache: true),
        DNSRecord(name: host, data: .a([192, 0, 2, 20]), timeToLive: 120, flushesCache: true),
      ])
    let text = try #require(records.first { $0.type == .txt })
    #expect(text.timeToLive == 4500 && text.flushesCache)
    #expect(
      Air.texts(text) == [
        "id=5f0ca57100004000a000000000000001", "cd=100000000000000A00040000175AC0F5",
        "rm=5F0CA57100004000", "ve=05", "md=Chromecast Ultra", "ic=/setup/icon.png", "fn=Lobby", "ca=4101",
        "st=0", "bs=FA8FCA000001", "nf=1", "rs=",
      ])
  }

  @Test(
    "a question is answered with all that will be asked next",
    arguments: [
      "_googlecast._tcp.local", "_CC1AD845._sub._googlecast._tcp.local",
      "_cc1ad845._SUB._googlecast._tcp.local",
    ])
  func pointers(name: String) {
    var air = Air.running()
    air.hear(Air.query(DNSName(name), .ptr))
    #expect(air.sent.isEmpty)  // others may answer at the same moment
    air.run(for: .milliseconds(120))
    #expect(air.sent.map { $0.message.answers } == [[Air.pointer(name, to: Self.instance)]])
    #expect(air.sent.first?.message.additionals.map(\.type) == [.srv, .txt, .a])
    #expect(air.sent.first?.address == nil)
    #expect(air.sent.allSatisfy { $0.tick - air.mark >= .milliseconds(20) })
  }

  @Test(
    "each kind of record can be asked for alone, and what is not there is not answered",
    arguments: [
      ("_services._dns-sd._udp.local", DNSRecordType.ptr, [DNSRecordType.ptr]),
      (AdvertiserTests.instance.description, .srv, [.srv]),
      (AdvertiserTests.instance.description, .txt, [.txt]),
      (AdvertiserTests.instance.description, .any, [.srv, .txt]),
      ("5F0CA571-0000-4000-a000-000000000001.local", .a, [.a]),
      ("5f0ca571-0000-4000-a000-000000000001.local", .aaaa, []),
      ("_googlecast._tcp.local", .srv, []), ("_233637DE._sub._googlecast._tcp.local", .ptr, []),
      ("_http._tcp.local", .any, []),
      ("_%9E5E7C8F47989526C9BCD95D24084F6F0B27C5ED._sub._googlecast._tcp.local", .ptr, []),
    ] as [(String, DNSRecordType, [DNSRecordType])])
  func kinds(name: String, type: DNSRecordType, expected: [DNSRecordType]) {
    var air = Air.running()
    air.hear(Air.query(DNSName(name), type))
    air.run(for: .seconds(1))
    #expect(air.sent.flatMap { $0.message.answers.map(\.type) } == expected)
  }

  @Test(
    "a question that brings the answer along is not answered, unless that is about to run out",
    arguments: [(120, 0), (60, 0), (59, 1)] as [(UInt32, Int)])
  func knownAnswers(timeToLive: UInt32, answers: Int) {
    var air = Air.running()
    var known = Air.pointer("_googlecast._tcp.local", to: Self.instance)
    known.timeToLive = timeToLive
    air.hear(Air.query("_googlecast._tcp.local", .ptr, known: [known]))
    air.run(for: .seconds(1))
    #expect(air.sent.count == answers)
  }

  @Test("who has more known answers to tell is waited for")
  func truncated() {
    var air = Air.running()
    var query = Air.query("_googlecast._tcp.local", .ptr)
    query.isTruncated = true
    air.hear(query)
    air.run(for: .milliseconds(300))
    #expect(air.sent.isEmpty)
    air.hear(DNSMessage(answers: [Air.pointer("_googlecast._tcp.local", to: Self.instance)]))
    air.run(for: .seconds(2))
    #expect(air.sent.isEmpty)
    air.hear(query)
    air.run(for: .seconds(2))
    #expect(air.sent.count == 1)
  }

  @Test("nobody can make it keep questions without end")
  func truncatedFlood() {
    var air = Air.running()
    var query = Air.query("_googlecast._tcp.local", .ptr)
    query.isTruncated = true
    for number in 0..<1000 { air.hear(query, from: "192.0.2.\(number % 250)", port: 5353) }
    for _ in 0..<1000 {
      air.hear(DNSMessage(answers: (0..<30).map { Air.pointer("_\($0)._tcp.local", to: Self.instance) }))
    }
    air.run(for: .seconds(3))
    // Those there was no room for are answered at once, and all of them hear the same.
    #expect((1...3).contains(air.sent.count))
  }

  @Test("who asks for it is answered alone and at once; the others hear what they have not heard for long")
  func unicast() {
    var air = Air.running()
    let query = Air.query("_googlecast._tcp.local", .ptr, unicast: true)
    air.hear(query)
    #expect(air.sent.map { $0.address } == [Air.asker(5353)])
    air.run(for: .seconds(1))
    #expect(air.sent.count == 1)
    air.run(for: .seconds(30))
    air.hear(query)
    air.run(for: .seconds(1))
    #expect(air.sent.map { $0.address } == [Air.asker(5353), Air.asker(5353), nil])
  }

  @Test("an ordinary resolver is answered as by an ordinary server")
  func legacy() throws {
    var air = Air.running()
    var query = Air.query("_googlecast._tcp.local", .ptr)
    query.id = 4711
    air.hear(query, port: 40_000)
    let reply = try #require(air.sent.first)
    #expect(air.sent.count == 1 && reply.address == Air.asker(40_000))
    #expect(reply.message.id == 4711 && reply.message.questions == query.questions)
    let records = reply.message.answers + reply.message.additionals
    #expect(records.map(\.type) == [.ptr, .srv, .txt, .a])
    #expect(records.allSatisfy { $0.timeToLive == 10 && !$0.flushesCache })
  }

  @Test("nothing is said twice to everybody within a second")
  func repetition() {
    var air = Air.running()
    for _ in 0..<5 {
      air.hear(Air.query(Self.instance, .srv))
      air.run(for: .milliseconds(100))
    }
    #expect(air.sent.count == 1)
    air.run(for: .milliseconds(499))
    #expect(air.sent.count == 1)
    air.run(for: .milliseconds(1))
    #expect(air.sent.count == 2)
  }

  @Test("an application that starts or ends is told twice, with its text and its namespaces")
  func application() {
    var air = Air.running()
    air.update {
      $0.isBusy = true
      $0.statusText = "Default Media Receiver"
      $0.namespaceHashes = ["9E5E7C8F47989526C9BCD95D24084F6F0B27C5ED"]
    }
    let subtype = "_%9E5E7C8F47989526C9BCD95D24084F6F0B27C5ED._sub._googlecast._tcp.local"
    #expect(air.sent.flatMap { $0.message.answers.map(\.type) } == [.ptr, .txt])
    air.run(for: .seconds(2))
    #expect(air.sent.flatMap { $0.message.answers.map(\.type) } == [.ptr, .txt, .ptr, .txt])
    #expect(air.sent.last.map { $0.tick - air.mark >= .seconds(1) } == true)
    let texts = air.sent.map { $0.message.answers.flatMap(Air.texts) }
    #expect(texts.allSatisfy { $0.contains("st=1") && $0.contains("rs=Default Media Receiver") })
    air.hear(Air.query(DNSName(subtype), .ptr))
    air.run(for: .seconds(2))
    #expect(air.sent.last?.message.answers == [Air.pointer(subtype, to: Self.instance)])
    air.update {
      $0.isBusy = false
      $0.statusText = ""
      $0.namespaceHashes = []
    }
    let last = air.sent.suffix(2).map { $0.message.answers }
    #expect(last.first?.map(\.timeToLive) == [0] && last.first?.first?.name == DNSName(subtype))
    #expect(last.last.map { $0.flatMap(Air.texts).contains("st=0") } == true)
    let count = air.sent.count
    air.update { $0.isBusy = false }
    #expect(air.sent.count == count)
  }

  @Test("news in the middle of the announcements are said again a second later")
  func newsWhileAnnouncing() {
    var air = Air()
    air.start()
    while air.sent.last?.message.isResponse != true { air.run(for: .milliseconds(10)) }
    air.run(for: .milliseconds(500))
    let change = air.now
    air.update { $0.isBusy = true }
    air.run(for: .seconds(5))
    let last = air.sent.last { $0.message.answers.contains { Air.texts($0).contains("st=1") } }
    #expect(last.map { $0.tick - change >= .seconds(1) } == true)
  }

  @Test("a device that moves to another port tells its place at once, under the same name")
  func moving() {
    var air = Air.running()
    air.update { $0.port = 32_187 }
    #expect(air.sent.count == 1)
    let answers = air.sent.first?.message.answers ?? []
    #expect(answers.first?.name == Self.instance)
    #expect(answers.contains { if case .srv(_, _, 32_187, _) = $0.data { true } else { false } })
    #expect(answers.allSatisfy { $0.flushesCache })
  }

  @Test("a device with another address announces everything anew")
  func readdressing() {
    var air = Air.running()
    air.handle(.placesChanged([.init(link: Air.link, addresses: [[192, 0, 2, 99]])]))
    air.run(for: .seconds(2))
    let announced = air.sent.filter { $0.message.answers.contains { $0.data == .a([192, 0, 2, 99]) } }
    #expect(announced.count == 2)
  }

  @Test("a goodbye takes everything back, and nothing is said after it")
  func goodbye() {
    var air = Air.running()
    air.hear(Air.query("_googlecast._tcp.local", .ptr))
    air.handle(.stop)
    #expect(air.sent.count == 1)
    #expect(air.sent.first?.message.answers.map(\.type) == [.ptr, .ptr, .srv, .txt, .a])
    #expect(air.sent.first?.message.answers.allSatisfy { $0.timeToLive == 0 } == true)
    air.hear(Air.query("_googlecast._tcp.local", .ptr))
    air.run(for: .seconds(5))
    #expect(air.sent.count == 1)
  }

  @Test("a device without power says nothing, and announces itself when it has it back")
  func silence() {
    var air = Air.running()
    air.handle(.silence(true))
    air.hear(Air.query("_googlecast._tcp.local", .ptr))
    air.update { $0.port = 1 }
    air.run(for: .seconds(5))
    #expect(air.sent.isEmpty)
    air.handle(.silence(false))
    air.run(for: .seconds(5))
    #expect(air.sent.filter { $0.message.isResponse }.count == 2)
  }

  @Test("a name that another device has gets a number behind it")
  func conflict() {
    var air = Air()
    air.start()
    air.run(for: .milliseconds(300))
    air.hear(.response([Air.service(of: Self.instance)]))
    air.run(for: .seconds(5))
    #expect(air.machine.instanceName.hasSuffix("0001-1"))
    let renamed = DNSName("\(air.machine.instanceName)._googlecast._tcp.local")
    #expect(air.sent.last?.message.answers.first == Air.pointer("_googlecast._tcp.local", to: renamed))
    // The other one goes on saying what is not ours any more.
    air.hear(.response([Air.service(of: Self.instance)]))
    air.run(for: .seconds(5))
    #expect(air.machine.instanceName.hasSuffix("0001-1"))
  }

  @Test("who loses a name it has asks again, and gives it up only when it is defended")
  func lateConflict() {
    var air = Air.running()
    air.hear(.response([Air.service(of: Self.instance)]))
    air.run(for: .milliseconds(10))
    #expect(air.sent.map { $0.message.isResponse } == [false])
    air.run(for: .seconds(5))
    #expect(!air.machine.instanceName.hasSuffix("-1"))
  }

  @Test("of two that probe at the same time the later in the alphabet wins", arguments: [true, false])
  func tie(weLose: Bool) {
    var air = Air()
    air.start()
    air.run(for: .milliseconds(300))
    let before = air.sent.count
    var probe = Air.query(Self.instance, .any)
    let text = DNSRecord(
      name: Self.instance, data: .txt([[UInt8](repeating: 97, count: weLose ? 200 : 1)]), timeToLive: 4500)
    probe.authorities = [Air.service(of: Self.instance), text]
    air.hear(probe)
    air.run(for: .milliseconds(900))
    #expect((air.sent.count == before) == weLose)
    air.run(for: .seconds(5))
    #expect(air.sent.last?.message.isResponse == true)
  }

  @Test("a device whose own words come back does not fight itself")
  func echo() {
    var air = Air()
    air.echoes = true
    air.start()
    air.run(for: .seconds(5))
    air.update { $0.port = 9 }
    air.run(for: .seconds(5))
    #expect(air.machine.instanceName.hasSuffix("0001"))
    #expect(air.sent.count == 7)
  }

  @Test("a second device with all the same is told apart by its number, wherever the fight is begun")
  func twins() {
    var first = Air()
    var second = Air(port: 8010, seed: 2)
    first.start()
    second.start()
    for _ in 0..<3000 {
      let (ours, theirs) = (first.sent.count, second.sent.count)
      first.run(for: .milliseconds(5))
      second.run(for: .milliseconds(5))
      for sent in first.sent[ours...] { second.hear(sent.message, from: "192.0.2.20", port: 5353) }
      for sent in second.sent[theirs...] { first.hear(sent.message, from: "192.0.2.20", port: 5353) }
    }
    let names = Set([first, second].map { $0.machine.instanceName.suffix(6) })
    #expect(names == ["000001", "0001-1"])
  }

  @Test("bytes that are no DNS, and answers to nobody, change nothing")
  func noise() {
    var air = Air.running()
    for bytes in [[], [0], [UInt8](repeating: 0xFF, count: 9000), [UInt8](repeating: 0, count: 12)] {
      air.handle(.received(bytes, on: Air.link, from: Air.asker(5353)))
    }
    air.hear(Air.query("_googlecast._tcp.local", .ptr), on: Air.otherLink)
    air.run(for: .seconds(5))
    #expect(air.sent.isEmpty)
  }

  @Test("names that do not fit are cut between characters")
  func longNames() throws {
    var air = Air(model: "Ⅰ Ⅱ Ⅲ Ⅳ Ⅴ Ⅵ Ⅶ Ⅷ", name: String(repeating: "ö", count: 400))
    air.start()
    air.run(for: .seconds(5))
    #expect(air.machine.instanceName == "Ⅰ-Ⅱ-Ⅲ-Ⅳ-Ⅴ--5f0ca57100004000a000000000000001")
    let text = try #require(air.sent.last?.message.answers.first { $0.type == .txt })
    #expect(Air.texts(text).contains("fn=" + String(repeating: "ö", count: 126)))
  }
}
