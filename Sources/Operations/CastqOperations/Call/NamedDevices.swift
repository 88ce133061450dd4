import CastqSchedule
import CastqStore
package import CastqText

extension CallOptions {
  /// The selectors of `-d`, with each `@GROUP` replaced by the names of its members, once each; empty when there is no `-d`.
  package func expandedDevices() throws(Failure) -> [String] {
    let given = device.isEmpty ? deviceSelector.map { [$0] } ?? [] : device
    guard given.contains(where: { DeviceGroup.name($0) != nil }) else { return device }
    let call = try ScheduleCall(self, isReader: true)
    var names: [String] = []
    for selector in given {
      guard let group = DeviceGroup.name(selector) else {
        if !names.contains(selector) { names.append(selector) }
        continue
      }
      let members = try call.ask { (store) throws(StoreError) in try store.members(of: group) }
      if members.isEmpty, group.lowercased() == RuleTarget.nameOfAll { throw Failure(StoreError.noDevice) }
      guard !members.isEmpty else {
        throw Failure(
          "device_unknown", "the group \(group) has no devices", hint: .addToGroup(group),
          exit: .deviceUnknown)
      }
      for member in members where !names.contains(member.name) { names.append(member.name) }
    }
    return names
  }
}
