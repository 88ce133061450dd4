import CastSender
import Synchronization

// sample: first-device
/// Waits for the first device whose name begins with a prefix.
func firstDevice(named name: String, from manager: DiscoveryManager) async -> Device? {
  manager.startDiscovery()
  for await devices in manager.updates() {
    if let device = devices.first(where: { $0.friendlyName?.hasPrefix(name) ?? false }) { return device }
  }
  return nil
}
// end sample

// sample: known-screen
/// Starts a session with a known device at its current address. Nil if it is not found.
func session(withScreen uniqueID: String, from manager: DiscoveryManager) async throws(CastError) -> Session?
{
  guard let device = await manager.findDevice(withUniqueID: uniqueID, timeout: .seconds(10)) else {
    return nil
  }
  let session = Session(device: device)
  try await session.start()
  return session
}
// end sample

// sample: device-list
/// A list for people, kept up to date.
final class DeviceList: DiscoveryManagerListener {
  private let rows = Mutex<[String]>([])
  var lines: [String] { rows.withLock { $0 } }

  func discoveryManager(_ manager: DiscoveryManager, didInsert device: Device) { show(manager) }
  func discoveryManager(_ manager: DiscoveryManager, didUpdate device: Device) { show(manager) }
  func discoveryManager(_ manager: DiscoveryManager, didRemove device: Device) { show(manager) }

  private func show(_ manager: DiscoveryManager) {
    let lines = manager.devices.map { device in
      let name = device.friendlyName ?? device.endpoint.description
      return device.status == .busy ? "\(name): \(device.statusText ?? "in use")" : name
    }
    rows.withLock { $0 = lines }
  }
}
// end sample

// sample: showroom-discovery
/// Only devices that can play media, and only on the network of the showroom.
func showroomOptions() -> DiscoveryOptions {
  let player = DiscoveryCriteria(applicationID: CastOptions.defaultMediaReceiverApplicationID)
  var options = DiscoveryOptions(criteria: player, interfaces: ["eth1"])
  options.isPassive = true
  return options
}
// end sample

// sample: explain-discovery
/// Explains why no device is listed.
func explanation(of manager: DiscoveryManager) -> String {
  guard manager.devices.isEmpty else { return "" }
  return manager.problems.isEmpty
    ? "No device answers. Is it switched on, and in this network?"
    : manager.problems.map(\.description).joined(separator: "\n")
}
// end sample
