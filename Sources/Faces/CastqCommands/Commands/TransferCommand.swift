import ArgumentParser
import CastqFeeding
import CastqOperations

/// `castq transfer --to DEVICE`
struct TransferCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer", abstract: "Move playback to another device, with its queue and position.",
    discussion: """
      A queue that castq feeds moves as a whole, with its entry numbers, and a background process feeds it there. Other \
      media is transferred by the devices themselves, or reloaded at the same position. If the other device cannot play \
      it, playback continues on the first.
      """)

  @OptionGroup var given: GivenOptions

  @Option(
    help: ArgumentHelp("Alias, name, UUID or host[:port] of the target device.", valueName: "sel"),
    completion: NameCompletion.knownDevices)
  var to: String

  func run() async throws {
    try await LiveControl(global, writes: true).perform(.transfer(to: to))
  }
}
