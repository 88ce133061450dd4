import CastProtocol
import Glibc

/// Logs every message in both directions as JSON lines, for people and for tests.
package final class SimLog: Sendable {
  /// Why a log could not be opened; the description is for people.
  package struct OpenError: Error, CustomStringConvertible {
    package var description: String
  }

  private let descriptor: Int32

  /// Opens a file for appending.
  package init(path: String) throws(OpenError) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw OpenError(description: "cannot write the log \(path): \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Appends one line with one write, so that lines of several threads do not mix. A failed write is ignored: the simulation
  /// continues.
  func note(
    _ message: CastMessage, isIncoming: Bool, receiver: String, connection: SimConnectionID,
    at seconds: Double
  ) {
    let data: JSONValue =
      switch message.payload {
      case .string(let text): (try? JSONValue(parsing: text)) ?? .string(text)
      case .binary(let bytes): .array(bytes.map { .integer(Int64($0)) })
      }
    let line: JSONValue = [
      "t": .number((seconds * 1000).rounded() / 1000), "receiver": .string(receiver),
      "connection": .integer(Int64(connection.number)), "dir": isIncoming ? "in" : "out",
      "source": .string(message.source.rawValue), "destination": .string(message.destination.rawValue),
      "namespace": .string(message.namespace.rawValue), "data": data,
      "bytes": .integer(Int64(message.frameBodySize)),
    ]
    let bytes = Array((line.text + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }
}
