import CastProtocol
import CastTLS
import Synchronization

extension SimServer {
  /// Advertises the receiver on the network and keeps its records current: its name, the running application, the status text, the
  /// namespaces (protocol 13.2, 13.4). It is silent without power or network, and announces itself when it is back.
  @discardableResult
  package func advertise(_ options: AdvertisingOptions) async throws -> Advertiser {
    let receiver = AdvertisedReceiver(configuration, port: port)
    let advertiser = try await Advertiser.start(
      receiver, bind: bind, options: options, seed: configuration.seed, on: loop)
    advertising.withLock { $0 = advertiser }
    await watch { appearance in
      let hashes = appearance.namespaces.compactMap(Self.hash)
      advertiser.setSilent(!appearance.isPresent)
      advertiser.change {
        $0.friendlyName = appearance.friendlyName
        $0.isBusy = appearance.isBusy
        $0.statusText = appearance.statusText
        $0.namespaceHashes = hashes
      }
    }
    return advertiser
  }

  /// Nil when the system refuses SHA-1: then the device cannot be found by namespace.
  private static func hash(_ namespace: String) -> String? {
    do throws(TLSError) {
      return try SHA1.text(of: Array(namespace.utf8))
    } catch {
      return nil
    }
  }
}
