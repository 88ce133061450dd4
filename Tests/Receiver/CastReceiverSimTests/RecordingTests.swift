import CastProtocol
import CastReceiverSim
import Testing

struct RecordingTests {
  /// Messages may be this many seconds apart: a browser's decoder is no clock.
  static let timeTolerance = 0.4

  @Test("the model says what the genuine framework said, word for word", arguments: Recording.allCases)
  func replay(recording: Recording) throws {
    let messages = try recording.messages()
    var configuration = ReceiverConfiguration()
    configuration.shuffleOrder = .scripted(recording.shuffles)
    configuration.startLatency = recording.startLatency
    var stage = Stage(configuration, senders: ["sender-0", "sender-1"]) { url, type in
      (Stage.recordedMedia(url, type).0, recording.latency(of: url))
    }
    let start = stage.receiver.now
    for request in messages where request.isRequest {
      stage.receiver.advance(to: start + .seconds(request.time))
      stage.receiver.send(
        request.body, .media, from: EndpointID(request.peer), to: stage.transport, over: Stage.connection)
    }
    stage.receiver.advance(to: start + .seconds(messages.last?.time ?? 0) + .milliseconds(300))
    let said = stage.receiver.takeOutputs().filter { $0.message?.namespace == .media }
    let expected = messages.filter { !$0.isRequest }
    for (index, pair) in zip(expected, said).enumerated() {
      let message = try #require(pair.1.message)
      let time = (pair.1.tick - start).seconds
      let place = "\(recording) message \(index) at \(pair.0.time)"
      let differences = JSONComparison.differences(pair.0.body, try #require(message.body))
      #expect(differences == [], "\(place)")
      #expect(message.destination.rawValue == pair.0.peer, "\(place)")
      #expect(abs(time - pair.0.time) <= Self.timeTolerance, "\(place), said at \(time)")
      // What follows a message in the wrong place says nothing more.
      if pair.0.body["type"] != message.body?["type"] { break }
    }
    let rest = said.dropFirst(expected.count).compactMap(\.message?.body?.text)
    #expect(said.count == expected.count, "\(recording): \(rest)")
  }
}
