import CastProtocol
import CastSender
import CastqOperations

/// Gives what happens to everybody who listens. Nobody waits for anybody: a reader takes what is there when it can.
actor EventHub {
  /// Tells one start of the server from another in the ids of events.
  nonisolated let boot = String(UInt64.random(in: 0...UInt64.max), radix: 36)
  private let documents: any WebDocuments
  private let limit: Int
  private let time: TimeSource
  private var ring = EventRing()
  private var last: UInt64 = 0
  private var readers: [Int: Reader] = [:]
  private var number = 0
  /// The newest of what is, for those who come new.
  private var present: [String: WebEvent] = [:]
  private let (watched, watch) = AsyncStream.makeStream(
    of: WatchInterest.self, bufferingPolicy: .bufferingNewest(1))
  /// Events that slow readers did not get.
  private(set) var dropped = 0

  private struct Reader {
    var waiting: EventReader
    var wake: CheckedContinuation<Void, Never>?
  }

  /// Has a reader read everything again, as the stream has it.
  static let reset = "event: reset\ndata: {}\n\n"
  /// Time between comments.
  private static let beat = Duration.seconds(15)

  init(documents: any WebDocuments, limit: Int, time: TimeSource) {
    self.documents = documents
    self.time = time
    self.limit = limit
  }

  /// The number of readers.
  var count: Int { readers.count }

  /// Follows what happens until the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [documents, watched] in
        for await news in documents.news(watching: watched) { await self.publish(news) }
      }
      group.addTask { [time] in
        while (try? await time.sleep(Self.beat)) != nil { await self.comment() }
      }
    }
  }

  /// Gives news to all readers.
  func publish(_ news: WatchNews) {
    last += 1
    if case .devices = news { return resetAll() }
    let event = WebEvent(last, news)
    ring.append(event)
    if event.isReplaceable { present["\(event.topic) \(event.device?.id ?? 0)"] = event }
    for key in readers.keys {
      dropped += readers[key]?.waiting.receive(event) ?? 0
      wake(key)
    }
  }

  /// Has all readers read everything again, also those that come back. What is of devices is said anew.
  private func resetAll() {
    ring = EventRing()
    present = present.filter { $0.value.device == nil }
    for key in readers.keys {
      readers[key]?.waiting.reset()
      wake(key)
    }
  }

  private func comment() {
    for key in readers.keys {
      readers[key]?.waiting.comment()
      wake(key)
    }
  }

  private func wake(_ key: Int) {
    guard readers[key]?.waiting.isEmpty == false, let continuation = readers[key]?.wake else { return }
    readers[key]?.wake = nil
    continuation.resume()
  }

  // MARK: - Readers

  /// Adds a reader.
  /// - Parameter lastID: where it was; nil gives it what is now.
  /// - Returns: its number, and the id to begin with; nil when there are too many.
  func join(_ reader: EventReader, after lastID: String?) -> (number: Int, id: String)? {
    guard readers.count < limit else { return nil }
    var reader = reader
    var begin = last
    if let lastID {
      if let place = WebEvent.place(lastID), place.boot == boot,
        let missed = ring.events(after: place.sequence, last: last)
      {
        begin = place.sequence
        for event in missed { reader.receive(event) }
      } else {
        reader.reset()
        givePresent(to: &reader)
      }
    } else {
      givePresent(to: &reader)
    }
    number += 1
    readers[number] = Reader(waiting: reader)
    publishInterest()
    return (number, "\(boot)-\(begin)")
  }

  /// Gives a new reader what is, at the place where it begins: by an older one it would get, when it comes back, what was before it came.
  private func givePresent(to reader: inout EventReader) {
    for event in present.values { reader.receive(event.moved(to: last)) }
  }

  func leave(_ number: Int) {
    readers.removeValue(forKey: number)?.wake?.resume()
    publishInterest()
  }

  /// What waits for a reader, as the stream has it; waits until there is something. Nil when the reader has left or the task is
  /// cancelled.
  func next(_ number: Int) async -> String? {
    while !Task.isCancelled {
      guard let reader = readers[number] else { return nil }
      if reader.waiting.isEmpty {
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            // The cancellation may have come before.
            if Task.isCancelled || readers[number] == nil { return continuation.resume() }
            readers[number]?.wake = continuation
          }
        } onCancel: {
          Task { await self.leave(number) }
        }
        continue
      }
      let role = reader.waiting.role
      guard let taken = readers[number]?.waiting.take() else { return nil }
      var text = taken.isReset ? Self.reset : ""
      for event in taken.events { text += event.text(boot: boot, for: role) }
      if text.isEmpty, taken.wantsComment { text = ": still here\n\n" }
      return text
    }
    return nil
  }

  private func publishInterest() {
    var devices: Set<String> = []
    for reader in readers.values where reader.waiting.topics.contains("status") {
      guard let some = reader.waiting.devices else {
        watch.yield(.all)
        return
      }
      devices.formUnion(some)
    }
    watch.yield(.devices(devices))
  }
}
