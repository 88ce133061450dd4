/// What the configuration says of one device.
package struct DeviceRules: Sendable, Hashable {
  package var guests = GuestPolicy.standard
  /// Set before the first sound, 0 to 1; nil leaves the device as loud as it is.
  package var volume: Double?
  package var quietHours: [QuietHours] = []
  /// How loud it is in quiet hours, 0 to 1; nil plays nothing in them.
  package var quietVolume: Double?
  /// What is to happen when an entry cannot be played that does not say so itself; nil tries it twice, then goes on.
  package var onError: EntryErrorPolicy?
  /// The application that plays media; nil is Google's Default Media Receiver (protocol 15).
  package var receiverApplication: String?
  /// The application that shows web pages; nil is the best known of them (protocol 15).
  package var pageApplication: String?
  /// Whose clocks quiet hours go by; nil is the computer's own zone.
  package var zone: TimeZoneRules?

  package init() {}

  /// What the clock shows that quiet hours go by.
  /// - Parameter localOffset: seconds that the computer's own clocks are ahead of UTC at a moment.
  package func clock(at now: WallTime, localOffset: (WallTime) -> Int) -> CivilTime {
    CivilTime(now, utcOffset: zone?.utcOffset(at: now) ?? localOffset(now))
  }

  /// Whether a clock that shows this is in quiet hours.
  package func isQuiet(at time: CivilTime) -> Bool { quietHours.contains { $0.contains(time) } }

  /// Whether nothing is played when a clock shows this.
  package func isSilent(at time: CivilTime) -> Bool { quietVolume == nil && isQuiet(at: time) }

  /// The loudness castq wants when a clock shows this; nil when it has no wish.
  package func volume(at time: CivilTime) -> Double? { isQuiet(at: time) ? quietVolume ?? volume : volume }
}
