/// The item on the screen as time passes.
struct ScreenWatch: Sendable {
  /// Its clocks.
  var clock = ItemClock()
  /// Whether it moves.
  var stall = StallWatch()
}
