package import CastProtocol
package import CastSender

/// Searches for devices on the network.
package protocol DeviceFinder: Sendable {
  /// Scans for the duration, or until `isEnough` returns true or the task is cancelled.
  /// - Parameter isEnough: called once at the start and after every change, with all present devices. May be slow: changes in
  ///   between are reported together.
  func scan(for duration: Duration, until isEnough: @escaping @Sendable ([Device]) -> Bool) async
    -> DeviceScan
}

/// The result of a scan.
package struct DeviceScan: Sendable, Hashable {
  /// The devices present at the end, by friendly name.
  package var devices: [Device]
  /// Problems that may have hidden devices; empty if none is known.
  package var problems: [Problem]

  package init(devices: [Device] = [], problems: [Problem] = []) {
    self.devices = devices
    self.problems = problems
  }

  /// Why a scan may miss devices.
  package struct Problem: Sendable, Hashable {
    /// A stable code for programs, such as `no_interface`.
    package var code: String
    /// The problem and its subject.
    package var message: String
    /// What to do about it; nil if there is no specific advice.
    package var advice: String?

    package init(code: String, message: String, advice: String? = nil) {
      self.code = code
      self.message = message
      self.advice = advice
    }
  }
}

extension DeviceFinder {
  /// Scans until some time after the first device has answered, so that the others are heard, too.
  /// - Parameters:
  ///   - limit: how long the first answer is waited for.
  ///   - rest: how long the scan continues after it.
  package func firstAnswers(
    within limit: Duration, andFor rest: Duration, _ time: TimeSource = .continuous
  ) async -> DeviceScan {
    let (answers, answer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
    return await withTaskGroup(of: DeviceScan?.self) { group in
      group.addTask {
        await self.scan(for: limit + rest) { devices in
          if !devices.isEmpty { answer.yield() }
          return false
        }
      }
      group.addTask {
        // One that answers at the very end is still heard out.
        let hasAnswer = await Self.isAnswered(answers, within: limit, time)
        if hasAnswer { try? await time.sleep(rest) }
        return nil
      }
      var result: DeviceScan?
      while result == nil, let ended = await group.next() {
        result = ended
        // A cancelled scan returns what it has heard.
        group.cancelAll()
      }
      return result ?? DeviceScan()
    }
  }

  private static func isAnswered(
    _ answers: AsyncStream<Void>, within limit: Duration, _ time: TimeSource
  ) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { await answers.first { _ in true } != nil }
      group.addTask {
        try? await time.sleep(limit)
        return false
      }
      let isAnswered = await group.next() ?? false
      group.cancelAll()
      return isAnswered
    }
  }
}

/// A finder that finds nothing and reports why.
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
