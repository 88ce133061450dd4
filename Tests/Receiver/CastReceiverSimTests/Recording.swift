import CastProtocol
import CastReceiverSim
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
  case decodeError = "decode_error"
  case ad404 = "ad_404"
  case nextWhileBuffering = "next_while_buffering"
  case neverAnswers = "never_answers"

  /// Orders that the framework's random shuffles had, in the order of the recording.
  var shuffles: [[Int]] {
    switch self {
    case .queue: [[1, 2, 4, 5, 3], [4, 5, 2]]
    case .repeat: [[1, 2, 4, 3]]
    case .basic, .breaks, .tracks, .live, .decodeError, .ad404, .nextWhileBuffering, .neverAnswers: []
    }
  }

  /// How long a medium took to arrive where that decides the order of messages; 20 ms is usual.
  func latency(of url: String) -> Duration {
    let name = url.split(separator: "/").last ?? ""
    let known: [Substring: Int] =
      switch self {
      case .breaks: ["v6.mp4": 76, "v2.mp4": 80]
      case .decodeError, .ad404, .nextWhileBuffering, .neverAnswers:
        [
          "a3.mp4": 70, "b3.mp4": 100, "d5.mp4": 150, "big20.mp4?rate=250000": 360,
          "b3.mp4?delay=900": 900_000,
        ]
      case .basic, .queue, .repeat, .tracks, .live: [:]
      }
    return .milliseconds(known[name] ?? 20)
  }

  /// From the PLAYING status to the first frame: the later four were made by a browser that was slower.
  var startLatency: Duration {
    switch self {
    case .decodeError, .ad404, .nextWhileBuffering, .neverAnswers: .milliseconds(200)
    case .basic, .queue, .repeat, .breaks, .tracks, .live: ReceiverConfiguration().startLatency
    }
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

  /// The media of the recordings: `vN.mp4` lasts N seconds, `nope*` and `nothing*` do not exist, `*.jpg` is an image;
  /// `trunc` is cut near its beginning, and what comes at a low `rate` buffers.
  static func answer(_ url: String) -> FetchAnswer {
    let name = url.split(separator: "/").last.map(String.init) ?? ""
    if name.hasPrefix("nope") || name.hasPrefix("nothing") { return .missing }
    if name.hasSuffix(".jpg") { return .image }
    if name == "trunc.mp4" { return .flawed(20, .breaks(at: 0.1, code: 102)) }
    if name.contains("?rate=") { return .flawed(30, .stalls(at: 0, for: nil)) }
    return .video(Double(name.dropFirst().prefix { $0.isNumber }) ?? 0)
  }

  enum FetchAnswer: Equatable {
    case missing, image
    case video(Double)
    case flawed(Double, MediaFlaw)
  }
}
