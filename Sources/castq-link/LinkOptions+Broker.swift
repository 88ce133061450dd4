import CastSender
import CastqCore
import CastqLink
import CastqMQTT

extension LinkOptions {
  /// Begins to call the broker of a site.
  /// - Parameter address: that of the configuration.
  func broker(_ address: String, site: String) throws(ControlFailure) -> MQTTClient {
    guard let broker = BrokerAddress(address) else {
      throw ControlFailure(
        "configuration",
        "`mqtt` in \(configurationPath) is no address; write it as in mqtt://HOST:1883, and after mqtts://HOST at most ?ca= and the absolute path of a certificate",
        exit: .configuration)
    }
    let will = MQTTClient.Will(topic: LiveTopics(site: site).availability, payload: "offline")
    do throws(MQTTError) {
      return try MQTTClient(
        MQTTClient.Address(
          host: broker.host, port: broker.port, user: broker.user, password: broker.password,
          hasTLS: broker.hasTLS, authority: broker.authority),
        name: "castq-link-\(site)", will: will, clock: { TimeSource.continuous.now().sinceStart })
    } catch {
      throw ControlFailure("broker", "the broker: \(error)", exit: .configuration)
    }
  }
}
