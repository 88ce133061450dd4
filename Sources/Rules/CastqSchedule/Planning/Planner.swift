package import CastqText

/// Plans devices: which rule wins at which second. Devices of one zone share the occurrences, so that a plan of many devices costs
/// one sweep for each of them.
package struct Planner: Sendable {
  package let book: ScheduleBook
  package let range: Range<WallTime>
  private let ranks: PlannerRanks
  private let targets: Set<RuleTarget>
  private var tables: [ZoneName: PlannerTable] = [:]
  /// Plans of devices with the same rules, which are the same; a few, since devices are asked for in any order.
  private var plans: [Likeness: DevicePlan] = [:]
  private static let longest = 16

  /// What a plan depends on.
  private struct Likeness: Sendable, Hashable {
    let zone: ZoneName
    let hasBase: Bool
    let stoppedAt: WallTime?
    let darkHours: DarkHours?
    let loss: Outlook?
    let baseFrom: WallTime?
    let baseSeconds: Double?
    let isPaused: Bool
    let passedOver: [OccurrenceKey: String]
    let emptyShares: [String: String]
    let targets: [RuleTarget]
  }

  /// Reads the book once; later changes of it need another planner.
  package init(_ book: ScheduleBook, range: Range<WallTime>) {
    self.book = book
    self.range = range
    ranks = PlannerRanks(book.rules)
    targets = Set(book.rules.map(\.target))
  }

  /// The plan of a device. It is made when it is asked for, so that a program that prints one device after the other holds few plans.
  package mutating func plan(for device: ScheduleDevice) -> DevicePlan {
    let zone = device.zone ?? book.siteZone
    let likeness = Likeness(
      zone: zone, hasBase: device.hasBase, stoppedAt: device.stoppedAt, darkHours: device.darkHours,
      loss: device.loss, baseFrom: device.baseFrom, baseSeconds: device.baseSeconds,
      isPaused: device.isPaused, passedOver: device.passedOver,
      emptyShares: device.emptyShares,
      targets: targets.filter { device.isTarget(of: $0) }.sorted { $0.order < $1.order })
    if var plan = plans[likeness] {
      plan.device = device.id
      return plan
    }
    let table = tables[zone] ?? PlannerTable(book, ranks: ranks, device: device, range: range)
    tables[zone] = table
    let plan = PlanSweep(book: book, table: table, device: device, range: range).run()
    if plans.count >= Self.longest { plans = [:] }
    plans[likeness] = plan
    return plan
  }

  /// A device as it is at the end of the range, as far as its queue is concerned: what of it has been played by then is gone.
  package mutating func advanced(_ device: ScheduleDevice) -> ScheduleDevice {
    guard device.baseSeconds != nil || device.isPaused else { return device }
    let segments = plan(for: device).segments
    let played = segments.filter { $0.kind == .base && $0.silence == nil && !$0.isPaused }
      .reduce(0) { $0 + ($1.end - $1.start) }
    var device = device
    device.baseSeconds = device.baseSeconds.map { $0 - played < 0.001 ? 0 : $0 - played }
    device.isPaused = segments.last?.isPaused ?? device.isPaused
    return device
  }

  /// The range from now to a later moment in which it matters what of a queue is played: 35 days of it at most, since no sum is exact
  /// for longer.
  package static func until(_ moment: WallTime, from now: WallTime) -> Range<WallTime> {
    now..<max(now, min(moment, now.adding(seconds: 35 * 86_400)))
  }
}

extension RuleTarget {
  /// Tells targets apart, in an order.
  fileprivate var order: String {
    switch self {
    case .all: "all"
    case .group(let name): "group \(name)"
    case .device(let id): "device \(id)"
    }
  }
}
