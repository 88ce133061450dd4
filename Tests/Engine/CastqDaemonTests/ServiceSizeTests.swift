import CastReceiverSim
import CastqDaemon
import CastqFeeding
import Testing

extension DaemonTests {
  @Suite struct ServiceSizeTests {
    @Test("a reader can hold the service in the head: what has a state of its own is a type of its own")
    func size() async throws {
      let stage = try await Stage()
      let service = try DaemonService(
        database: stage.database, configuration: DaemonConfiguration(), settings: DaemonSettings())
      let stored = Mirror(reflecting: service).children.compactMap(\.label)
      #expect((5...12).contains(stored.count), "\(stored)")
      await stage.server.stop()
    }
  }
}
