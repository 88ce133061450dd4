import CastProtocol
import CastqDaemon
import Synchronization

/// A network on which these devices are; every look at it finds what is there then.
final class FakeFinder: DeviceFinder {
  private struct State {
    var devices: [Device]
    var problems: [DeviceScan.Problem] = []
    var looks: [Duration] = []
  }
  private let state: Mutex<State>

  init(_ devices: [Device] = [], problems: [DeviceScan.Problem] = []) {
    state = Mutex(State(devices: devices, problems: problems))
  }

  func put(_ devices: [Device]) { state.withLock { $0.devices = devices } }

  /// How long it was looked each time.
  var looks: [Duration] { state.withLock(\.looks) }

  func scan(for duration: Duration, until isEnough: @escaping @Sendable ([Device]) -> Bool) async
    -> DeviceScan
  {
    let (devices, problems) = state.withLock { state in
      state.looks.append(duration)
      return (state.devices, state.problems)
    }
    // Devices answer one after the other.
    for count in 0...devices.count where isEnough(Array(devices.prefix(count))) {
      return DeviceScan(devices: Array(devices.prefix(count)), problems: problems)
    }
    return DeviceScan(devices: devices, problems: problems)
  }
}
