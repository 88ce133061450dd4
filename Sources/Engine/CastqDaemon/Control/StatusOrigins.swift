package import CastProtocol
package import CastqPlaylists
package import CastqSchedule

/// Whose word about a device counts: that of what feeds it, or that of a session of the watcher's own while nothing does.
///
/// A page, a terminal and `castq status --follow` decide it by this value, so that they cannot disagree. `Own` is what a session of
/// the watcher's own reports.
package struct StatusOrigins<Own: Sendable>: Sendable {
  package enum Event: Sendable {
    /// A reply of `watch` about a device.
    case watched(JSONValue)
    /// What answered `watch` is gone.
    case lost
    /// The devices that somebody looks at; only these are followed while nothing feeds them.
    case wanted(Set<DeviceID>)
    /// What a session of the watcher's own reports.
    case heard(DeviceID, Own)
  }

  package enum Status: Sendable {
    /// A document of `watch`.
    case fed(JSONValue)
    /// The outlook is that of a daemon that does not feed the device now; nil where none runs.
    case own(Own, Outlook?)
    /// Nobody has a session with the device.
    case unseen(Outlook?)
  }

  package enum Action: Sendable {
    /// Begin a session with the device.
    case follow(DeviceID)
    /// End it.
    case leave(DeviceID)
    case show(DeviceID, Status)
  }

  private struct Device: Sendable {
    var isFed = false
    var outlook: Outlook?
    var own: Own?
    var isFollowed = false
  }

  private var devices: [DeviceID: Device] = [:]
  private var wanted: Set<DeviceID> = []
  private let limit: Int

  /// - Parameter limit: sessions of the watcher's own at a time.
  package init(limit: Int) { self.limit = limit }

  package mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .watched(let reply): return watched(reply)
    case .lost:
      for id in devices.keys {
        devices[id]?.isFed = false
        devices[id]?.outlook = nil
      }
      let known = devices.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { id, device in
        device.own.map { Action.show(id, .own($0, nil)) }
      }
      return known + followed()
    case .wanted(let wanted):
      self.wanted = wanted
      return followed()
    case .heard(let id, let own):
      // A session that was ended may still have had something to report.
      guard let device = devices[id], device.isFollowed, !device.isFed else { return [] }
      devices[id]?.own = own
      return [.show(id, .own(own, device.outlook))]
    }
  }

  private mutating func watched(_ reply: JSONValue) -> [Action] {
    guard let number = reply["device"]?.int else { return [] }
    let id = DeviceID(Int64(number))
    var device = devices[id] ?? Device()
    device.outlook = reply["outlook"].map(Outlook.init(json:))
    // A feeder that has no session on purpose sees nothing of what others do with the screen.
    let isFed =
      reply["feeding"]?.bool == true && reply["connection"]?.string != Outlook.Connection.idle.rawValue
    let wasFed = device.isFed
    device.isFed = isFed
    if isFed { device.own = nil }
    devices[id] = device
    // Otherwise nothing has changed that decides who is followed, and there may be hundreds of devices.
    var actions = isFed == wasFed ? [] : followed()
    if isFed {
      actions.append(.show(id, .fed(reply)))
    } else if let own = device.own {
      actions.append(.show(id, .own(own, device.outlook)))
    } else if wasFed || !device.isFollowed {
      actions.append(.show(id, .unseen(device.outlook)))
    }
    return actions
  }

  /// Ends sessions that are not needed any more, and begins those that are.
  private mutating func followed() -> [Action] {
    var actions: [Action] = []
    for (id, device) in devices.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where device.isFollowed && (device.isFed || !wanted.contains(id)) {
      devices[id]?.isFollowed = false
      devices[id]?.own = nil
      actions.append(.leave(id))
      if !device.isFed { actions.append(.show(id, .unseen(device.outlook))) }
    }
    var count = devices.values.count(where: \.isFollowed)
    for id in wanted.sorted(by: { $0.rawValue < $1.rawValue }) where count < limit {
      guard devices[id]?.isFed != true, devices[id]?.isFollowed != true else { continue }
      devices[id, default: Device()].isFollowed = true
      count += 1
      actions.append(.follow(id))
    }
    return actions
  }
}
