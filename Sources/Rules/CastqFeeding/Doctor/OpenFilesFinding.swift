package import CastProtocol

/// How many files and connections castq may have open, and what its guests take of them.
package struct OpenFilesFinding: Sendable, Hashable {
  /// How the limit is shared.
  package var shares: GuestShares
  /// How many are open in the castq that runs; nil when none runs.
  package var open: Int?
  /// Connections that fetch local files from it; nil when none runs.
  package var mediaConnections: Int?
  /// The devices that are known.
  package var devices: Int

  package init(shares: GuestShares, open: Int? = nil, mediaConnections: Int? = nil, devices: Int) {
    (self.shares, self.open, self.mediaConnections) = (shares, open, mediaConnections)
    self.devices = devices
  }

  /// What a castq that runs says of itself, as it stands in `document`; that of this process where it says nothing.
  package init(_ running: JSONValue?, or own: GuestShares, devices: Int) {
    let descriptors = running?["max"]?.int
    self.init(
      shares: descriptors.map { GuestShares(descriptors: $0) } ?? own, open: running?["open"]?.int,
      mediaConnections: running?["media_connections"]?.int, devices: devices)
  }

  /// What castq says of itself.
  package var document: JSONValue {
    [
      "max": .integer(Int64(shares.descriptors)), "open": JSONValue(open) ?? .null,
      "media_connections": JSONValue(mediaConnections) ?? .null,
      "media_connections_max": .integer(Int64(shares.mediaConnections)),
    ]
  }

  package var verdict: DoctorVerdict {
    let wanted = GuestShares.wanted(forDevices: devices)
    let known = "\(devices) \(devices == 1 ? "device" : "devices")"
    guard shares.descriptors >= wanted else {
      return .warn(
        .openFiles, "castq may have \(shares.descriptors) files open, few for \(known)",
        advice: "allow \(wanted) or more: 'ulimit -Hn', or LimitNOFILE= of its unit")
    }
    var words = ["castq may have \(shares.descriptors) files open, enough for \(known)"]
    if let open { words.append("\(open) are") }
    if let mediaConnections {
      words.append("\(mediaConnections) of \(shares.mediaConnections) connections fetch local files")
    }
    return .ok(.openFiles, words.joined(separator: "; "))
  }
}
