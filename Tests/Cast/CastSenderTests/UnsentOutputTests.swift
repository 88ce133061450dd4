import CastProtocol
import CastReceiverSim
import Testing

@testable import CastSender

extension SenderTests {
  /// What a connection keeps for a peer that does not read.
  @Suite(.timeLimit(.minutes(5))) struct UnsentOutputTests {
    @Test("all requests that a session may have open fit, and answers to endless PINGs do not")
    func counts() throws {
      let output = UnsentOutput()
      let longest = FrameCodec.headerLength + FrameCodec.maximumBodyLength
      for _ in 0..<RequestTable.limit { #expect(output.add(longest)) }
      let pong = try FrameCodec.encode(HeartbeatMachine.pong(to: HeartbeatMachine.ping)).count
      let answered = (0..<100_000).count { _ in output.add(pong) }
      #expect(answered > 1000 && answered < 100_000)
      #expect(!output.add(longest))
      for _ in 0..<RequestTable.limit { output.remove(longest) }
      #expect(output.add(longest))
    }

    @Test("a connection to a device that does not read closes at the limit, and says so")
    func closes() async throws {
      let device = try await SimulatedDevice.start()
      let (ends, end) = AsyncStream.makeStream(of: TransportCloseReason.self)
      let connection = try await TLSTransport(group: SimulatedDevice.group, mostUnsent: 1 << 20).open(
        device.device.endpoint, name: "Lobby", timeout: .seconds(60), early: nil
      ) { event in
        guard case .closed(let reason) = event else { return }
        end.yield(reason)
        end.finish()
      }
      try await device.server.control(.drop(for: .seconds(600), .silent))
      // More than the buffers of two sockets hold.
      let message = CastMessage(
        source: .platformSender, destination: .receiver, namespace: .heartbeat,
        payload: .string(String(repeating: "x", count: 60_000)))
      for _ in 0..<300 { connection.send(message) }
      var reasons: [TransportCloseReason] = []
      for await reason in ends { reasons.append(reason) }
      guard case .failed(let error)? = reasons.first else {
        Issue.record("\(reasons)")
        return
      }
      #expect(error.code == .networkError && error.message.contains("does not read what it is sent"))
      await connection.close()
      try await device.stop()
    }
  }
}
