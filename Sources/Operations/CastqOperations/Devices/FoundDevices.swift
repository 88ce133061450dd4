package import CastSender
package import CastqStore
package import CastqText

extension Workspace {
  /// Stores devices that have answered, except the second speaker of a stereo pair (protocol 13.3).
  /// - Returns: their rows.
  @discardableResult
  package func keep(_ devices: [Device]) throws(Failure) -> [KnownDevice] {
    let shown = devices.filter { $0.capabilities?.contains(.multichannelMember) != true }
    return try ask { (here) throws(StoreError) in
      try here.devices.found(shown, adding: true, at: .now)
    }
  }
}
