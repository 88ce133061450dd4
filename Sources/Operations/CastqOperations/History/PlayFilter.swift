package import CastqFeeding
package import CastqStore
package import CastqText

extension Workspace {
  /// Which plays of the history are meant: those of the devices that the call names, or of all where it names none.
  package func filter(
    _ global: CallOptions, _ period: Period, outcome: PlayOutcome?, limit: Int?
  ) async throws(Failure) -> HistoryStore.Filter {
    var filter = HistoryStore.Filter()
    let devices = try global.expandedDevices()
    if devices.count > 1 {
      for name in devices { filter.devices.insert(try await device(name, adding: false).id) }
    } else if let name = devices.first ?? global.deviceSelector {
      filter.devices = [try await device(name, adding: false).id]
    }
    (filter.since, filter.until) = (period.since, period.until)
    filter.outcome = outcome
    filter.limit = limit
    return filter
  }
}
