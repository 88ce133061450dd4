import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText

/// Playback.
extension MPDFace {
  /// - Returns: what is written before the end of the answer.
  func play(_ request: MPDRequest, on partition: String) async throws(MPDFailure) -> String {
    let board = try await present(partition)
    let state = board.parts.state
    switch request {
    case .play(nil), .playID(nil):
      if state != .play { try await resume(board, on: partition) }
    case .play(let position?): try await start(try Self.song(at: position, board), at: nil, on: partition)
    case .playID(let id?): try await start(try Self.song(id, board), at: nil, on: partition)
    case .pause(let isPaused):
      if state == .play, isPaused != false { try await act([.pause], on: partition) }
      if state == .pause, isPaused != true { try await act([.play(nil)], on: partition) }
    case .stop:
      if state != .stop { try await act([.stop(quits: false)], on: partition) }
    case .next, .previous:
      guard state != .stop else { throw .notPlaying }
      try await act([request == .next ? .next : .previous], on: partition)
    case .seek(let position, let time): try await seek(Self.song(at: position, board), time, board, partition)
    case .seekID(let id, let time): try await seek(Self.song(id, board), time, board, partition)
    case .seekCurrent(let time):
      guard state != .stop else { throw .notPlaying }
      try await act([Self.seek(time)], on: partition)
    case .setVolume(let level): try await act([.volume(.level(Double(level) / 100))], on: partition)
    case .changeVolume(let change):
      try await act([.volume(.change(Double(change) / 100))], on: partition)
    case .getVolume: return board.parts.volume.map { "volume: \($0)\n" } ?? ""
    case .repeats(let isOn):
      // One song that repeats is a list that repeats.
      if isOn != (board.repeatMode != .off) { try await setRepeat(isOn ? .all : .off, board, partition) }
    case .single(let level):
      guard level != .oneshot else {
        throw Self.unavailable("'single oneshot'", "castq has no mode that ends after a song")
      }
      guard level == .off || board.repeatMode != .off else {
        throw MPDFailure(
          .system, "single without repeat is unavailable: turn repeat on first, and one song repeats")
      }
      if level == .on || board.repeatMode == .one {
        try await setRepeat(level == .on ? .one : .all, board, partition)
      }
    case .consume(let level):
      guard level == .off else { throw Self.unavailable("consume", "castq keeps what it has played") }
    case .random(let isOn):
      guard isOn != board.isRandom else { break }
      try await change(.shuffle(isOn), on: partition)
    default: break
    }
    return ""
  }

  private static func unavailable(_ what: String, _ reason: String) -> MPDFailure {
    MPDFailure(.system, "\(what) is unavailable: \(reason)")
  }

  private func setRepeat(
    _ mode: QueueRepeat, _ board: Board, _ partition: String
  ) async throws(MPDFailure) {
    guard mode != board.repeatMode else { return }
    try await change(.setRepeat(mode), on: partition)
  }

  // MARK: - Songs

  static func song(at position: Int, _ board: Board) throws(MPDFailure) -> EntryID {
    guard board.log.songs.indices.contains(position) else { throw .badIndex }
    return board.log.songs[position]
  }

  static func song(_ id: Int, _ board: Board) throws(MPDFailure) -> EntryID {
    let entry = EntryID(Int64(id))
    guard board.log.position(of: entry) != nil else { throw .noSong }
    return entry
  }

  private func start(_ song: EntryID, at time: MPDTime?, on partition: String) async throws(MPDFailure) {
    let play = PlaybackVerb.play(song)
    try await act([play] + (time.map { [Self.seek($0)] } ?? []), on: partition)
  }

  /// Plays on; a queue that has played restarts.
  private func resume(_ board: Board, on partition: String) async throws(MPDFailure) {
    guard let first = board.log.songs.first else { return }
    try await act(partition) { [source] () async throws(Failure) in
      do throws(Failure) {
        try await source.perform(.play(nil), on: partition)
      } catch {
        guard error.exit == .no else { throw error }
        try await source.perform(.play(first), on: partition)
      }
    }
  }

  private func seek(
    _ song: EntryID, _ time: MPDTime, _ board: Board, _ partition: String
  ) async throws(MPDFailure) {
    guard board.parts.state != .stop, board.parts.entry == song else {
      return try await start(song, at: time, on: partition)
    }
    try await act([Self.seek(time)], on: partition)
  }

  private static func seek(_ time: MPDTime) -> PlaybackVerb {
    switch time {
    case .position(let seconds): .seek(.position(MediaTime(seconds: seconds)))
    case .step(let seconds): .seek(.offset(MediaTime(seconds: seconds)))
    }
  }

  // MARK: - Commands

  /// A command that changes rows; the next request sees what it did.
  func change(_ verb: PlaybackVerb, on partition: String) async throws(MPDFailure) {
    do throws(Failure) { try await source.perform(verb, on: partition) } catch {
      throw MPDFailure(error)
    }
    try await refresh(partition)
  }

  func act(_ verbs: [PlaybackVerb], on partition: String) async throws(MPDFailure) {
    try await act(partition) { [source] () async throws(Failure) in
      for verb in verbs { try await source.perform(verb, on: partition) }
    }
  }

  /// Acts on a device. A television may need longer than clients wait: what becomes of it then is part of the status.
  private func act(
    _ partition: String, _ body: @escaping @Sendable () async throws(Failure) -> Void
  ) async throws(MPDFailure) {
    boards[partition]?.error = nil
    let (outcomes, send) = AsyncStream.makeStream(
      of: Failure?.self, bufferingPolicy: .bufferingOldest(1))
    let settings = settings
    let work = Task { () -> Failure? in
      var failure: Failure?
      do throws(Failure) { try await body() } catch { failure = error }
      send.yield(failure)
      return failure
    }
    let timer = Task {
      guard (try? await settings.sleep(settings.patience)) != nil else { return }
      send.finish()
    }
    var iterator = outcomes.makeAsyncIterator()
    let outcome = await iterator.next()
    timer.cancel()
    guard let outcome else {
      Task { if let failure = await work.value { note(failure, on: partition) } }
      return
    }
    if let outcome { throw MPDFailure(outcome) }
    _ = try await present(partition)
  }

  /// A command failed after it was answered.
  private func note(_ failure: Failure, on partition: String) {
    boards[partition]?.error = failure.plain.message
    notify(partition, [.player])
  }

  func clearError(_ partition: String) { boards[partition]?.error = nil }
}
