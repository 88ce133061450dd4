import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import FoundationEssentials

/// A feeder that hears what the genuine framework said in a recording (protocol 21). The recording does not hear the feeder: what it
/// asks for is kept, and a question gets no answer but what the recording says anyway.
final class RecordedFeed {
  private(set) var machine: FeederMachine
  private(set) var facts: [PlaybackFact] = []
  private(set) var actions: [(at: Double, action: FeederMachine.Action)] = []
  private(set) var end: RunEnd?
  private var lines: ArraySlice<JSONValue>
  private let addresses: [String]
  private let loadNumber: Int?
  private var media = MediaMachine()
  private var timers: [FeederTimer: Tick] = [:]
  private var now = Tick.zero
  private var places: [UpcomingEntry]

  /// - Parameter policies: what the entries say of their failures; nil is nothing.
  init(_ name: String, policies: [EntryErrorPolicy?] = []) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let file = folder.appending(path: "../../../Receiver/CastReceiverSimTests/Recordings/\(name).jsonl")
    let all = try String(decoding: Data(contentsOf: file), as: UTF8.self).split(separator: "\n").map {
      try JSONValue(parsing: String($0))
    }
    let items = all.first?["data"]?["items"]?.array ?? []
    addresses = items.compactMap { $0["media"]?["contentId"]?.string }
    loadNumber = all.first?["data"]?["requestId"]?.int
    lines = all.dropFirst()
    places = addresses.enumerated().map { index, address in
      var draft = EntryDraft(media: MediaInformation(contentID: address, contentType: "video/mp4"))
      draft.onError = policies.indices.contains(index) ? policies[index] : .skip
      return UpcomingEntry(entry: EntryID(Int64(index + 1)), turn: 0, round: 0, attempts: 0, draft: draft)
    }
    machine = FeederMachine(queue: "q")
    tell(.begin(nil))
  }

  /// Outcomes in the order they were told, as `e1.1 finished`.
  var outcomes: [String] {
    facts.compactMap { if case .ended(let turn, let play) = $0 { "\(turn) \(play.outcome)" } else { nil } }
  }

  var plays: [EndedPlay] {
    facts.compactMap { if case .ended(_, let play) = $0 { play } else { nil } }
  }

  /// When the receiver was asked for a status.
  var questions: [Double] { actions.filter { $0.action == .requestStatus }.map(\.at) }

  /// Tells what was said until that moment, in seconds after the beginning.
  func run(until limit: Double = .infinity) {
    while let line = lines.first, let time = line["t"]?.double, time <= limit {
      lines.removeFirst()
      guard line["dir"]?.string == "out", let body = line["data"] else { continue }
      pass(to: Tick(.milliseconds(Int64(time * 1000))))
      hear(body)
    }
    if limit.isFinite { pass(to: Tick(.milliseconds(Int64(limit * 1000)))) }
  }

  func tell(_ event: FeederMachine.Event) {
    let wall = WallTime(milliseconds: 0).adding(seconds: now.sinceStart.seconds)
    for action in machine.handle(event, at: now, wall: wall) {
      actions.append((now.sinceStart.seconds, action))
      switch action {
      case .readUpcoming(let limit, let besides):
        let open = places.filter { place in
          place.entry != besides?.entry && !ended.contains(place.entry)
        }
        tell(.upcoming(Array(open.prefix(limit))))
      case .record(let recorded): facts += recorded.map(\.fact)
      case .startTimer(let timer, let after): timers[timer] = now + after
      case .cancelTimer(let timer): timers[timer] = nil
      case .requestStatus where media.status?.isLoadingItem != true: tell(.statusAnswered(.told))
      case .ended(let end): self.end = end
      default: break
      }
    }
  }

  private var ended: Set<EntryID> {
    Set(facts.compactMap { if case .ended(let turn, _) = $0 { turn.entry } else { nil } })
  }

  private func pass(to moment: Tick) {
    while let timer = timers.min(by: { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }),
      timer.value <= moment
    {
      now = max(now, timer.value)
      timers[timer.key] = nil
      tell(.timerFired(timer.key))
    }
    now = max(now, moment)
  }

  private func hear(_ body: JSONValue) {
    let reply = MediaReply.decode(body)
    switch reply.content {
    case .status(let updates):
      for status in media.apply(updates).published { tell(.mediaStatus(status)) }
      let isOver = media.status?.playerState == .playing && body["requestId"]?.int == loadNumber
      if isOver { tell(.edited(.done)) }
    case .failure(let failure):
      guard let item = failure.itemID, body["requestId"] == nil else { return }
      let reason = PlayReason(errorType: failure.kind.rawValue, detailedCode: failure.detailedErrorCode)
      tell(.itemError(item, reason))
    default: break
    }
  }
}
