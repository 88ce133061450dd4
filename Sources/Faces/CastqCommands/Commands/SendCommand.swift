import ArgumentParser
import CastProtocol
import CastqFeeding
import CastqOperations
import CastqStore
import CastqText

/// `castq send NAMESPACE MESSAGE`
struct SendCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send a message to the running application on a custom namespace.",
    discussion: """
      The message is sent unchanged: JSON or any text. Delivery is not confirmed. --wait prints the next message of the \
      application on this namespace, and exits 124 when --timeout passes first. With --app the message goes to that \
      application only.
      """)

  @OptionGroup var given: GivenOptions

  @Argument(help: "Such as urn:x-cast:com.example.game.")
  var namespace: String

  @Argument(help: "JSON or any other text.")
  var message: String

  @Flag(help: "Print the first answer.")
  var wait = false

  @Flag(help: "Launch the application of --app if it is not running.")
  var launch = false

  func validate() throws {
    if launch, global.app == nil { throw ValidationError("--launch needs --app ID") }
    if let problem = ChannelNamespace.problem(with: namespace) { throw ValidationError(problem) }
  }

  func run() async throws { try await global.forEach(send) }

  private func send(_ global: CallOptions) async throws {
    let live = try await LiveControl(global)
    let patience = wait ? global.deviceTimeout.seconds : nil
    let text = ChannelText(namespace: namespace, text: message, wait: patience, application: global.app)
    let result = try await live.ask(.send(text), launching: launch)
    guard let answer = result["answer"]?.string else { return }
    if global.isMachineReadable {
      let document: JSONValue = [
        "device": .string(live.device.label), "namespace": .string(namespace), "answer": .string(answer),
      ]
      Console.print(document)
    } else {
      Console.print(TerminalText.sanitized(answer))
    }
  }
}
