import CastProtocol
import CastqPlaylists

/// How people have set the player for a play: whether it is paused, how fast it is and which tracks it shows.
struct PlayerSetting: Sendable, Hashable {
  /// The range of speeds that receivers accept.
  private static let rates = 0.5...2

  let turn: EntryTurn
  private(set) var isPaused = false
  private(set) var rate: Double
  /// Nil while the receiver has not reported any.
  private(set) var activeTrackIDs: [Int]?

  init(of item: FeedWindow.Item) {
    turn = item.turn
    rate = item.place.rate
  }

  /// Learns from a status of the play. An ad has a player state and a speed of its own.
  mutating func observe(_ status: MediaStatus) {
    guard status.adBreakStatus == nil else { return }
    switch status.playerState {
    case .playing:
      isPaused = false
      if Self.rates.contains(status.playbackRate) { rate = status.playbackRate }
    case .paused: isPaused = true
    case .buffering, .idle, .loading, .unknown: return
    }
    activeTrackIDs = status.activeTrackIDs ?? activeTrackIDs
  }

  /// The place of the play's entry, to be sent with this setting. Only tracks that the entry names can be
  /// chosen before the receiver has read the medium.
  func applied(to place: UpcomingEntry) -> UpcomingEntry {
    var place = place
    place.draft.autoplay = !isPaused
    place.draft.playbackRate = rate
    let named = Set(place.draft.media.mediaTracks.map(\.identifier))
    if let activeTrackIDs, !named.isEmpty {
      place.draft.activeTrackIDs = activeTrackIDs.filter { named.contains($0) }
    }
    return place
  }
}

extension Holding {
  mutating func observePlayer(_ status: MediaStatus?, of item: FeedWindow.Item?) {
    guard let status, let item, !item.isImage else { return }
    if player?.turn != item.turn { player = PlayerSetting(of: item) }
    player?.observe(status)
  }
}

/// Settings of players, kept while another list has the screen.
extension FeederMachine {
  /// How many are kept: one list interrupts another, and seldom a third.
  private static let mostInterrupted = 32

  /// Another list takes the screen from this turn.
  mutating func keepPlayer(of turn: EntryTurn?) {
    guard let player = held.player, player.turn == turn else { return }
    // Those whose entries were removed meanwhile never come back.
    if interrupted.count >= Self.mostInterrupted { interrupted = [:] }
    interrupted[player.turn.entry] = player
  }

  /// The place as it comes back, if it continues where another list took the screen from it.
  func restored(_ place: UpcomingEntry) -> UpcomingEntry {
    guard place.isContinued, let setting = interrupted[place.entry] else { return place }
    return setting.applied(to: place)
  }
}
