import CastProtocol
import Synchronization
import Testing

@testable import CastSender

extension SenderTests {
  /// Many who listen, each for as long as it likes.
  @Suite(.timeLimit(.minutes(5))) struct ListenerTests {
    @Test("listeners hear what changed, in order, and nothing that did not")
    func hearsChanges() async throws {
      let transport = ScriptedTransport(script: ScriptedApplication.script())
      let session = ScriptedApplication.session(transport)
      let listener = Hearing()
      session.add(listener)
      session.remoteMediaClient.add(listener)
      try await session.start()
      #expect(
        listener.heard == [
          "starting", "status", "volume 0.5", "media session 1", "playing", "metadata Film", "queue",
          "active",
        ])
      listener.forget()
      transport.say(.message(ScriptedApplication.mediaStatus(state: "PAUSED")))
      transport.say(
        .message(ScriptedApplication.mediaStatus(state: "PAUSED", title: "Other", items: [1, 2])))
      transport.say(.message(ScriptedApplication.status(namespaces: [ScriptedApplication.media])))
      await session.settle()
      await session.leave()
      #expect(
        listener.heard.filter { $0 != "ending" } == [
          "paused", "paused", "metadata Other", "queue", "status", "nothing", "metadata -", "queue", "ended",
          "end -",
        ])
    }

    @Test("listeners come and go while others are told, and those nobody keeps are gone")
    func comesAndGoes() async throws {
      let transport = ScriptedTransport(script: ScriptedApplication.script())
      let session = ScriptedApplication.session(transport)
      let client = session.remoteMediaClient
      let (second, third) = (Hearing(), Hearing())
      // The first removes the second and adds the third, in the middle of the telling.
      let first = Hearing {
        client.remove(second)
        client.add(third)
      }
      weak var unkept: Hearing?
      do {
        let listener = Hearing()
        unkept = listener
        client.add(listener)
      }
      for listener in [first, second, first] { client.add(listener) }
      try await session.start()
      transport.say(.message(ScriptedApplication.mediaStatus(state: "PAUSED")))
      await session.settle()
      await session.leave()
      #expect(unkept == nil)
      #expect(second.heard.isEmpty)
      #expect(third.heard.first != nil && first.heard.filter { $0 == "paused" }.count == 1)
    }

    @Test("a listener that ends while another one is added may remove itself")
    func endsWhileAdding() {
      let set = ListenerSet<Leaver>()
      let (first, second) = (Hearing(), Hearing())
      let identity = ObjectIdentifier(first)
      let last = Mutex<Leaver?>(Leaver { set.remove(identity) })
      // The set gets the last reference.
      set.add(identity) {
        last.withLock { last in
          defer { last = nil }
          return last
        }
      }
      set.add(ObjectIdentifier(second)) { nil }
      var heard = 0
      set.notify { _ in heard += 1 }
      #expect(heard == 0)
      #expect(last.withLock { $0 == nil })
      withExtendedLifetime((first, second)) {}
    }
  }
}

/// Does something when it ends.
private final class Leaver: Sendable {
  private let leave: @Sendable () -> Void
  init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
  deinit { leave() }
}

/// Writes down what it hears.
private final class Hearing: SessionListener, RemoteMediaClientListener {
  private let words = Mutex<[String]>([])
  private let first: @Sendable () -> Void

  init(_ first: @escaping @Sendable () -> Void = {}) { self.first = first }

  var heard: [String] { words.withLock { $0 } }
  func forget() { words.withLock { $0 = [] } }
  private func note(_ word: String) {
    first()
    words.withLock { $0.append(word) }
  }

  func session(_ session: Session, didChange state: SessionState) { note("\(state)") }
  func session(_ session: Session, didUpdate receiverStatus: ReceiverStatus) { note("status") }
  func session(_ session: Session, didReceiveDeviceVolume volume: DeviceVolume) {
    note("volume \(volume.level)")
  }
  func session(_ session: Session, didEndWith error: CastError?) {
    note("end \(error.map { "\($0.code)" } ?? "-")")
  }
  func remoteMediaClient(_ client: RemoteMediaClient, didStartMediaSessionWithID id: MediaSessionID) {
    note("media session \(id)")
  }
  func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaStatus: MediaStatus?) {
    note(mediaStatus.map { "\($0.playerState)" } ?? "nothing")
  }
  func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaMetadata: MediaMetadata?) {
    note("metadata \(mediaMetadata?.title ?? "-")")
  }
  func remoteMediaClientDidUpdateQueue(_ client: RemoteMediaClient) { note("queue") }
}
