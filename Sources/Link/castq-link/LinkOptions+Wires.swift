import CastGuard
import CastProtocol
import CastqFeeding
import CastqLink
import CastqOperations
import CastqPostgres
import Glibc

/// How the centre and the broker are reached, and what somebody on the way could do.
extension LinkOptions {
  /// The address of the centre.
  func address(_ text: String) -> CentreAddress { CentreAddress(text, isThisComputer: HostName.isLoopback) }

  /// What is said once, when a service begins: what the addresses allow others, and who may read them.
  func sayWeaknesses(_ rules: LinkRules) {
    let centre = rules.postgres.map(address)
    let broker = rules.mqtt.flatMap { BrokerAddress($0) }
    if let weakness = centre?.weakness { LinkOutput.say("castq-link: \(weakness)") }
    if let broker, broker.isClear, !HostName.isLoopback(broker.host), broker.password != nil {
      LinkOutput.say(
        "castq-link: the address of the broker says tls=off: whoever is on the way reads its password, and sends commands"
      )
    }
    let hasSecret =
      centre?.hasPassword == true || broker?.password != nil
      || rules.bundle.map { AddressText.withoutSecrets($0) != $0 } == true
    var status = stat()
    guard hasSecret, stat(configurationPath, &status) == 0, status.st_mode & S_IROTH != 0 else { return }
    LinkOutput.say(
      "castq-link: everybody on this computer may read the passwords in \(configurationPath): chmod o= it, and let castq's group read it"
    )
  }
}
