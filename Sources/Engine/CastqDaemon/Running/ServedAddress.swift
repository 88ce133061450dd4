import CastqMediaServer

/// Addresses at which castq serves files to devices.
package enum ServedAddress {
  /// Whether an address that a device has is one of castq's: a secret that opens a file, and none of anybody else's business.
  package static func isServed(_ address: String) -> Bool { MediaLink.isLink(address) }

  /// The port at which they are served, as it is kept beside a database; nil before the first file was served, and where what is kept
  /// cannot be trusted.
  package static func port(beside database: String) -> Int? {
    (try? MediaMemory(path: MediaMemory.path(ofDatabase: database)))?.port
  }
}
