import CastSender
import Synchronization

// sample: key-ring
/// Stores the keys of devices, and requires them in sessions.
final class KeyRing: Sendable {
  private let pins = Mutex<[String: DevicePin]>([:])

  func pin(of device: Device) -> DevicePin? {
    pins.withLock { $0[device.uniqueID ?? "\(device.endpoint)"] }
  }

  private func keep(_ pin: DevicePin, of device: Device) {
    // A group answers with the key of its leader, which changes.
    guard !device.isGroup else { return }
    pins.withLock { $0[device.uniqueID ?? "\(device.endpoint)"] = pin }
  }

  /// The first key is pinned; any other is refused from then on.
  func trust(in device: Device) -> DeviceTrust {
    var trust = DeviceTrust(.pin(pin(of: device))) { device, result in
      switch result {
      case .proved(let identity): self.keep(DevicePin(identity), of: device)
      case .unproved(let error): print("Not known for sure: \(error)")
      case .refused(let error): print("Kept away: \(error)")
      }
    }
    trust.pinOfOther = { self.pin(of: $0) }
    return trust
  }
}
// end sample

// sample: call-known-device
/// Starts a session with a device, and only if its key is unchanged.
func session(with device: Device, _ keys: KeyRing) async throws(CastError) -> Session {
  var options = SessionOptions()
  options.trust = keys.trust(in: device)
  let session = Session(device: device, options: options)
  try await session.start()
  return session
}
// end sample

// sample: ask-for-roots
/// Trusts only devices whose certificates lead to the roots in a file.
func trust(inRootsOf file: [UInt8], isGenuine: Bool) throws(CastError) -> DeviceTrust {
  let roots = try DeviceRoots(file)
  if isGenuine, let stranger = roots.fingerprints.first(where: { DeviceRoots.genuineFingerprints[$0] == nil })
  {
    print("This is no root of genuine devices: \(stranger)")
  }
  return DeviceTrust(.roots(roots))
}
// end sample
