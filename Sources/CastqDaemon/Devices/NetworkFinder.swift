package import CastProtocol
import CastSender

/// Looks for devices by multicast DNS.
package struct NetworkFinder: DeviceFinder {
  private let options: DiscoveryOptions

  /// - Parameter interfaces: names or addresses of the network interfaces to look on; nil takes all that suit.
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
        // Being cancelled is another way to be over.
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
