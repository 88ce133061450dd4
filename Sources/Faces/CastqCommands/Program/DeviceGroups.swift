import CastProtocol
import CastqOperations
import CastqStore
import CastqText

extension CallOptions {
  /// Runs the body for each named device in turn, and for each member of a named group. A failure is printed and the other devices
  /// still run; the worst one, that with the highest exit code, ends the command. With `--json` all of it is one document, whenever
  /// several devices or a group are named.
  func forEach(_ body: (CallOptions) async throws -> Void) async throws {
    let devices = try expandedDevices()
    let isGroup =
      device.contains { DeviceGroup.name($0) != nil } || deviceSelector.flatMap(DeviceGroup.name) != nil
    if json, isGroup || device.count > 1 { return try await printTogether(devices, body) }
    guard devices.count > 1 else {
      var one = self
      one.device = devices
      return try await body(one)
    }
    var worst: Failure?
    var silent: ExitStatus?
    for name in devices {
      var one = self
      one.device = [name]
      do {
        try await body(one)
      } catch let failure as Failure {
        if let worst, worst.exit.rawValue > failure.exit.rawValue {
          failure.report(isJSON: isMachineReadable)
        } else {
          worst?.report(isJSON: isMachineReadable)
          worst = failure
        }
      } catch let end as Silent {
        if silent.map({ $0.rawValue < end.exit.rawValue }) ?? true { silent = end.exit }
      }
    }
    guard let worst else {
      if let silent { throw Silent(exit: silent) }
      return
    }
    guard let silent, silent.rawValue > worst.exit.rawValue else { throw worst }
    worst.report(isJSON: isMachineReadable)
    throw Silent(exit: silent)
  }
}

extension CallOptions {
  /// Prints what the body prints for each device as one document, in the order of the devices; a failure is the document of its device.
  private func printTogether(
    _ devices: [String], _ body: (CallOptions) async throws -> Void
  ) async throws {
    var documents: [JSONValue] = []
    var worst: ExitStatus?
    for name in devices {
      var one = self
      one.device = [name]
      let output = PrintedOutput()
      var failed: Failure?
      var exit: ExitStatus?
      do {
        try await Console.$printed.withValue(output) { try await body(one) }
      } catch let failure as Failure {
        (failed, exit) = (failure, failure.exit)
      } catch let end as Silent {
        exit = end.exit
      }
      var document = try? JSONValue(parsing: output.data)
      if let failed { document = Self.failure(failed, of: name, beside: document) }
      if let document { documents.append(document) }
      if let exit, worst.map({ $0.rawValue < exit.rawValue }) ?? true { worst = exit }
    }
    Console.print(["devices": .array(documents)] as JSONValue)
    if let worst, worst != .done { throw Silent(exit: worst) }
  }

  private static func failure(
    _ failure: Failure, of device: String, beside printed: JSONValue?
  ) -> JSONValue {
    var members = printed?.object ?? [:]
    if members["device"] == nil { members["device"] = .string(device) }
    members["error"] = failure.typed.shown.json
    return .object(members)
  }
}

extension Failure {
  fileprivate func report(isJSON: Bool) {
    if isJSON { Console.print(typed.json) } else { report() }
  }
}
