/// One answered request for a published file: what a device fetched, or tried to.
package struct MediaServed: Sendable, Equatable {
  /// The token of the link that was asked for.
  package let token: String
  /// IP address of the one who asked, without port; nil when the connection was gone before it could be read.
  package let client: String?
  /// HTTP status: 200, 206, 304, 404 (published, but the file is gone), 416, …
  package let status: Int
  /// Where in the file the answer starts, in bytes.
  package let offset: Int
  /// Bytes of the file handed to the network; after an abort a lower bound, counted in whole pieces.
  package let bytesSent: Int
  /// True when the whole answer was handed to the network, false when the device hung up or the file shrank.
  package let isComplete: Bool
}
