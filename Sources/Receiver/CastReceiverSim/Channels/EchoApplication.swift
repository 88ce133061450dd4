package import CastProtocol

/// An application for custom namespaces that echoes what it receives (protocol 16).
///
/// Text that is a JSON object with `requestId` is answered by `{"type":"ECHO","requestId":…,"echo":…}`; other text and all bytes
/// are returned unchanged. Some types are commands: `{"type":"BROADCAST","text":…}` sends to every sender, `LISTEN` and `UNLISTEN`
/// with a `namespace` add and remove it, `LAUNCH_DATA` requests the data of the launch, `EXIT` ends the application.
package enum EchoApplication {
  /// Plays no media.
  package static let plainID = "ECEC0001"
  /// Plays media, too; runs as an Android TV application where a sender allows that.
  package static let mediaID = "ECEC0002"
  /// The id of `mediaID` as an Android TV application.
  package static let androidID = "ECEC0003"
  package static let textNamespace: Namespace = "urn:x-cast:org.castq.echo"
  package static let binaryNamespace: Namespace = "urn:x-cast:org.castq.echo.binary"
  /// Its text must be JSON; other text is dropped without an answer (protocol 16).
  package static let strictNamespace: Namespace = "urn:x-cast:org.castq.echo.json"

  private static let namespaces = [textNamespace, binaryNamespace, strictNamespace].map(\.rawValue)

  static let profiles = [
    ReceiverConfiguration.Application(
      appID: plainID, displayName: "Echo", namespaces: namespaces),
    ReceiverConfiguration.Application(
      appID: mediaID, displayName: "Echo player",
      namespaces: [Namespace.media.rawValue] + namespaces, androidID: androidID),
  ]

  /// The effect of a message.
  enum Outcome: Sendable, Equatable {
    case answer(CastMessage.Payload)
    case nothing
    case launchData(JSONValue)
    case exit
    case broadcast(String)
    case listen(String)
    case unlisten(String)
  }

  static func outcome(of payload: CastMessage.Payload, in namespace: Namespace) -> Outcome {
    guard case .string(let text) = payload, let json = try? JSONValue(parsing: text),
      let members = json.object
    else { return namespace == strictNamespace ? .nothing : .answer(payload) }
    switch (members["type"]?.string, members["namespace"]?.string) {
    case ("LISTEN", let namespace?): return .listen(namespace)
    case ("UNLISTEN", let namespace?): return .unlisten(namespace)
    case ("EXIT", _): return .exit
    case ("LAUNCH_DATA", _): return .launchData(members["requestId"] ?? 0)
    case ("BROADCAST", _): return .broadcast(members["text"]?.string ?? "")
    default: break
    }
    guard let number = members["requestId"] else { return .answer(payload) }
    let answer: JSONValue = ["type": "ECHO", "requestId": number, "echo": json]
    return .answer(.string(answer.text))
  }
}
