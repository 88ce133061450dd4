package import CastqPlaylists
package import CastqText

/// When an entry may be on the screen, in wall-clock time, which can be set.
package struct TimeWindow: Sendable, Hashable {
  /// Nil is unlimited.
  package var opens: WallTime?
  /// The first moment outside; nil is unlimited.
  package var closes: WallTime?

  package func isOpen(at now: WallTime) -> Bool { opens.map { $0 <= now } ?? true && !isOver(at: now) }

  /// Whether the window has closed for good.
  package func isOver(at now: WallTime) -> Bool { closes.map { $0 <= now } ?? false }

  /// When it opens or closes next; nil when neither happens.
  package func change(after now: WallTime) -> WallTime? {
    if isOver(at: now) { return nil }
    return opens.flatMap { $0 > now ? $0 : nil } ?? closes
  }
}

extension EntryDraft {
  /// When it may be on the screen.
  package var window: TimeWindow { TimeWindow(opens: notBefore, closes: notAfter) }
}

/// The next places in play order, valid until a time window opens or closes.
package struct UpcomingList: Sendable, Hashable {
  package var places: [UpcomingEntry]
  /// Nil when no window of the list changes.
  package var until: WallTime?

  package init(_ places: [UpcomingEntry], until: WallTime? = nil) {
    self.places = places
    self.until = until
  }
}
