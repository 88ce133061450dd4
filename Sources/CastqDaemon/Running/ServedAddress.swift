import CastqMediaServer

/// Addresses at which castq serves files to devices.
package enum ServedAddress {
  /// Whether an address that a device has is one of castq's: a secret that opens a file, and none of anybody else's business.
  package static func isServed(_ address: String) -> Bool { MediaLink.isLink(address) }
}
