/// Plans devices: which rule wins at which second. Devices of one zone share the occurrences, so that a plan of many devices costs
/// one sweep for each of them.
package struct Planner: Sendable {
  package let book: ScheduleBook
  package let range: Range<WallTime>
  private let ranks: PlannerRanks
  private var tables: [ZoneName: PlannerTable] = [:]

  /// Reads the book once; later changes of it need another planner.
  package init(_ book: ScheduleBook, range: Range<WallTime>) {
    self.book = book
    self.range = range
    ranks = PlannerRanks(book.rules)
  }

  /// The plan of a device. It is made when it is asked for, so that a program that prints one device after the other holds one plan.
  package mutating func plan(for device: ScheduleDevice) -> DevicePlan {
    let zone = device.zone ?? book.siteZone
    let table = tables[zone] ?? PlannerTable(book, ranks: ranks, device: device, range: range)
    tables[zone] = table
    return PlanSweep(book: book, table: table, device: device, range: range).run()
  }
}
