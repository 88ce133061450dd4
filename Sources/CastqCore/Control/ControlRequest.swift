package import CastProtocol

/// One live command for one device, as one line of JSON on a feeder's socket.
package struct ControlRequest: Sendable, Hashable {
  /// The form of the lines; a peer of another one is refused.
  package static let version = 1
  /// Most bytes of a line, request or reply.
  package static let lineLimit = 64 * 1024

  /// The device's number in the database that both ends have open.
  package var device: DeviceID
  package var command: ControlCommand

  package init(device: DeviceID, command: ControlCommand) {
    self.device = device
    self.command = command
  }
}

extension ControlRequest {
  package var json: JSONValue {
    .members(["castq": .integer(Int64(Self.version)), "device": .integer(device.rawValue)])
      .keeping(command.members)
  }

  /// Reads one line, without its end. Strangers may write anything there.
  package init(parsing line: [UInt8]) throws(ControlFailure) {
    guard line.count <= Self.lineLimit else {
      throw .badRequest("a line is longer than \(Self.lineLimit) bytes")
    }
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(parsing: line) } catch {
      throw .badRequest("it is not JSON: \(error.reason)")
    }
    guard let version = json["castq"]?.int else { throw .badRequest("it has no version") }
    guard version == Self.version else {
      throw ControlFailure(
        "version",
        "the feeder speaks version \(Self.version) and was asked in \(version); end it and start anew",
        exit: .unreachable)
    }
    guard let device = json["device"]?.int else { throw .badRequest("it names no device") }
    self.init(device: DeviceID(Int64(device)), command: try ControlCommand(json: json))
  }
}

extension ControlFailure {
  static func badRequest(_ why: String) -> ControlFailure {
    ControlFailure("bad_request", "the feeder does not understand the request: \(why)", exit: .usage)
  }
}
