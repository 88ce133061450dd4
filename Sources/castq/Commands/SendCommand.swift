import ArgumentParser
import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore

/// `castq send NAMESPACE MESSAGE`
struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Say something to the running application on a namespace of its own.",
    discussion: """
      The message goes out as it is: JSON, or any text. Nothing confirms that the application took it; --wait prints the \
      first thing it says on that namespace afterwards, and exits 124 when --timeout passes before. With --app it goes to \
      this application alone.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "Such as urn:x-cast:com.example.game.")
  var namespace: String

  @Argument(help: "What to say.")
  var message: String

  @Flag(help: "Print the first answer.")
  var wait = false

  @Flag(help: "Launch the application of --app when it does not run.")
  var launch = false

  func validate() throws {
    if launch, global.app == nil { throw ValidationError("--launch needs --app ID") }
    if let problem = ChannelNamespace.problem(with: namespace) { throw ValidationError(problem) }
  }

  func run() async throws {
    let live = try await LiveControl(global)
    let patience = wait ? global.deviceTimeout.seconds : nil
    let text = ChannelText(namespace: namespace, text: message, wait: patience, application: global.app)
    let told = try await live.perform(.send(text), launching: launch)
    guard let answer = told["answer"]?.string else { return }
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
