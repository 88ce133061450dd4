import CastProtocol

/// The columns of a device that an announcement may change.
///
/// Announcements are not authenticated. For a device that must authenticate itself, they fill in unknown columns only: just
/// `DeviceStore.proved` changes a known name, model or kind. Such a device never becomes a group, because a group accepts any
/// key (protocol 2).
struct Announcement: Hashable {
  var friendlyName: String?
  /// The announced name, if it differs from the current one; else nil.
  var announcedName: String?
  var model: String?
  var capabilities: DeviceCapabilities?
  var isGroup: Bool

  /// The current values of a row.
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
