package import CastProtocol

/// Looks for devices on the network.
package protocol DeviceFinder: Sendable {
  /// Looks for so long, or until what was found is enough; ends early when the task is cancelled.
  /// - Parameter isEnough: asked once at the beginning and after every change, with all devices that are there then. May take
  ///   its time: what changes meanwhile is told together.
  func scan(for duration: Duration, until isEnough: @escaping @Sendable ([Device]) -> Bool) async
    -> DeviceScan
}

/// What came of a scan.
package struct DeviceScan: Sendable, Hashable {
  /// The devices that were there at the end, by friendly name.
  package var devices: [Device]
  /// What kept others from being found; empty when nothing is known to have.
  package var problems: [Problem]

  package init(devices: [Device] = [], problems: [Problem] = []) {
    self.devices = devices
    self.problems = problems
  }

  /// Why a scan finds nothing, or less than there is.
  package struct Problem: Sendable, Hashable {
    /// A stable word for programs, such as `no_interface`.
    package var code: String
    /// What is wrong, and with what.
    package var message: String
    /// What to do about it; nil when there is nothing to be said beyond the general.
    package var advice: String?

    package init(code: String, message: String, advice: String? = nil) {
      self.code = code
      self.message = message
      self.advice = advice
    }
  }
}

extension DeviceFinder {
  /// Looks for one device by its lasting identity; nil when it does not answer in time.
  package func device(withUniqueID id: String, within limit: Duration) async -> Device? {
    let scan = await scan(for: limit) { devices in devices.contains { $0.uniqueID == id } }
    return scan.devices.first { $0.uniqueID == id }
  }
}

/// Finds nothing, and says why.
package struct AbsentFinder: DeviceFinder {
  private let problem: DeviceScan.Problem

  package init(_ problem: DeviceScan.Problem) { self.problem = problem }

  package func scan(for duration: Duration, until isEnough: @escaping @Sendable ([Device]) -> Bool) async
    -> DeviceScan
  {
    _ = isEnough([])
    return DeviceScan(problems: [problem])
  }
}
