package import CastProtocol
package import CastqPlaylists
package import CastqText

/// One command for one device, as one line of JSON on a feeder's socket.
package struct ControlRequest: Sendable, Hashable {
  /// Version of the protocol; a peer of another version is refused.
  package static let version = 2
  /// Largest size of a line, request or reply, in bytes.
  package static let lineLimit = 64 * 1024

  /// The device's number in the database that both ends use.
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

  /// Reads one line, without its line feed. The line is untrusted.
  package init(parsing line: [UInt8]) throws(Failure) {
    guard line.count <= Self.lineLimit else {
      throw .badRequest("a line is longer than \(Self.lineLimit) bytes")
    }
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(parsing: line) } catch {
      throw .badRequest("it is not JSON: \(error.reason)")
    }
    guard let version = json["castq"]?.int else { throw .badRequest("it has no version") }
    guard version == Self.version else {
      throw Failure(
        "version",
        "the feeder speaks version \(Self.version) and the request version \(version); restart the feeder",
        exit: .unreachable)
    }
    guard let device = json["device"]?.int else { throw .badRequest("it has no device") }
    self.init(device: DeviceID(Int64(device)), command: try ControlCommand(json: json))
  }
}

extension Failure {
  static func badRequest(_ why: String) -> Failure {
    Failure("bad_request", "the feeder does not understand the request: \(why)", exit: .usage)
  }
}
