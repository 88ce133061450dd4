import CastqSchedule
import CastqText
import Testing
@testable import CastqStore

struct CalendarStoreTests {
  @Test("a calendar gains, renames and loses days")
  func calendars() throws {
    let store = ScheduleStore(try StoreFixture().database)
    let (eve, day) = (try LocalDate("2026-12-24"), try LocalDate("2026-12-25"))
    try store.addDay(day, label: "Day", to: "c", at: moment(0))
    try store.addDay(eve, label: "Eve", to: "C", at: moment(0))
    #expect(throws: StoreError.self) { try store.addDay(eve, label: "Holy Eve", to: "c", at: moment(0)) }
    #expect(try store.calendars() == [HolidayCalendar(name: "c", days: [eve: "Eve", day: "Day"])])
    try store.addDay(eve, label: "Holy Eve", to: "c", replaces: true, at: moment(0))
    #expect(try store.calendars() == [HolidayCalendar(name: "c", days: [eve: "Holy Eve", day: "Day"])])
    try store.removeDay(eve, from: "c", at: moment(0))
    #expect(try store.calendar("C").days == [day])
    #expect(throws: StoreError.self) { try store.removeDay(eve, from: "c", at: moment(0)) }
  }
}
