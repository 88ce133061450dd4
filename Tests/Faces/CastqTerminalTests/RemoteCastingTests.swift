import CastProtocol
import CastqTerminal
import Testing

@Suite("What devices show by the word of who has a session with them")
struct RemoteCastingTests {
  private static let now = Tick(.seconds(1))
  private static let announced = [
    RemoteDevice(id: 1, name: "Bar", status: "Casting Netflix"), RemoteDevice(id: 2, name: "Lobby"),
  ]

  private static func playing(_ title: String) -> RemoteStatus {
    RemoteStatus(
      .connected, application: "Default Media Receiver", media: RemoteMedia(.playing, title: title, at: now))
  }

  @Test("what was heard counts more than what is announced, until it is not heard any more")
  func heard() {
    var casting = RemoteCasting()
    #expect(casting.applied(to: Self.announced) == Self.announced)
    casting.note(2, Self.playing("Welcome"))
    #expect(casting.applied(to: Self.announced).map(\.status) == ["Casting Netflix", "Welcome"])
    casting.note(1, RemoteStatus(.connected))
    #expect(casting.applied(to: Self.announced).map(\.status) == [nil, "Welcome"], "it is known to be idle")
    casting.note(2, RemoteStatus(.connected, application: "Backdrop"))
    #expect(casting.applied(to: Self.announced).map(\.status) == [nil, "Backdrop"])
    casting.forget(1)
    casting.forget(2)
    #expect(casting.applied(to: Self.announced) == Self.announced)
  }

  @Test("a device that does not answer shows nothing, whatever it announced; one that is being reached may")
  func lost() {
    var casting = RemoteCasting()
    casting.note(1, RemoteStatus(.offline))
    let devices = casting.applied(to: Self.announced)
    #expect(devices.map(\.isLost) == [true, false] && devices.map(\.status) == [nil, nil])
    casting.note(1, RemoteStatus(.connecting))
    #expect(casting.applied(to: Self.announced) == Self.announced)
    casting.note(1, RemoteStatus(.offline))
    casting.note(1, Self.playing("Menu"))
    #expect(casting.applied(to: Self.announced)[0].isLost == false)
  }
}
