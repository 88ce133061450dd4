import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import Synchronization
@testable import CastqMPD

/// castq without a database: two devices, a queue each, and commands that are kept.
final class FakeSource: MPDSource {
  private struct State {
    var queues: [String: [EntryID]] = ["lobby": [], "bar": []]
    var settings = QueueSettings(queue: "q")
    var status: [String: JSONValue] = [:]
    var calls: [Call] = []
    var failure: Failure?
    var isStuck = false
    var next: Int64 = 1
    var titles: [EntryID: String] = [:]
    var addresses: [EntryID: String] = [:]
    var listed: [String: [String]] = [:]
    var files: Int64 = 0
    var lists: [String: String] = [:]
    var watched: [Set<String>] = []
  }

  private let state = Mutex(State())
  private let (stream, send) = AsyncStream.makeStream(of: MPDNews.self)
  /// The entries of a page that were read at a time, at most.
  let largestPage = Mutex(0)
  /// The entries that were read so far.
  let entriesRead = Mutex(0)
  let now = WallTime(milliseconds: 1_800_000_000_000)

  var calls: [Call] { state.withLock { $0.calls } }
  func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }
  /// Whether commands wait until their task is cancelled.
  func stick(_ isStuck: Bool) { state.withLock { $0.isStuck = isStuck } }

  /// Returns when the task is cancelled.
  static func forever() async {
    let (never, end) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
    end.finish()
  }

  /// Fills a queue.
  func fill(_ partition: String, _ count: Int) {
    state.withLock { state in
      for _ in 0..<count {
        state.queues[partition]?.append(EntryID(state.next))
        state.next += 1
      }
    }
  }

  func name(_ title: String, _ entry: Int64) { state.withLock { $0.titles[EntryID(entry)] = title } }

  /// Gives an entry another address.
  func place(_ address: String, at entry: Int64) {
    state.withLock { $0.addresses[EntryID(entry)] = address }
  }

  /// Stores a list of addresses.
  func keepList(_ name: String, _ addresses: [String]) {
    state.withLock { state in
      state.lists[name] = "/lists/\(name).m3u8"
      state.listed[name] = addresses
    }
  }

  func show(_ partition: String, _ members: [String: JSONValue]) {
    let document: JSONValue = .object(["connection": "connected"].merging(members) { $1 })
    state.withLock { $0.status[partition] = document }
    send.yield(.status(partition: partition, document))
  }

  func report(_ news: MPDNews) { send.yield(news) }

  func partitions() async throws(Failure) -> [MPDPartition] {
    [MPDPartition(id: 1, name: "bar", isDefault: false), MPDPartition(id: 2, name: "lobby", isDefault: true)]
  }

  func partition(named name: String) async throws(Failure) -> String {
    throw Failure("device_unknown", "no device \(name) is known", exit: .deviceUnknown)
  }

  func status(of partition: String) async throws(Failure) -> JSONValue {
    state.withLock { $0.status[partition] } ?? ["connection": "connected"]
  }

  func order(of partition: String) async throws(Failure) -> (QueueOrder, QueueSettings) {
    state.withLock { state in
      let rows = (state.queues[partition] ?? []).map { QueueOrder.Row(entry: $0, state: .pending) }
      return (QueueOrder(rows: rows, repeatMode: .off, isShuffled: false), state.settings)
    }
  }

  func entries(
    _ ids: [EntryID], of partition: String, _ facts: MPDFacts?
  ) async throws(Failure) -> [QueueEntry] {
    largestPage.withLock { $0 = max($0, ids.count) }
    entriesRead.withLock { $0 += ids.count }
    let (titles, addresses) = state.withLock { ($0.titles, $0.addresses) }
    return ids.map { id in
      var media = MediaInformation(
        contentURL: addresses[id] ?? "http://192.0.2.1/\(id.rawValue).mp3", contentType: "audio/mpeg")
      media.metadata = MediaMetadata(
        kind: .musicTrack,
        values: ["title": .string(titles[id] ?? "Song \(id.rawValue)"), "artist": "Nobody"])
      return QueueEntry(
        id: id, position: 0, state: .pending, turn: 0, attempts: 0, draft: EntryDraft(media: media))
    }
  }

  func entry(playing addresses: [String], of partition: String) async throws(Failure) -> QueueEntry? {
    let ids = state.withLock { $0.queues[partition] ?? [] }
    return try await entries(ids, of: partition, nil).first { addresses.contains($0.draft.media.url) }
  }

  func facts(of partition: String) async throws(Failure) -> MPDFacts {
    MPDFacts(lengths: [:], files: state.withLock { $0.files })
  }

  /// Something was read of a file, which has a title by now.
  func learn(_ title: String, _ entry: Int64) {
    state.withLock { state in
      state.titles[EntryID(entry)] = title
      state.files += 1
    }
  }

  func cover(ofFile path: String) async -> (type: String, bytes: [UInt8])? {
    path == "/m/b.mp3" ? ("image/jpeg", Array(0..<150)) : nil
  }

  func drafts(ofFiles paths: [String], on partition: String) async throws(Failure) -> [EntryDraft] {
    paths.map { path in
      var media = MediaInformation(contentURL: FilePath.url(path), contentType: "audio/mpeg")
      media.metadata = MediaMetadata(values: ["title": .string("Known")])
      return EntryDraft(media: media)
    }
  }

  func perform(_ verb: PlaybackVerb, on partition: String) async throws(Failure) {
    try await note(Call(verb))
    state.withLock { state in
      switch verb {
      case .clear: state.queues[partition] = []
      case .setRepeat(let mode): state.settings.repeatMode = mode
      case .shuffle(let isOn): state.settings.isShuffled = isOn
      default: break
      }
    }
  }

  func enqueue(
    _ sources: [String], at position: Int?, on partition: String
  ) async throws(Failure) -> [EntryID] {
    try await note(Call("enqueue", sources))
    return state.withLock { state in
      let ids = sources.indices.map { EntryID(state.next + Int64($0)) }
      state.next += Int64(ids.count)
      let queue = state.queues[partition] ?? []
      state.queues[partition]?.insert(contentsOf: ids, at: position.map { $0 - 1 } ?? queue.count)
      return ids
    }
  }

  func remove(_ entries: [EntryID], from partition: String) async throws(Failure) {
    try await note(Call("remove", entries.map { "\($0.rawValue)" }))
    state.withLock { $0.queues[partition]?.removeAll { entries.contains($0) } }
  }

  private func note(_ call: Call) async throws(Failure) {
    let (failure, isStuck) = state.withLock { state in
      state.calls.append(call)
      return (state.failure, state.isStuck)
    }
    if isStuck { await Self.forever() }
    if let failure { throw failure }
  }

  func arrange(
    _ partition: String, _ change: @escaping @Sendable ([EntryID]) throws(MPDFailure) -> [EntryID]
  ) async throws(MPDFailure) {
    let order = try change(state.withLock { $0.queues[partition] ?? [] })
    state.withLock { $0.queues[partition] = order }
  }

  func setSection(
    _ section: MPDSection, of entry: EntryID, on partition: String
  ) async throws(Failure) {}

  func lists() async throws(Failure) -> [(name: String, modifiedAt: WallTime)] {
    state.withLock { $0.lists.keys.sorted() }.map { ($0, now) }
  }
  func list(_ name: String) async throws(Failure) -> String? { state.withLock { $0.lists[name] } }
  func drafts(of list: String) async throws(Failure) -> [EntryDraft] {
    (state.withLock { $0.listed[list] } ?? []).map {
      EntryDraft(media: MediaInformation(contentURL: $0, contentType: "audio/mpeg"))
    }
  }
  func save(_ partition: String, as name: String) async throws(Failure) {
    state.withLock { $0.lists[name] = "/lists/\(name).m3u8" }
  }
  func removeList(_ name: String) async throws(Failure) { state.withLock { $0.lists[name] = nil } }
  func picture(_ address: String, of entry: EntryDraft?) async -> (type: String, bytes: [UInt8])? {
    address.hasSuffix(".png") ? ("image/png", Array(0..<200)) : nil
  }

  func news() -> AsyncStream<MPDNews> { stream }

  func watch(_ partitions: Set<String>) async { state.withLock { $0.watched.append(partitions) } }
}

/// What the face has asked for, in words.
struct Call: Sendable, Equatable {
  let name: String
  let arguments: [String]

  init(_ name: String, _ arguments: [String]) { (self.name, self.arguments) = (name, arguments) }

  init(_ verb: PlaybackVerb) {
    let arguments: [String] =
      switch verb {
      case .play(let entry): entry.map { ["\($0.rawValue)"] } ?? []
      case .seek(.position(let time)): ["\(time.seconds)"]
      case .seek(.offset(let time)): ["\(time.seconds < 0 ? "" : "+")\(time.seconds)"]
      case .volume(.level(let level)): ["\(Int((level * 100).rounded()))"]
      case .volume(.change(let step)): ["\(step < 0 ? "" : "+")\(Int((step * 100).rounded()))"]
      default: []
      }
    self.init(verb.name.rawValue, arguments)
  }

  var words: String { ([name] + arguments).joined(separator: " ") }
}
