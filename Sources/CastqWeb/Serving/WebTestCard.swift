import CWebAssets

/// A picture that shows that a screen works, for those who have nothing to play yet.
package enum WebTestCard {
  /// What stands for it among the sources of a request.
  package static let source = "castq:test-card"
  /// The name of its asset.
  package static let name = "test-card.png"

  /// The picture, a PNG of 1280 × 720.
  package static var bytes: [UInt8] {
    var index: UInt = 0
    while let asset = castq_web_asset_at(index)?.pointee {
      if String(cString: asset.name) == name {
        return Array(UnsafeBufferPointer(start: asset.bytes, count: Int(asset.length)))
      }
      index += 1
    }
    return []
  }
}
