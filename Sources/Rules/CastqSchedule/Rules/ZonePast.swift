package import CastqText

/// A change of the zone of the site or of a device.
package struct ZoneChange: Sendable {
  /// Nil is the site.
  package let device: String?
  package let at: WallTime
  /// Nil where a device had that of the site, and where the site's was not known.
  package let before: ZoneName?
  /// Nil where a device has that of the site.
  package let after: ZoneName?

  package init(device: String?, at: WallTime, before: ZoneName?, after: ZoneName?) {
    (self.device, self.at, self.before, self.after) = (device, at, before, after)
  }
}

/// Which zones the site and its devices had.
package struct ZonePast: Sendable {
  /// Oldest first.
  private let changes: [ZoneChange]

  /// - Parameter changes: in the order in which they were made, the newest ones last.
  package init(_ changes: [ZoneChange] = []) { self.changes = changes }

  /// When a rule without a zone was read in another one than before.
  package var moments: [WallTime] { changes.map(\.at) }

  /// Every zone that was in force.
  package var zones: Set<ZoneName> { Set(changes.flatMap { [$0.before, $0.after] }.compactMap(\.self)) }

  /// The zone of the site.
  /// - Parameter present: where none was written.
  package func site(_ present: ZoneName, at moment: WallTime) -> ZoneName {
    let (last, next) = changes(of: nil, around: moment)
    // A zone that was written first may have been in force before: nothing else is known.
    return last?.after ?? next?.before ?? next?.after ?? present
  }

  /// The zone that a device had of its own.
  package func device(_ present: ScheduleDevice, at moment: WallTime) -> ZoneName? {
    guard let next = changes(of: present.id, around: moment).next else { return present.zone }
    return next.before
  }

  /// The last change until a moment, and the first one after it. A change that a clock set back stands before is one of an earlier time.
  private func changes(
    of device: String?, around moment: WallTime
  ) -> (last: ZoneChange?, next: ZoneChange?) {
    let own = changes.filter { $0.device == device }
    guard let last = own.lastIndex(where: { $0.at <= moment }) else { return (nil, own.first) }
    return (own[last], own[(last + 1)...].first)
  }
}
