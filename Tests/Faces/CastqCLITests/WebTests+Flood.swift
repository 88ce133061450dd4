import Foundation
import Testing

/// Somebody who asks more than devices can answer.
extension WebTests {
  @Test("whoever asks devices that do not answer keeps nobody from commanding another one")
  func flooded() async throws {
    try await with { stage, receiver, page in
      let mute = try LocalConnection.listen()
      defer { close(mute.descriptor) }
      let names = (1...20).map { "hang\($0)" }
      for (number, name) in names.enumerated() {
        try stage.add(device: name, at: "127.0.1.\(number + 1):\(mute.port)")
      }
      let tone = try stage.tone("a.wav", seconds: Stage.outlasting)
      _ = try await daemon(stage)
      let events = try page.events("?topics=history,health")
      #expect(await events.line(containing: "\"daemon\":true") != nil)
      let body = "{\"sources\":[\"\(tone)\"],\"play\":true}"
      #expect(try await page.ask("POST", "devices/lobby/queue", json: body).status == 201)
      #expect(await receiver.playing() != nil)
      // Each waits nine seconds for its device.
      let flood = try names.flatMap { ["\($0)/status", "\($0)/doctor"] }.map { path in
        let descriptor = try LocalConnection.open(page.port)
        try LocalConnection.send(
          "GET /api/v1/devices/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\r\n", descriptor)
        return descriptor
      }
      defer { for descriptor in flood { close(descriptor) } }
      let paused = try await page.ask("POST", "devices/lobby/commands", json: "{\"verb\":\"pause\"}")
      let number = try #require(try paused.json["request"]?.string)
      #expect(try #require(await events.line(containing: number)).contains("\"done\":true"))
      #expect(await receiver.request("PAUSE") != nil)
    }
  }
}
