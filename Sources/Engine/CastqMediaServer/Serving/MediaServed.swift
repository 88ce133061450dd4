/// One response of the server: what an access log has a line for.
///
/// It has no part of the request's target: that of a published file is a secret, any other is a stranger's text.
package struct MediaServed: Sendable, Equatable {
  /// The published file: its canonical absolute path; nil when the request was not for one, or was no request at all.
  package let file: String?
  /// IP address of the client, without port, IPv4 where it is one; nil when the connection closed before it could be read.
  package let client: String?
  /// `GET`, `HEAD`, …; nil when the request could not be parsed.
  package let method: String?
  /// HTTP status: 200, 206, 304, 404 (also published, but the file is gone), 416, …
  package let status: Int
  /// Offset in the file at which the response starts, in bytes.
  package let offset: Int
  /// Bytes of the file passed to the network; after an abort a lower bound, counted in whole pieces.
  package let bytesSent: Int
  /// True when the whole response was passed to the network, false when the device disconnected or the file was overwritten.
  package let isComplete: Bool
  /// From the complete request to the end of its response.
  package let took: Duration

  package init(
    file: String?, client: String?, method: String?, status: Int, offset: Int, bytesSent: Int,
    isComplete: Bool, took: Duration
  ) {
    self.file = file
    self.client = client
    self.method = method
    self.status = status
    self.offset = offset
    self.bytesSent = bytesSent
    self.isComplete = isComplete
    self.took = took
  }
}
