import CastProtocol
import CastTLS
import Synchronization

extension SimServer {
  /// Makes the receiver known on the network, and keeps what is told of it true: its name, the application that runs, its
  /// text, its namespaces (protocol 13.2, 13.4). Without power or network it falls silent, and announces itself when it is back.
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

  /// Nil when the system refuses SHA-1: then nobody finds the device by it.
  private static func hash(_ namespace: String) -> String? {
    do throws(TLSError) {
      return try SHA1.text(of: Array(namespace.utf8))
    } catch {
      return nil
    }
  }
}
