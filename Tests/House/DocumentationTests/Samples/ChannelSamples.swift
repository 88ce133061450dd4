import CastSender
import Synchronization

// sample: ask
/// Sends a question to an application, and returns its reply: the message with the same number.
func ask(_ question: String, number: Int, over channel: GenericChannel) async throws(CastError) -> String? {
  let messages = channel.messages()
  try await channel.send(#"{"requestId":\#(number),"question":"\#(question)"}"#)
  for await case .text(let text) in messages where text.contains("\"requestId\":\(number)") {
    return text
  }
  return nil
}
// end sample

// sample: game-channel
/// The game's namespace: counts the game's messages.
final class GameChannel: CastChannel {
  let connection: ChannelConnection
  private let state = Mutex((isThere: false, heard: 0))
  var heard: Int { state.withLock { $0.heard } }
  var isThere: Bool { state.withLock { $0.isThere } }

  init() throws(CastError) {
    connection = try ChannelConnection(namespace: "urn:x-cast:com.example.game")
  }

  func didConnect(to application: ApplicationMetadata) { state.withLock { $0.isThere = true } }
  func didDisconnect(_ error: CastError?) { state.withLock { $0.isThere = false } }
  func didReceive(_ text: String) { state.withLock { $0.heard += 1 } }
}
// end sample

// sample: game-session
/// A session with an application that supports only the game's namespace.
func gameSession(with device: Device) -> Session {
  var options = SessionOptions(applicationID: "AAAA0001")
  options.requiredNamespaces = ["urn:x-cast:com.example.game"]
  return Session(device: device, options: options)
}
// end sample
