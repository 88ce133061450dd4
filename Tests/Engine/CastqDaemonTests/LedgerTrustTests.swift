import CastProtocol
import CastqDaemon
import CastqStore
import CastqText
import Foundation
import Synchronization
import Testing
@testable import CastSender

extension DaemonTests {
  /// What the ledger's devices have to prove, and what is kept of it.
  @Suite struct LedgerTrustTests {
    /// A ledger with one device, and a clock that a test sets.
    private final class Ledger: Sendable {
      let folder: URL
      let store: DeviceStore
      let row: KnownDevice
      private let hours = Mutex(0.0)

      init() throws {
        folder = try Stage.makeFolder()
        store = DeviceStore(try Database(path: folder.appending(path: "queue.db").path))
        row = try store.add(name: "Hall", endpoint: DeviceEndpoint(host: "192.0.2.1"), at: .today)
      }

      deinit { try? FileManager.default.removeItem(at: folder) }

      var now: WallTime {
        hours.withLock { WallTime(milliseconds: WallTime.today.milliseconds + Int64($0 * 3_600_000)) }
      }
      func set(hour: Double) { hours.withLock { $0 = hour } }

      func trust(isFeeder: Bool = false) -> LedgerTrust {
        LedgerTrust(
          store: store, logger: Session.silentLogger, start: isFeeder ? now : nil, now: { self.now })
      }

      /// Whether it is asked at this hour, and how long it may take.
      func asks(_ trust: LedgerTrust? = nil) throws -> (Bool, Duration?) {
        let wanted = try (trust ?? self.trust()).trust(in: row)
        if case .off = wanted.policy { return (false, nil) }
        return (true, wanted.patience)
      }

      func report(_ verdict: DeviceVerdict, as device: Device? = nil) async throws {
        await (try trust().trust(in: row)).report?(device ?? row.castDevice, verdict)
      }

      var present: KnownDevice? { get throws { try store.device(row.id) } }
    }

    private static let identity = DeviceIdentity(
      keyHash: String(repeating: "a", count: 64), isAudioOnly: false, notBefore: 0, notAfter: 1,
      hash: "SHA-256")

    @Test(
      "a device that said nothing is asked again at each start of a feeder and once a day, not at each command"
    )
    func silence() async throws {
      let ledger = try Ledger()
      #expect(try ledger.asks() == (true, nil), "at first contact it has all the time there is")
      try await ledger.report(.unproved(CastError(.deviceAuthenticationTimeoutFailure, "it gives no answer")))
      #expect(try ledger.present?.canProve == nil)
      ledger.set(hour: 1)
      #expect(try ledger.asks().0 == false)
      let feeder = ledger.trust(isFeeder: true)
      #expect(try ledger.asks(feeder) == (true, .seconds(3)))
      try await ledger.report(.unproved(CastError(.deviceAuthenticationTimeoutFailure, "it gives no answer")))
      #expect(try ledger.asks(feeder).0 == false, "one that has asked since it was started")
      ledger.set(hour: 24.9)
      #expect(try ledger.asks().0 == false)
      ledger.set(hour: 25)
      #expect(try ledger.asks().0)
      ledger.set(hour: -5)
      #expect(try ledger.asks().0, "a clock that went back")
      try await ledger.report(.proved(Self.identity))
      #expect(try ledger.present?.pinnedKey == Self.identity.keyHash)
      #expect(try ledger.present?.silentAt == nil)
    }

    @Test("one that says that it cannot prove anything is asked each time, and pinned as soon as it can")
    func inability() async throws {
      let ledger = try Ledger()
      try await ledger.report(.unproved(CastError(.authenticationErrorReceived, "it answers with an error")))
      #expect(try ledger.present?.canProve == false)
      #expect(try ledger.asks().0)
      try await ledger.report(.proved(Self.identity))
      #expect(try ledger.present?.isPinned == true)
    }

    @Test("a pinned device that falls silent has to prove its key all the same")
    func pinned() async throws {
      let ledger = try Ledger()
      try await ledger.report(.proved(Self.identity))
      _ = try ledger.store.setSilent(ledger.row.id, at: .today)
      let trust = try ledger.trust().trust(in: ledger.row)
      guard case .pin(let pin?) = trust.policy else { throw CancellationError() }
      #expect(pin.keyHash == Self.identity.keyHash && trust.patience == nil)
    }

    @Test("a group is not pinned, whether its row says so or its announcement", arguments: [true, false])
    func group(isKnown: Bool) async throws {
      let ledger = try Ledger()
      var group = ledger.row.castDevice
      group.uniqueID = String(repeating: "1", count: 32)
      group.capabilities = [.multizoneGroup]
      if isKnown { try ledger.store.found([group], at: .today) }
      try await ledger.report(.proved(Self.identity), as: isKnown ? ledger.row.castDevice : group)
      #expect(try ledger.present?.isPinned == false)
    }

    @Test("a pinned device that is announced elsewhere as a group is called there as what it was")
    func moved() async throws {
      let ledger = try Ledger()
      var heard = ledger.row.castDevice
      heard.uniqueID = String(repeating: "1", count: 32)
      heard.capabilities = [.videoOut]
      try ledger.store.pin(Self.identity.keyHash, of: ledger.row.id, at: .today)
      try ledger.store.found([heard], at: .today)
      let row = try #require(try ledger.present)
      var impostor = heard
      impostor.endpoint = DeviceEndpoint(host: "192.0.2.66")
      impostor.capabilities = [.multizoneGroup]
      let resolver = LedgerResolver(
        store: ledger.store, finder: FakeFinder([impostor]), logger: Session.silentLogger, now: { .today })
      let found = await resolver.locate(row.castDevice)
      #expect(found.endpoint.host == "192.0.2.66" && found.type == .tv)
      #expect(try ledger.present?.isGroup == false)
    }
  }
}
