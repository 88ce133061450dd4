import CastProtocol

/// The web page on the screen, or the one that was requested, and the application that shows it (protocol 15).
struct PageShow: Sendable, Hashable {
  /// What is known of the application; nil before its device has reported it.
  var host: PageHost?
  /// A forced page has taken the application's place: it has to be launched again for the next page.
  var isHostDeaf = false
  /// The page; nil when none is shown or requested.
  var call: PageCall?
  /// The page whose time has just ended.
  var ended: UpcomingPlace?
}
