import CastSender
import CastTestKit
import Foundation
import Testing

/// What the article about the protocol's coverage says is so.
@Suite struct CoverageTests {
  private static let rows = Result {
    CoverageTable.rows(
      in: try String(
        contentsOf: Files.root.appending(path: "Sources/Cast/CastSender/CastSender.docc/ProtocolCoverage.md"),
        encoding: .utf8))
  }

  private static func golden(_ direction: GoldenMessage.Direction) throws -> [GoldenMessage] {
    try GoldenMessages.all().filter { $0.direction == direction }
  }

  @Test("every row has its golden file, every golden file its row, and no cell is empty")
  func rowsAndFilesMatch() throws {
    let rows = try Self.rows.get()
    for row in rows {
      #expect(row.golden == "\(row.folder)/\(row.type)\(row.isReply ? ".reply" : "").json")
      #expect(!row.cells.contains(""), "\(row.golden)")
    }
    let files = Set(try GoldenMessages.all().map(\.file))
    #expect(rows.map(\.golden).sorted() == files.sorted())
    #expect(files.count > 60)
  }

  @Test("a row names the section of its golden file, and what the simulator answers to it")
  func rowsTellOfFiles() throws {
    for row in try Self.rows.get() {
      let examples = try GoldenMessages.all().filter { $0.file == row.golden }
      for section in Set(examples.map(\.section)) {
        #expect(row.cells[2].split(separator: ", ").contains { $0 == section }, "\(row.golden): \(section)")
      }
      for answer in Set(examples.compactMap(\.answer)) {
        #expect(row.cells[5].contains("`\(answer)`"), "\(row.golden): \(answer)")
      }
    }
  }

  @Test("a sender says what the golden file says, to the last character")
  func writesGoldenRequests() throws {
    let messages = try Self.golden(.request)
    let ours = messages.filter { $0.given?.hasSuffix("not ours") != true }
    #expect(Set(ours.map(\.name)) == Set(GoldenRequests.all.keys))
    for message in ours {
      let number = RequestID((message.json["requestId"] ?? message.json["request_id"])?.int ?? 0)
      let session = message.json["mediaSessionId"]?.int.map(MediaSessionID.init)
      let written = GoldenRequests.all[message.name]?.text(number, session)
      #expect(written == message.json.text, "\(message.name)")
    }
  }

  @Test("what a strict receiver would refuse is not sent")
  func doesNotWriteOthers() throws {
    for message in try Self.golden(.request) where message.given?.hasSuffix("not ours") == true {
      #expect(GoldenRequests.all[message.name] == nil, "\(message.name)")
    }
  }

  @Test("a sender understands what the golden file of a device says")
  func readsGoldenReplies() throws {
    for message in try Self.golden(.reply) where message.namespace != "custom" {
      #expect(message.json.messageType == message.type, "\(message.name)")
      #expect(Self.isUnderstood(message), "\(message.name)")
    }
  }

  private static func isUnderstood(_ message: GoldenMessage) -> Bool {
    switch message.namespace {
    case "receiver": if case .unknown = ReceiverReply.decode(message.json).content { false } else { true }
    case "media": if case .unknown = MediaReply.decode(message.json).content { false } else { true }
    default: if case .unknown = PlatformReply.decode(message.json).content { false } else { true }
    }
  }

  /// Where the code names the types it writes or reads, and the folders of their rows.
  private static let vocabulary: [(file: String, folders: [String], isReply: Bool)] = [
    ("MediaRequest", ["media"], false), ("ReceiverRequest", ["receiver"], false),
    ("PlatformMessages", ["multizone", "discovery", "setup"], false), ("MediaReply", ["media"], true),
    // The platform refuses in one way, under whatever namespace.
    ("ReceiverReply", ["receiver"], true),
    ("PlatformMessages", ["multizone", "discovery", "setup", "receiver"], true),
  ]

  @Test("every type that the code writes or reads has a row", arguments: vocabulary.indices)
  func everyTypeHasRow(_ index: Int) throws {
    let (file, folders, isReply) = Self.vocabulary[index]
    let source = try String(
      contentsOf: Files.root.appending(path: "Sources/Cast/CastProtocol/Messages/\(file).swift"),
      encoding: .utf8)
    // `case .play: "PLAY"` writes, `case "MEDIA_STATUS":` and `case loadFailed = "LOAD_FAILED"` read.
    let types =
      isReply
      ? source.matches(of: /case (?:\w+ = )?"(\w+)"/).map { String($0.1) }
      : source.matches(of: /case \.\w+: "(\w+)"/).map { String($0.1) }
    #expect(!types.isEmpty)
    let rows = try Self.rows.get()
    for type in types {
      #expect(
        rows.contains { $0.type == type && folders.contains($0.folder) && $0.isReply == isReply },
        "\(file) knows \(type)")
    }
  }

  @Test("a table is read cell by cell")
  func readsTables() {
    let rows = CoverageTable.rows(
      in: "### X\n\nGolden files in `media`. So.\n\n| message |\n|---|\n"
        + "| `PLAY` | to the device | 6.3 | ``X/a(b:)``, so | `media/PLAY.json` |  plays |\n")
    #expect(rows.count == 1 && rows.first?.type == "PLAY" && rows.first?.isReply == false)
    #expect(rows.first?.golden == "media/PLAY.json" && rows.first?.cells.last == "plays")
  }
}

extension GoldenMessage {
  /// Below `Tests/Golden`.
  fileprivate var file: String { "\(namespace)/\(type)\(direction == .reply ? ".reply" : "").json" }
  fileprivate var name: String { "\(namespace) \(type): \(note)" }
}

extension SenderRequest {
  /// What is sent, with members in the order of their names.
  fileprivate func text(_ number: RequestID, _ session: MediaSessionID?) -> String? {
    switch self {
    case .receiver(let request): request.json(requestID: number).text
    case .platform(let request): request.json(requestID: number).text
    case .media(let request, let data):
      request.json(requestID: number, mediaSessionID: session, customData: data).text
    case .message(let message): if case .text(let text) = message.payload { text } else { nil }
    }
  }
}
