import CastGuard
import CastSender
import CastqLink
import CastqMQTT
import CastqOperations
import CastqText

extension LinkOptions {
  /// Begins to call the broker of a site.
  /// - Parameters:
  ///   - address: that of the configuration.
  ///   - hasWill: whether the broker says that the site is gone when the connection ends without a word.
  func broker(_ address: String, site: String, hasWill: Bool = true) throws(Failure) -> MQTTClient {
    guard let broker = BrokerAddress(address) else {
      throw Failure(
        "configuration",
        "`mqtt` in \(configurationPath) is no address; write it as in mqtt://HOST:1883, and after mqtts://HOST at most ?ca= and the absolute path of a certificate, after mqtt://HOST ?tls=off",
        exit: .configuration)
    }
    guard broker.isClear || broker.hasTLS || broker.password == nil || HostName.isLoopback(broker.host) else {
      throw Failure(
        "configuration",
        "`mqtt` in \(configurationPath) would send a password in clear to \(broker.host): write mqtts://, or ?tls=off behind the address if that is meant",
        exit: .configuration)
    }
    let will = MQTTClient.Will(topic: LiveTopics(site: site).availability, payload: "offline")
    do throws(MQTTError) {
      return try MQTTClient(
        MQTTClient.Address(
          host: broker.host, port: broker.port, user: broker.user, password: broker.password,
          hasTLS: broker.hasTLS, authority: broker.authority),
        name: "castq-link-\(site)", will: hasWill ? will : nil,
        clock: { TimeSource.continuous.now().sinceStart })
    } catch {
      throw Failure("broker", "the broker: \(error)", exit: .configuration)
    }
  }
}
