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
      do throws(TextError) { return try place(node) } catch {
        report(node.place, error)
        return nil
      }
    }
  }

  private func place(_ node: DocumentNode) throws(TextError) -> LocalPlace {
    // Without quotes YAML may read an address with a port as a number; its text is what was written.
    guard case .scalar(let value, let text) = node.content, value != .null, value.bool == nil else {
      throw TextError("\(shown(node)) is no host with a port", hint: Self.placeHint)
    }
    let address: AdvertisedAddress
    do throws(TextError) { address = try AdvertisedAddress(text) } catch {
      throw TextError("\(shown(node)) is no host with a port", hint: Self.placeHint)
    }
    // A host alone would open everything that listens there.
    guard let port = address.port else {
      throw TextError("\(shown(node)) has no port", hint: Self.placeHint)
    }
    return LocalPlace(host: address.host, port: port)
  }
}
