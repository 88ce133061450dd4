import CastProtocol
import Foundation
import Testing

/// Agreement with the protobuf runtime of another language, through `Foreign/check_cast_message.py`.
@Suite(
  "The protobuf runtime as a judge",
  .enabled(
    if: ProcessInfo.processInfo.environment["CASTQ_PYTHON"] != nil,
    "set CASTQ_PYTHON to a Python that has the package protobuf"))
struct ForeignProtobufTests {
  /// Pipes frames through the script; one answer for each.
  private func judge(_ frames: [[UInt8]]) throws -> [JSONValue] {
    let python = try #require(ProcessInfo.processInfo.environment["CASTQ_PYTHON"])
    let folder = FileManager.default.temporaryDirectory.appending(path: "castq-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files instead of pipes: nobody has to read while the other writes.
    let input = folder.appending(path: "input")
    let output = folder.appending(path: "output")
    try Data(frames.map { $0.hex + "\n" }.joined().utf8).write(to: input)
    try Data().write(to: output)
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Foreign/check_cast_message.py")
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = [script.path]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    let answers = try Data(contentsOf: output).split(separator: UInt8(ascii: "\n"))
      .map { try JSONValue(parsing: Array($0)) }
    try #require(answers.count == frames.count)
    return answers
  }

  private func expect(_ answer: JSONValue, describes message: CastMessage) {
    #expect(answer["source"]?.string == message.source.rawValue)
    #expect(answer["destination"]?.string == message.destination.rawValue)
    #expect(answer["namespace"]?.string == message.namespace.rawValue)
    switch message.payload {
    case .string(let text): #expect(answer["text"]?.string == text)
    case .binary(let bytes): #expect(answer["binary"]?.string == bytes.hex)
    }
  }

  @Test("the runtime reads what we write, and we read what it writes, also as a later version would")
  func bothWays() throws {
    var generator = SeededGenerator(seed: 4)
    let messages = (0..<200).map { _ in generator.message() }
    let answers = try judge(messages.map { try FrameCodec.encode($0) })
    for (message, answer) in zip(messages, answers) {
      expect(answer, describes: message)
      #expect(answer["version"] == 0)
      let frames = answer["frames"].list(\.string) ?? []
      #expect(frames.count == 2)
      #expect(try frames.first == FrameCodec.encode(message).hex)
      for frame in frames {
        var decoder = FrameDecoder()
        #expect(try decoder.append([UInt8](hex: frame)) == [message])
      }
    }
  }

  @Test("of damaged messages that both accept, both read the same")
  func damaged() throws {
    var generator = SeededGenerator(seed: 5)
    var bodies: [[UInt8]] = []
    for _ in 0..<2_000 {
      var body = try CastMessageCodec.encode(generator.message())
      generator.mutate(&body)
      bodies.append(body)
    }
    let answers = try judge(
      bodies.map { body in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) } + body
      })
    var agreed = 0
    for (body, answer) in zip(bodies, answers) where answer["error"] == nil && answer["chunk"] == false {
      // The runtime is content with empty ids and without a payload; the channel is not (protocol 1.3).
      guard answer["source"] != "", answer["destination"] != "", answer["namespace"] != "",
        answer[answer["type"] == 0 ? "text" : "binary"] != nil
      else { continue }
      expect(answer, describes: try CastMessageCodec.decode(body))
      agreed += 1
    }
    #expect(agreed > 80)
  }
}
