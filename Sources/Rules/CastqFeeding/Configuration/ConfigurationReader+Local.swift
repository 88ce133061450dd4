import CastGuard
import CastProtocol
import CastqText

// What may be asked whoever names it.

extension ConfigurationReader {
  private static var placeHint: FaceWords { "write it as in \"127.0.0.1:8000\" or \"nas.lan:80\"" }

  /// Hosts with their ports; one needs no list.
  mutating func allowedLocal(_ node: DocumentNode) -> [LocalPlace] {
    if case .scalar(.null, _) = node.content { return [] }
    return (node.list ?? [node]).compactMap { node in
      value(node) { () throws(TextError) in try Self.place(node) }
    }
  }

  private static func place(_ node: DocumentNode) throws(TextError) -> LocalPlace {
    let text = try node.plainText("a host with a port", hint: placeHint)
    guard let address = try? AdvertisedAddress(text) else {
      throw TextError("\(node.shown) is not a host with a port", hint: placeHint)
    }
    // A host alone would open everything that listens there.
    guard let port = address.port else {
      throw TextError("\(node.shown) has no port", hint: placeHint)
    }
    return LocalPlace(host: address.host, port: port)
  }
}
