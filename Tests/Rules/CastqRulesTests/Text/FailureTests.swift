import CastqText
import Testing

@Suite("Failures")
struct FailureTests {
  private let bar = Failure.Device(label: "bar", name: "Bar TV")
  private let failure = Failure("nothing_playing", "nothing is playing", hint: .checkStatus, exit: .no)

  @Test("a terminal has the label that is typed, a page the name of the screen")
  func faces() {
    #expect(failure.of(bar).typed.message == "bar: nothing is playing; check 'castq status' and try again")
    #expect(failure.of(bar).paged.message == "Bar TV: nothing is playing; try again")
    #expect(failure.paged.message == "nothing is playing; try again")
  }

  @Test("a message names its device once")
  func once() {
    let silent = Failure("refused", "Bar TV (192.0.2.7:8009) does not accept connections", exit: .unreachable)
    #expect(silent.of(bar).message == "bar: Bar TV (192.0.2.7:8009) does not accept connections")
    #expect(silent.of(bar).paged.message == silent.message)
    let given = Failure("usage", "bar is the device it already plays on", exit: .usage).of(bar)
    #expect(given.message == "bar is the device it already plays on")
    #expect(given.paged.message == "Bar TV is the device it already plays on")
    #expect(failure.of(bar).of(bar).paged.message == "Bar TV: nothing is playing; try again")
    let idle = Failure("none", "no application is running on bar: nothing runs there", exit: .no).of(bar)
    #expect(idle.message == "no application is running on bar: nothing runs there")
    #expect(idle.paged.message == "no application is running on Bar TV: nothing runs there")
    let named = Failure("load_failed", "loading failed on Bar TV", exit: .refused).of(bar)
    #expect(named.message == "bar: loading failed on Bar TV")
    #expect(named.paged.message == "loading failed on Bar TV")
    let other = Failure("load_failed", "loading failed on bargain", exit: .refused).of(bar)
    #expect(other.message == "bar: loading failed on bargain")
  }
}
