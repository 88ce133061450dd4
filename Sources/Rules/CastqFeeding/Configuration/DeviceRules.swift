package import CastProtocol
package import CastqPlaylists
package import CastqSchedule
package import CastqText

/// The configuration of one device.
package struct DeviceRules: Sendable, Hashable {
  /// What the device plays for ever whenever no rule wins: a list, a folder or a file by its absolute path, or an address; nil
  /// leaves that to what people enqueue.
  package var list: String?
  /// Where the device is, if castq has not met it yet.
  package var address: DeviceEndpoint?
  package var guests = GuestPolicy.standard
  /// Volume set before playback starts, 0 to 1; nil leaves the device's volume.
  package var volume: Double?
  package var quietHours: [QuietHours] = []
  /// What is seen in quiet hours in which nothing plays.
  package var quietShow = QuietShow.backdrop
  /// Volume in quiet hours, 0 to 1; nil plays nothing in them.
  package var quietVolume: Double?
  /// Policy for entries that fail and have none of their own; nil tries twice, then plays the next entry.
  package var onError: EntryErrorPolicy?
  /// The application that plays media; nil is Google's Default Media Receiver (protocol 15).
  package var receiverApplication: String?
  /// The application that shows web pages; nil is the best known of them (protocol 15).
  package var pageApplication: String?
  /// The address at which the device reaches local files; nil is that of the interface that leads to it.
  package var advertised: AdvertisedAddress?
  /// The subtitles with which entries start that do not say it themselves.
  package var subtitles = SubtitleChoice.first
  /// How text looks in entries that do not say it themselves; nil leaves it to the receiver.
  package var subtitleStyle: MediaTextTrackStyle?
  /// The model whose abilities decide what is converted; nil is the one that the device announces.
  package var playsAs: String?
  /// The time zone of quiet hours, by default that of the site; nil is the computer's own zone.
  package var zone: TimeZoneRules?

  package init() {}

  /// The local time that quiet hours are compared with.
  /// - Parameter localOffset: seconds by which the computer's local time is ahead of UTC at a moment.
  package func clock(at now: WallTime, localOffset: (WallTime) -> Int) -> CivilTime {
    CivilTime(now, utcOffset: zone?.utcOffset(at: now) ?? localOffset(now))
  }

  /// Whether this local time is in quiet hours.
  package func isQuiet(at time: CivilTime) -> Bool { quietHours.contains { $0.contains(time) } }

  /// Whether nothing is played at this local time.
  package func isSilent(at time: CivilTime) -> Bool { quietVolume == nil && isQuiet(at: time) }

  /// The volume to set at this local time; nil leaves the device's volume.
  package func volume(at time: CivilTime) -> Double? { isQuiet(at: time) ? quietVolume ?? volume : volume }
}
