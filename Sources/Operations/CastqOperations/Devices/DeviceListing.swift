package import CastProtocol
package import CastqDaemon
package import CastqStore
package import CastqText

/// The known devices, and the devices that a search of the network has found.
package struct DeviceListing {
  /// As they were seen last; one that castq is connected to is seen now.
  package let devices: [KnownDevice]
  /// What was in the way of the search.
  package var problems: [DeviceScan.Problem] = []
  /// When the search began; nil without one.
  package var searchedSince: WallTime?
  /// Whether there was a search, and no device answered it.
  package var heardNothing = false

  /// Whether the network is searched.
  package enum Search: Sendable {
    case never
    case whenNoneIsKnown(Duration)
    case always(Duration)

    fileprivate func time(_ known: [KnownDevice]) -> Duration? {
      switch self {
      case .never: nil
      case .whenNoneIsKnown(let time): known.isEmpty ? time : nil
      case .always(let time): time
      }
    }
  }

  /// Lists the devices, and stores each device that answers the search.
  /// - Parameter seen: hears of every device that is known, each time one answers, and of when the search began.
  package init(
    _ workspace: Workspace, _ call: CallOptions, _ search: Search,
    seen: @escaping @Sendable ([KnownDevice], WallTime) -> Void = { _, _ in }
  ) async throws(Failure) {
    let known = try workspace.listedDevices(call)
    guard let time = search.time(known) else {
      devices = await workspace.heard(known, call)
      return
    }
    let start = WallTime.now
    let scan = await Discovery.finder().scan(for: time) { found in
      if (try? workspace.keep(found)) != nil, let known = try? workspace.listedDevices(call) {
        seen(known, start)
      }
      return false
    }
    try workspace.keep(scan.devices)
    devices = await workspace.heard(try workspace.listedDevices(call), call)
    (problems, searchedSince, heardNothing) = (scan.problems, start, scan.devices.isEmpty)
  }

  package var json: JSONValue {
    ["devices": .array(devices.map(JSONOutput.device)), "problems": .array(problems.map(\.json))]
  }
}

extension DeviceScan.Problem {
  fileprivate var json: JSONValue {
    ["code": .string(code), "message": .string(message), "advice": JSONOutput.text(advice)]
  }
}
