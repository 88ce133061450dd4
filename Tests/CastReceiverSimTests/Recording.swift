import CastProtocol
import FoundationEssentials

/// One line of a recording of the genuine receiver framework (protocol 21).
struct RecordedMessage {
  /// Seconds since the recording began.
  var time: Double
  var isRequest: Bool
  /// Who asked, or whom the receiver answered; `*` for everybody.
  var peer: String
  var body: JSONValue
}

/// The recordings beside this file.
enum Recording: String, CaseIterable, Sendable {
  case basic, queue, `repeat`, breaks, tracks, live

  /// Orders that the framework's random shuffles had, in the order of the recording.
  var shuffles: [[Int]] {
    switch self {
    case .queue: [[1, 2, 4, 5, 3], [4, 5, 2]]
    case .repeat: [[1, 2, 4, 3]]
    default: []
    }
  }

  /// How long a medium took to arrive where that decides the order of messages; 20 ms is usual.
  func latency(of url: String) -> Duration {
    let name = url.split(separator: "/").last ?? ""
    let known: [Substring: Int] = self == .breaks ? ["v6.mp4": 76, "v2.mp4": 80] : [:]
    return .milliseconds(known[name] ?? 20)
  }

  func messages() throws -> [RecordedMessage] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let url = folder.appending(path: "Recordings/\(rawValue).jsonl")
    return try String(decoding: Data(contentsOf: url), as: UTF8.self).split(separator: "\n").map { line in
      let value = try JSONValue(parsing: String(line))
      let isRequest = value["dir"]?.string == "in"
      let peer = value[isRequest ? "frm" : "to"]?.string ?? ""
      return RecordedMessage(
        time: value["t"]?.double ?? 0, isRequest: isRequest, peer: peer == "*:*" ? "*" : peer,
        body: value["data"] ?? .null)
    }
  }

  /// The media of the recordings: `vN.mp4` lasts N seconds, `nope*` does not exist, `*.jpg` is an image.
  static func answer(_ url: String) -> FetchAnswer {
    let name = url.split(separator: "/").last.map(String.init) ?? ""
    if name.hasPrefix("nope") { return .missing }
    if name.hasSuffix(".jpg") { return .image }
    return .video(Double(name.dropFirst().prefix { $0.isNumber }) ?? 0)
  }

  enum FetchAnswer: Equatable {
    case missing, image
    case video(Double)
  }
}
