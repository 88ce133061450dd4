/// What devices show by the word of whoever has a session with them. It counts more than what they announce, which is later and
/// often less: a name of an application.
package struct RemoteCasting: Sendable {
  /// Nil is a device that shows nothing.
  private var heard: [Int64: String?] = [:]
  private var lost: Set<Int64> = []

  package init() {}

  /// A status of a device was heard.
  package mutating func note(_ device: Int64, _ status: RemoteStatus) {
    lost.remove(device)
    heard[device] = nil
    switch status.connection {
    case .connected: heard.updateValue(status.media?.title ?? status.application, forKey: device)
    case .offline: lost.insert(device)
    case .connecting: break
    }
  }

  /// Nobody has a session with the device now.
  package mutating func forget(_ device: Int64) {
    heard[device] = nil
    lost.remove(device)
  }

  /// Devices with what they show now.
  package func applied(to devices: [RemoteDevice]) -> [RemoteDevice] {
    devices.map { device in
      var device = device
      if let status = heard[device.id] { device.status = status }
      device.isLost = lost.contains(device.id)
      if device.isLost { device.status = nil }
      return device
    }
  }
}
