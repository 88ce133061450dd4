/// One response to a request for a published file.
package struct MediaServed: Sendable, Equatable {
  /// The token of the requested link.
  package let token: String
  /// IP address of the client, without port; nil when the connection closed before it could be read.
  package let client: String?
  /// HTTP status: 200, 206, 304, 404 (published, but the file is gone), 416, …
  package let status: Int
  /// Offset in the file at which the response starts, in bytes.
  package let offset: Int
  /// Bytes of the file passed to the network; after an abort a lower bound, counted in whole pieces.
  package let bytesSent: Int
  /// True when the whole response was passed to the network, false when the device disconnected or the file shrank.
  package let isComplete: Bool
}
