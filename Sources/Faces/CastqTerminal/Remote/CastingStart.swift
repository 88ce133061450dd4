/// Notices that casting begins on a device, so that the expanded controller can open by itself.
///
/// What was found playing has not begun, and what plays on after the connection was lost has not begun anew, whatever was reported until
/// it was seen again.
package struct CastingStart: Sendable {
  private var last: Last?

  private struct Last: Sendable {
    /// What is on the screen, or was when the connection was lost; nil for nothing.
    var what: String?
    var isOn: Bool
    var isLost = false
  }

  package init() {}

  /// A status of the device.
  /// - Parameters:
  ///   - isConnected: whether the device answers.
  ///   - what: names what is on the screen; nil for nothing.
  /// - Returns: whether casting begins with it.
  package mutating func receive(isConnected: Bool, showing what: String?) -> Bool {
    guard isConnected else {
      if let known = last, !known.isLost {
        last = Last(what: known.isOn ? known.what : nil, isOn: known.isOn, isLost: true)
      }
      return false
    }
    guard let before = last else {
      last = Last(what: what, isOn: what != nil)
      return false
    }
    guard let what else {
      last?.isOn = false
      return false
    }
    last = Last(what: what, isOn: true)
    return !before.isOn && !(before.isLost && before.what == what)
  }
}
