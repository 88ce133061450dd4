import CastProtocol
import CastqPlaylists
import Testing

@Suite("When a followed list is read again")
struct ListWatchTests {
  private static func tick(_ seconds: Double) -> Tick { Tick(.bounded(seconds: seconds)) }

  private typealias Verdict = ListWatch<Int>.Verdict

  @Test("an edit is read once its file has stayed as it is, and no process writes it")
  func edits() {
    var watch = ListWatch(files: ["a": 1, "b": nil], rereads: nil, at: Self.tick(0))
    #expect(watch.wait(at: Self.tick(0)) == .seconds(1))
    #expect(watch.look(["a": 1, "b": nil], at: Self.tick(1)) { _ in true } == .nothing)
    #expect(watch.look(["a": 2, "b": nil], at: Self.tick(2)) { _ in false } == .unsettled(["a"]))
    #expect(watch.look(["a": 3, "b": nil], at: Self.tick(3)) { _ in false } == .unsettled(["a"]))
    #expect(watch.look(["a": 3, "b": nil], at: Self.tick(4)) { $0 == "a" } == .unsettled(["a"]))
    #expect(watch.look(["a": 3, "b": nil], at: Self.tick(5)) { $0 == "b" } == .read(["a"]))
    watch.read(["a": 3, "b": nil], isWhole: true, at: Self.tick(5))
    #expect(watch.look(["a": 3, "b": nil], at: Self.tick(6)) { _ in false } == .nothing)
    // A missing file that is there, and one that is not there any more.
    #expect(watch.look(["a": nil, "b": 1], at: Self.tick(7)) { _ in false } == .unsettled(["a", "b"]))
    // An edit that is undone was none.
    #expect(watch.look(["a": 3, "b": nil], at: Self.tick(8)) { _ in false } == .nothing)
  }

  @Test("a file that a process holds open for ever is read after half a minute")
  func held() {
    var watch = ListWatch(files: ["a": 1], rereads: nil, at: Self.tick(0))
    #expect(watch.look(["a": 2], at: Self.tick(1)) { _ in true } == .unsettled(["a"]))
    #expect(watch.look(["a": 2], at: Self.tick(30.9)) { _ in true } == .unsettled(["a"]))
    #expect(watch.look(["a": 2], at: Self.tick(31)) { _ in true } == .read(["a"]))
  }

  @Test("a list on the web is read so long after its last reading, however late the looks come")
  func web() {
    var watch = ListWatch<Int>(files: [:], rereads: .seconds(300), at: Self.tick(0))
    #expect(watch.wait(at: Self.tick(0)) == .seconds(1))
    #expect(watch.wait(at: Self.tick(299.5)) == .milliseconds(500))
    #expect(watch.look([:], at: Self.tick(299.9)) { _ in false } == .nothing)
    #expect(watch.look([:], at: Self.tick(420)) { _ in false } == .read([]))
    #expect(watch.wait(at: Self.tick(420)) == .zero)
    // The reading itself took ten seconds.
    watch.read([:], isWhole: true, at: Self.tick(430))
    #expect(watch.look([:], at: Self.tick(729)) { _ in false } == .nothing)
    #expect(watch.look([:], at: Self.tick(730)) { _ in false } == .read([]))
    var never = ListWatch<Int>(files: [:], rereads: nil, at: Self.tick(0))
    #expect(never.look([:], at: Self.tick(1e6)) { _ in false } == .nothing)
  }

  @Test("the files of a damaged list are looked at as before")
  func damaged() {
    var watch = ListWatch(files: ["a": 1, "inner": 1], rereads: nil, at: Self.tick(0))
    _ = watch.look(["a": 2, "inner": 1], at: Self.tick(1)) { _ in false }
    #expect(watch.look(["a": 2, "inner": 1], at: Self.tick(2)) { _ in false } == .read(["a"]))
    watch.read(["a": 2], isWhole: false, at: Self.tick(2))
    #expect(Set(watch.files) == ["a", "inner"])
    _ = watch.look(["a": 2, "inner": 5], at: Self.tick(3)) { _ in false }
    #expect(watch.look(["a": 2, "inner": 5], at: Self.tick(4)) { _ in false } == .read(["inner"]))
  }
}
