package import CastProtocol
import CastSender

/// Finds devices by multicast DNS.
package struct NetworkFinder: DeviceFinder {
  private let options: DiscoveryOptions

  /// - Parameter interfaces: names or addresses of the network interfaces to use; nil uses all suitable ones.
  package init(interfaces: Set<String>? = nil) {
    options = DiscoveryOptions(interfaces: interfaces)
  }

  package func scan(
    for duration: Duration, until isEnough: @escaping @Sendable ([Device]) -> Bool
  ) async -> DeviceScan {
    let manager = DiscoveryManager(options: options)
    let updates = manager.updates()
    manager.startDiscovery()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await devices in updates where isEnough(devices) { return }
      }
      group.addTask {
        // Cancellation ends the scan, too.
        try? await TimeSource.continuous.sleep(duration)
      }
      await group.next()
      group.cancelAll()
    }
    let scan = DeviceScan(devices: manager.devices, problems: manager.problems.map(DeviceScan.Problem.init))
    await manager.stopDiscovery()
    return scan
  }
}

extension DeviceScan.Problem {
  fileprivate init(_ problem: DiscoveryProblem) {
    let code =
      switch problem.reason {
      case .noInterface: "no_interface"
      case .cannotListen: "cannot_listen"
      case .cannotSend: "cannot_send"
      }
    self.init(code: code, message: "\(problem)")
  }
}
