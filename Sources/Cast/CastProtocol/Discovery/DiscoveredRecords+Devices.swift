extension DiscoveredRecords {
  /// The device of an instance; nil when data is missing, or it must not be listed (protocol 13.3).
  func device(of instance: DiscoveredInstance) -> Device? {
    guard !instance.pointers.isEmpty, let record = instance.record, !record.isHidden,
      let place = instance.place?.value, let address = hosts[place.host]?.best
    else { return nil }
    return record.device(at: DeviceEndpoint(host: address.text, port: Int(place.port)))
  }

  /// Whether an instance is a device that is listed.
  func isComplete(_ instance: DiscoveredInstance) -> Bool {
    guard let record = instance.record, !record.isHidden, let place = instance.place?.value else {
      return false
    }
    return !instance.pointers.isEmpty && hosts[place.host]?.addresses.isEmpty == false
  }

  /// Whether all records of a device's endpoint are still valid.
  func isFresh(_ device: Device, at now: Tick) -> Bool {
    instances.values.contains { instance in
      guard let host = instance.place?.value.host, self.device(of: instance) == device else { return false }
      return instance.isFresh(at: now) && hosts[host]?.isFresh(at: now) ?? false
    }
  }
}
