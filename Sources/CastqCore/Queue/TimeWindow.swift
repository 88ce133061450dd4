/// When an entry may be on the screen: from one moment up to another. Moments are of the wall clock, which people set.
package struct TimeWindow: Sendable, Hashable {
  /// Nil is since ever.
  package var opens: WallTime?
  /// Nil is for ever.
  package var closes: WallTime?

  package init(opens: WallTime? = nil, closes: WallTime? = nil) {
    self.opens = opens
    self.closes = closes
  }

  package func isOpen(at now: WallTime) -> Bool { opens.map { $0 <= now } ?? true && !isOver(at: now) }

  /// Whether it will never open again.
  package func isOver(at now: WallTime) -> Bool { closes.map { $0 <= now } ?? false }

  /// When it opens or closes next; nil when it does neither any more.
  package func change(after now: WallTime) -> WallTime? {
    if isOver(at: now) { return nil }
    return opens.flatMap { $0 > now ? $0 : nil } ?? closes
  }
}

extension EntryDraft {
  /// When it may be on the screen.
  package var window: TimeWindow { TimeWindow(opens: notBefore, closes: notAfter) }
}

/// The next places in play order, as they are until a time window opens or closes.
package struct UpcomingList: Sendable, Hashable {
  package var places: [UpcomingEntry]
  /// Nil when no window of the list changes any more.
  package var until: WallTime?

  package init(_ places: [UpcomingEntry], until: WallTime? = nil) {
    self.places = places
    self.until = until
  }
}
