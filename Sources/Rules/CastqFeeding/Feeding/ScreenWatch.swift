import CastqPlaylists

/// The item on the screen as time passes, and what of it has to be known when it comes back.
struct ScreenWatch: Sendable {
  /// Its clocks.
  var clock = ItemClock()
  /// Whether it moves.
  var stall = StallWatch()
  /// How its player is set; nil before it was reported.
  var player: PlayerSetting?
  /// How the players of entries were set from which another list took the screen.
  var interrupted: [EntryID: PlayerSetting] = [:]
}
