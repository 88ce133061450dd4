import CastProtocol
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText
import Testing

@Suite("What a screen needs of a person")
struct ScreenNeedTests {
  private let site: OperationsSite
  private let device: KnownDevice
  private let clock: SiteClock

  init() async throws {
    site = try OperationsSite()
    device = try await Workspace(site.call).device(site.call)
    clock = SiteClock(try ZoneName("UTC"))
  }

  private func need(
    _ reason: DarkReason?, _ connection: SeenStatus.Connection = .offline, until: WallTime? = nil,
    since: WallTime? = nil, _ change: (inout ScreenRows) -> Void = { _ in }
  ) -> ScreenNeed? {
    var rows = ScreenRows(clock: clock)
    change(&rows)
    var seen = SeenStatus(connection: connection, picture: nil)
    seen.outlook = Outlook(reason, until: until, since: since)
    return ScreenState(device: device, seen: seen, rows: rows, hasDaemon: true).need
  }

  private let moment = WallTime(milliseconds: 1_795_000_000_000)

  @Test("a device that is away needs somebody where something is to be shown, and nowhere else")
  func away() throws {
    let need = try #require(need(.unreachable, since: moment) { $0.pending = 1 })
    #expect(need.act == .examine)
    #expect(need.text.hasPrefix("is not heard since ") && need.text.hasSuffix("11:06"), "\(need.text)")
    #expect(self.need(.unreachable, since: moment) == nil)
  }

  @Test("a queue that has ended is to be filled; one that never had anything is left alone")
  func ended() {
    #expect(need(.nothingDue) { $0.finished = 3 }?.act == .fill)
    #expect(need(.nothingDue) == nil)
    #expect(need(.notYet, until: moment)?.text.hasSuffix("11:06") == true)
  }

  @Test(
    "what somebody wanted needs nobody",
    arguments: [DarkReason.stopped, .stoppedAtDevice, .quietHours, .guest, .guestGone, .loading, .launching])
  func wanted(_ reason: DarkReason) {
    #expect(need(reason) { $0.pending = 1 } == nil)
  }

  @Test("entries that failed are told by their number")
  func failed() {
    #expect(need(.failed)?.act == .retry)
    #expect(need(.loading) { $0.failed = 1 }?.text == "could not play one entry of its queue")
    #expect(need(.loading) { $0.failed = 2 }?.text == "could not play 2 entries of its queue")
  }
}
