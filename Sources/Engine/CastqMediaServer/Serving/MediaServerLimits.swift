/// Limits on the resources that peers can occupy.
package struct MediaServerLimits: Sendable {
  /// Connections in total. At the limit, the oldest connection that requested no published file is closed for a new one;
  /// without such a connection, the new one is refused.
  package var connections = 256
  /// Connections from one IP address, with the same rule, for each device that is fed there. Devices open several and abort them
  /// (protocol 12.4), but never this many.
  package var connectionsPerAddress = 64
  /// Time from the first byte of a request, or from the start of the connection, to the end of its header and body.
  package var requestTime: Duration = .seconds(10)
  /// Time between one response and the next request. No time limit applies during a response: a paused player reads no byte for
  /// hours and continues afterwards.
  package var idleTime: Duration = .seconds(60)
  /// Request line and header fields together, in bytes.
  package var headerBytes = 16 * 1024
  /// Body of a request, in bytes; it is read and discarded.
  package var bodyBytes = 64 * 1024
  /// Requests that wait on one connection during a response.
  package var waitingRequests = 64
  /// Number of files published at the same time.
  package var publishedFiles = 100_000
  /// Bytes passed to the system at a time, so that one fast reader does not delay the others.
  package var pieceBytes = 512 * 1024
  /// Interval at which a file is checked for being overwritten during a response; it is also checked before each piece. The times above
  /// are kept to within it. With thousands of connections it is as many times as long.
  package var fileCheck: Duration = .milliseconds(250)

  /// The defaults above.
  package init() {}
}
