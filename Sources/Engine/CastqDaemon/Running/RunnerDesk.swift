import CastqFeeding
import CastqPlaylists
import CastqStore

/// What one runner has read of the schedule.
struct RunnerDesk: Sendable {
  private let desk: ScheduleDesk?
  private let device: DeviceID
  /// The number of what was read last; nil before the first time.
  private var version: Int?

  /// What a runner has to be given; nil inside when no rule is for its device.
  struct Answer: Sendable {
    let schedule: ScheduleReading?
  }

  init(_ desk: ScheduleDesk?, device: DeviceID) {
    self.desk = desk
    self.device = device
  }

  /// Reads the rules. A database that cannot be read changes nothing; at the first time there are no rules then, until it can.
  /// - Returns: nil when nothing has changed.
  mutating func read() -> Answer? {
    do throws(StoreError) {
      guard let read = try desk?.reading(of: device, after: version) else { return nil }
      version = read.version
      return Answer(schedule: read.reading)
    } catch {
      return version == nil ? Answer(schedule: nil) : nil
    }
  }
}
