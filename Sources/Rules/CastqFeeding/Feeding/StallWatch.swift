import CastProtocol
import CastqPlaylists

/// Detects an item that buffers forever, or reports that it plays and does not move: a receiver does not report that itself.
struct StallWatch: Sendable, Hashable {
  /// What a status means for the clock of an item that does not move.
  enum Step: Sendable, Hashable {
    case none
    case startTimer
    case cancelTimer
    /// It has not moved for the limit.
    case stalled
  }

  /// Where an item was seen, and since when it has been there.
  private struct Stillness: Sendable, Hashable {
    var turn: EntryTurn
    var position: MediaTime
    var since: Tick
  }

  /// The item is being ended because it stalled: no other sender has stopped it.
  private(set) var isEnding = false
  private var stillness: Stillness?
  private var isTimed = false

  /// - Parameters:
  ///   - item: the current item; nil when there is none that could stall.
  ///   - isLoading: before its first frame it has the time of a load, and that clock alone.
  mutating func observe(
    _ status: MediaStatus?, of item: FeedWindow.Item?, isLoading: Bool, at now: Tick, limit: Duration
  ) -> Step {
    guard let status, let item else { return time(false) }
    switch status.playerState {
    case .buffering where !isLoading:
      let isSame = isTimed && stillness?.turn == item.turn
      stillness = Stillness(turn: item.turn, position: .zero, since: now)
      isTimed = true
      return isSame ? .none : .startTimer
    case .playing where status.adBreakStatus == nil && !item.isImage && status.playbackRate > 0:
      isEnding = false
      return watch(status.streamPosition, of: item.turn, at: now, limit: limit)
    case .buffering, .playing, .paused, .idle, .loading, .unknown:
      isEnding = false
      stillness = nil
      return time(false)
    }
  }

  private mutating func watch(
    _ position: MediaTime?, of turn: EntryTurn, at now: Tick, limit: Duration
  ) -> Step {
    let step = time(false)
    guard let position else {
      stillness = nil
      return step
    }
    guard let before = stillness, before.turn == turn,
      abs(before.position.seconds - position.seconds) < 0.1
    else {
      stillness = Stillness(turn: turn, position: position, since: now)
      return step
    }
    return now - before.since >= limit ? .stalled : step
  }

  private mutating func time(_ isWanted: Bool) -> Step {
    guard isWanted != isTimed else { return .none }
    isTimed = isWanted
    return isWanted ? .startTimer : .cancelTimer
  }

  /// The clock has fired, or a status showed that the item does not move.
  mutating func stalled() {
    stillness = nil
    isTimed = false
  }

  /// The next item was requested in its place; the clock runs again until it is there.
  mutating func end() {
    isEnding = true
    isTimed = true
  }

  /// The clock of the item is gone.
  mutating func forgetClock() {
    stillness = nil
    isTimed = false
  }
}
