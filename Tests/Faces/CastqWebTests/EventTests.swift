import CastProtocol
import Testing
@testable import CastqOperations
@testable import CastqWeb

@Suite("What waits for a reader of the events")
struct EventReaderTests {
  private func status(_ number: UInt64, _ device: String) -> WebEvent {
    WebEvent(
      number,
      .status(device: WatchedDevice(id: device == "a" ? 1 : 2, label: device), ["n": .integer(Int64(number))])
    )
  }

  @Test("a slow reader has one slot for each topic and device: the latest wins")
  func latest() {
    var reader = EventReader(topics: ["status", "queue"])
    for number in 1...1000 { reader.receive(status(UInt64(number), number.isMultiple(of: 2) ? "a" : "b")) }
    reader.receive(WebEvent(1001, .queue(device: WatchedDevice(id: 1, label: "a"), [:])))
    #expect(reader.take().events.map(\.sequence) == [999, 1000, 1001])
    #expect(reader.isEmpty)
  }

  @Test("what happened is never replaced, and comes in its order")
  func history() {
    var reader = EventReader(topics: ["history", "status"])
    for number in 1...10 {
      reader.receive(WebEvent(UInt64(number * 2), .history(["play": .integer(Int64(number))])))
      reader.receive(status(UInt64(number * 2 + 1), "a"))
    }
    #expect(reader.take().events.map(\.sequence) == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 21])
  }

  @Test("a reader that has stopped costs a bounded space, and is told to read again")
  func bounded() {
    var reader = EventReader(topics: ["history"])
    for number in 1...10_000 { reader.receive(WebEvent(UInt64(number), .history([:]))) }
    let taken = reader.take()
    #expect(taken.isReset && taken.events.count <= EventReader.most)
  }

  @Test("only what was asked for comes, and the outcome of one's own requests always")
  func topics() {
    var reader = EventReader(topics: ["plan"], devices: ["a"])
    reader.receive(status(1, "a"))
    reader.receive(WebEvent(2, .plan([:])))
    reader.receive(WebEvent(3, .outcome([:], device: nil, asker: nil)))
    #expect(reader.take().events.map(\.topic) == ["plan", "outcome"])
    var other = EventReader(topics: ["status"], devices: ["a"])
    other.receive(status(1, "b"))
    #expect(other.isEmpty)
  }

  @Test("the outcome of a request comes to who made it, and to a stream of other devices not")
  func audience() {
    let anna = WebToken(name: "anna", role: .operate, hash: "1", madeAt: "")
    let desk = WebToken(name: "desk", role: .look, hash: "2", madeAt: "")
    let device = WatchedDevice(id: 0, label: "Big TV", names: ["a"])
    for (token, devices, isHers): (WebToken?, Set<String>?, Bool) in [
      (anna, nil, true), (anna, ["a"], true), (anna, ["big tv"], true), (anna, ["b"], false),
      (desk, nil, false), (nil, nil, false),
    ] {
      var reader = EventReader(
        topics: ["status"], devices: devices, visitor: WebVisitor(role: .look, token: token))
      reader.receive(WebEvent(1, .outcome([:], device: device, asker: anna)))
      #expect(reader.isEmpty != isHers, "\(token?.name ?? "-") \(devices ?? [])")
    }
  }

  @Test(
    "the ring gives what came after a place, and nothing when that is not all of it",
    arguments: [(0, 10, nil), (5, 10, nil), (6, 10, 4), (10, 10, 0), (11, 10, nil)]
      as [(UInt64, UInt64, Int?)])
  func ring(_ after: UInt64, _ last: UInt64, _ count: Int?) {
    var ring = EventRing(capacity: 4)
    for number in 1...last { ring.append(status(number, "a")) }
    let events = ring.events(after: after, last: last)
    #expect(events?.count == count)
    #expect(events?.map(\.sequence) == count.map { $0 == 0 ? [] : Array(after + 1...last) })
  }
}

@Suite("The stream of events", .timeLimit(.minutes(10)))
struct EventStreamTests {
  private static func request(_ query: String = "", _ fields: String = "") -> String {
    "GET /api/v1/events\(query) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
  }

  private func read(
    _ stage: WebStage, _ query: String = "", _ fields: String = "", until words: String
  ) async throws -> String {
    try await RawConnection(stage.port).read(Self.request(query, fields)) { $0.contains(words) }
  }

  @Test("begins with hello: the time, the boot, and how soon to come back")
  func hello() async throws {
    try await WebStage.with { stage in
      let text = try await read(stage, until: "\"version\"")
      #expect(text.contains("text/event-stream") && text.contains("retry: 1000"))
      #expect(text.contains("event: hello") && text.contains("\"at\":\"20"))
      #expect(text.contains("\"boot\":\"\(stage.site.hub.boot)\""))
    }
  }

  @Test("whoever comes back gets what was missed, once")
  func resumption() async throws {
    try await WebStage.with { stage in
      let hub = stage.site.hub
      for number in 1...5 { await hub.publish(.history(["play": .integer(Int64(number))])) }
      let text = try await read(
        stage, "?topics=history", "Last-Event-ID: \(hub.boot)-3\r\n", until: "\"play\":5}\n\n")
      #expect(!text.contains("\"play\":3}") && text.contains("\"play\":4}") && text.contains("\"play\":5}"))
      #expect(!text.contains("event: reset"))
    }
  }

  @Test(
    "a place of another boot, one that is too old, and one that is none are answered with reset",
    arguments: ["other-3", "BOOT-1", "nonsense", "BOOT-99999"])
  func reset(_ id: String) async throws {
    try await WebStage.with { stage in
      let hub = stage.site.hub
      for number in 1...5000 { await hub.publish(.history(["play": .integer(Int64(number))])) }
      await hub.publish(.health(["daemon": true]))
      let field = "Last-Event-ID: \(id.replacing("BOOT", with: hub.boot))\r\n"
      let text = try await read(stage, "", field, until: "event: health")
      #expect(text.contains("event: reset"))
    }
  }

  @Test("a new reader gets what is, and not what was")
  func present() async throws {
    try await WebStage.with { stage in
      let hub = stage.site.hub
      for number in 1...3 {
        await hub.publish(
          .status(device: WatchedDevice(id: 1, label: "lobby"), ["n": .integer(Int64(number))]))
      }
      let text = try await read(stage, until: "event: status")
      #expect(text.contains("{\"n\":3}") && !text.contains("{\"n\":2}"))
    }
  }

  @Test("what is has the place where a new reader begins: coming back, it gets nothing older")
  func presentPlace() async throws {
    try await WebStage.with { stage in
      let hub = stage.site.hub
      await hub.publish(.status(device: WatchedDevice(id: 1, label: "lobby"), ["n": 1]))
      for number in 1...2 { await hub.publish(.history(["play": .integer(Int64(number))])) }
      let text = try await read(stage, until: "{\"n\":1}\n\n")
      #expect(text.contains("id: \(hub.boot)-3\nevent: status") && !text.contains("\(hub.boot)-1\n"))
    }
  }

  @Test(
    "a stream of a device that nobody has, or with a parameter that nothing reads, is refused",
    arguments: [("?device=nowhere", 404), ("?device=lobby&device=nowhere", 404), ("?bogus=1", 400)])
  func refused(_ query: String, _ status: Int) async throws {
    try await WebStage.with { stage in
      let reply = try await stage.ask("GET", "/api/v1/events\(query)")
      #expect(reply.status == status)
    }
  }

  @Test("the outcome of a request that was answered with 202 is an event with its number")
  func outcome() async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("POST", Attempt.commands, json: Attempt.pause)
      #expect(answer.status == 202)
      let number = try #require(try JSONValue(parsing: answer.body)["request"]?.string)
      let hub = stage.site.hub
      let text = try await read(
        stage, "?topics=plan", "Last-Event-ID: \(hub.boot)-0\r\n", until: "event: outcome")
      #expect(text.contains(number))
    }
  }

  @Test("how far an announcement is on each screen is said before its outcome, to whoever made it alone")
  func progress() async throws {
    try await WebStage.with { stage in
      stage.documents.go(through: ["waiting", "on"].map { ["announced": [["device": "bar", "state": $0]]] })
      let body = #"{"source":"http://a.b/c","devices":["bar"]}"#
      let answer = try await stage.ask("POST", "/api/v1/announcements", json: body)
      let number = try #require(try JSONValue(parsing: answer.body)["request"]?.string)
      let id = "Last-Event-ID: \(stage.site.hub.boot)-0\r\n"
      let text = try await read(stage, "?topics=plan", id, until: "event: outcome")
      let steps = text.split(separator: "event: progress").dropFirst()
      #expect(steps.count == 2 && steps.allSatisfy { $0.contains("\"request\":\"\(number)\"") })
      #expect(steps.first?.contains("waiting") == true && steps.last?.contains("\"on\"") == true)
    }
    let news = WatchNews.progress([:], asker: WebToken(name: "anna", role: .operate, hash: "1", madeAt: ""))
    var (own, other) = (EventReader(topics: ["plan"]), EventReader(topics: ["plan"]))
    own.receive(WebEvent(1, .progress([:], asker: nil)))
    other.receive(WebEvent(2, news))
    #expect(!own.isEmpty && other.isEmpty)
  }

  @Test("an announcement that a screen has not shown is not done: its outcome has the error and the result")
  func partialOutcome() async throws {
    try await WebStage.with { stage in
      stage.documents.answer([
        "announced": [["device": "bar", "shown": false]],
        "error": ["code": "not_shown", "message": "not shown on bar: it has quiet hours", "exit": 69],
      ])
      let body = #"{"source":"http://a.b/c","devices":["bar"]}"#
      #expect(try await stage.ask("POST", "/api/v1/announcements", json: body).status == 202)
      let id = "Last-Event-ID: \(stage.site.hub.boot)-0\r\n"
      let text = try await read(stage, "?topics=plan", id, until: "\"verb\":\"announce\"}")
      #expect(text.contains("\"done\":false") && text.contains("not shown on bar: it has quiet hours"))
      #expect(text.contains("\"announced\":[{"))
    }
  }

  @Test("readers that do not read hold nobody up")
  func stopped() async throws {
    try await WebStage.with { stage in
      let hub = stage.site.hub
      let text = String(repeating: "x", count: 10_000)
      try await withThrowingTaskGroup(of: Void.self) { group in
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<10 {
          group.addTask {
            try await RawConnection(stage.port).stall(Self.request(), after: "event: hello") { begin.yield() }
          }
        }
        let (greeted, greet) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
          try await RawConnection(stage.port).read(Self.request("?device=lobby")) { text in
            if text.contains("event: hello") { greet.yield() }
            return text.contains("\"n\":400")
          }
        }
        for await _ in begun.prefix(10) {}
        for await _ in greeted.prefix(1) {}
        for number in 1...400 {
          await hub.publish(
            .status(
              device: WatchedDevice(id: 1, label: "lobby"),
              ["n": .integer(Int64(number)), "text": .string(text)])
          )
        }
        let received = try await reading.value
        #expect(received.contains("\"n\":400"))
        group.cancelAll()
      }
    }
  }

  @Test("somebody looks as long as a stream is open")
  func interest() async throws {
    try await WebStage.with { stage in
      var interests = stage.documents.interests.makeAsyncIterator()
      let request = Self.request("?topics=status&device=lobby")
      let stream = Task { try await RawConnection(stage.port).stall(request, after: "event: hello") {} }
      while let interest = await interests.next(), interest != .devices(["lobby"]) {}
      stream.cancel()
      while let interest = await interests.next(), interest != .devices([]) {}
      #expect(await stage.site.hub.count == 0)
    }
  }

  @Test("there are only so many streams: 503, and later one is free again")
  func limit() async throws {
    try await WebStage.with {
      $0.limits.streams = 0
    } _: { stage in
      let answer = try await stage.ask("GET", "/api/v1/events")
      #expect(answer.status == 503 && answer.fields["retry-after"] != nil)
    }
  }
}
