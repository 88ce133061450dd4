import CastProtocol

/// What a row says of its device once an announcement was heard.
///
/// Nobody proves an announcement. Where a device has to prove who it is, it fills in what was not known, and no more: a name, a
/// model or a kind that was known is changed by `DeviceStore.proved` alone. A group is never made of such a device, as any
/// key would do for a group (protocol 2).
struct Announcement: Hashable {
  var friendlyName: String?
  /// The name it was announced under, when that is not the one it goes by.
  var announcedName: String?
  var model: String?
  var capabilities: DeviceCapabilities?
  var isGroup: Bool

  /// As the row stands.
  init(known row: KnownDevice) {
    friendlyName = row.friendlyName
    announcedName = row.announcedName
    model = row.model
    capabilities = row.capabilities
    isGroup = row.isGroup
  }

  init(of device: Device, for row: KnownDevice) {
    self.init(known: row)
    let name = SightingMerge.name(of: device)
    guard row.hasProof else {
      friendlyName = name ?? friendlyName
      announcedName = nil
      model = device.modelName ?? model
      capabilities = device.capabilities ?? capabilities
      isGroup = device.capabilities == nil ? isGroup : device.isGroup
      return
    }
    friendlyName = friendlyName ?? name
    if let name { announcedName = name == friendlyName ? nil : name }
    model = model ?? device.modelName
    capabilities =
      capabilities ?? device.capabilities.map { $0.subtracting([.multizoneGroup, .dynamicGroup]) }
  }
}
