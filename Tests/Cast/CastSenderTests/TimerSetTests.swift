import CastProtocol
import Synchronization
import Testing

@testable import CastSender

@Suite struct TimerSetTests {
  private enum Timer: Sendable, Hashable { case patient, punctual }

  private let manual = ManualTime()

  private func timers() -> TimerSet<Timer> {
    var source = manual.source
    source.grain = .milliseconds(100)
    return TimerSet(time: source, isPatient: { $0 == .patient }, wake: {})
  }

  @Test("patient timers that were started at different moments fire together, and the others on time")
  func together() {
    var (first, second) = (timers(), timers())
    manual.advance(by: .milliseconds(10))
    first.start(.patient, after: .seconds(5))
    first.start(.punctual, after: .seconds(5))
    manual.advance(by: .milliseconds(50))
    second.start(.patient, after: .seconds(5))
    manual.advance(by: .milliseconds(4950))
    #expect(first.takeDue() == [.punctual])
    #expect(second.takeDue() == [])
    manual.advance(by: .milliseconds(90))
    #expect(first.takeDue() == [.patient])
    #expect(second.takeDue() == [.patient])
  }

  @Test("a patient timer that is due just then is not late")
  func punctual() {
    var timers = timers()
    timers.start(.patient, after: .seconds(5))
    manual.advance(by: .seconds(5))
    #expect(timers.takeDue() == [.patient])
  }

  @Test("the checks of connections are patient, and no limit is")
  func checks() {
    #expect(TimerID.heartbeat.isPatient)
    for limit in [TimerID.start, .launch, .reconnect, .request(RequestID(1))] { #expect(!limit.isPatient) }
  }
}
