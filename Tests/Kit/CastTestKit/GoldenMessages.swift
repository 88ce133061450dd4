package import CastProtocol
import FoundationEssentials

/// A sample message in its form on the wire, from `Tests/Golden`.
package struct GoldenMessage: Sendable {
  /// Whose message it is: a sender's request or a receiver's reply.
  package enum Direction: String, Sendable {
    case request
    case reply
  }

  /// The folder: `receiver`, `multizone`, `discovery`, `setup`, `media` or `custom`.
  package var namespace: String
  package var type: String
  package var direction: Direction
  /// The section of the protocol that defines it.
  package var section: String
  package var note: String
  /// The receiver's state that the answer requires; nil for replies.
  package var given: String?
  /// The type of the answer; nil for replies.
  package var answer: String?
  package var json: JSONValue
}

/// All examples. A file holds those of one type and direction; requests are `TYPE.json`, replies `TYPE.reply.json`.
package enum GoldenMessages {
  package struct Malformed: Error { package var file: String }

  /// Reads `Tests/Golden`, found from this file's own path.
  package static func all() throws -> [GoldenMessage] {
    let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = project.appending(path: "Tests/Golden")
    var messages: [GoldenMessage] = []
    for namespace in try names(in: folder) {
      for file in try names(in: folder.appending(path: namespace)) where file.hasSuffix(".json") {
        let path = folder.appending(path: namespace).appending(path: file)
        messages += try read(Data(contentsOf: path), namespace, file)
      }
    }
    return messages
  }

  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private static func read(_ data: Data, _ namespace: String, _ file: String) throws -> [GoldenMessage] {
    let json = try JSONValue(parsing: Array(data))
    guard let type = json["type"]?.string, let section = json["section"]?.string,
      let direction = json["direction"]?.string.flatMap(GoldenMessage.Direction.init(rawValue:)),
      let examples = json["examples"]?.array, !examples.isEmpty
    else { throw Malformed(file: file) }
    return try examples.map { example in
      guard let note = example["note"]?.string, let body = example["json"] else {
        throw Malformed(file: file)
      }
      return GoldenMessage(
        namespace: namespace, type: type, direction: direction, section: section, note: note,
        given: example["given"]?.string, answer: example["answer"]?.string, json: body)
    }
  }
}
