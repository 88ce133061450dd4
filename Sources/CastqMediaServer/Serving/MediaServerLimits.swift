/// Bounds on what strangers on the network can make the media server hold.
package struct MediaServerLimits: Sendable {
  /// Connections in all. For one more the oldest is closed that has named no published file; where there is none, the one more.
  package var connections = 256
  /// Connections from one IP address, in the same way. Devices open several and abort them (protocol 12.4), never this many.
  package var connectionsPerAddress = 64
  /// From the first byte of a request, or from the start of the connection, to the end of its header and body.
  package var requestTime: Duration = .seconds(10)
  /// Between one answer and the next request. While an answer is being sent nothing is timed: a paused player reads
  /// no byte for hours and goes on afterwards.
  package var idleTime: Duration = .seconds(60)
  /// Request line and header fields together, in bytes.
  package var headerBytes = 16 * 1024
  /// Body of a request, in bytes; it is read and thrown away.
  package var bodyBytes = 64 * 1024
  /// Requests that wait on one connection while an earlier one is answered.
  package var waitingRequests = 64
  /// Files published at a time.
  package var publishedFiles = 100_000
  /// Bytes handed to the system at a time, so that one fast reader does not keep the others waiting.
  package var pieceBytes = 512 * 1024
  /// How often a file that is being sent is looked at for having become shorter.
  package var shrinkCheck: Duration = .milliseconds(250)

  /// The defaults above.
  package init() {}
}
