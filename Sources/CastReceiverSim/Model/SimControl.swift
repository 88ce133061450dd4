/// What somebody other than a sender does to a device: the person in front of it, its remote control, the cloud, its group.
package enum SimControl: Sendable, Equatable {
  /// A key of the remote control that is about what plays.
  package enum Key: String, Sendable, CaseIterable {
    case play, pause, stop, next, previous
  }

  /// The screen shows this device, or another one (protocol 5.2).
  case activeInput(Bool)
  /// The screen goes to sleep, or wakes (protocol 5.2).
  case standBy(Bool)
  /// The remote control's volume keys; 0 to 1.
  case volume(Double)
  /// The remote control's mute key.
  case muted(Bool)
  /// Another key of the remote control; nothing happens when nothing is loaded.
  case key(Key)
  /// A member joins the group, or changes (protocol 5.9).
  case member(SimGroupMember)
  /// The member with this identity leaves the group.
  case memberLeft(String)
  /// A temporary group was formed; what the message says of it is not published (protocol 5.9).
  case playbackSessionUpdated
  /// The application shows another text of itself (protocol 5.2).
  case statusText(String)
  /// The application asks who is watching (protocol 6.3).
  case wantCredentials
  /// The application says something under a custom namespace (protocol 16).
  case say(namespace: String, text: String)
  /// The same with bytes.
  case sayBytes(namespace: String, bytes: [UInt8])
  /// The application listens to a namespace, or no more.
  case listen(namespace: String, Bool)
  /// The endless medium that plays has come to its end: nothing is added any more (protocol 12.5).
  case liveEnded
  /// The application ends by itself.
  case exit
}

/// One speaker of a simulated group (protocol 5.9).
package struct SimGroupMember: Sendable, Hashable {
  package var deviceID: String
  package var name: String
  package var level: Double
  package var isMuted: Bool

  package init(deviceID: String, name: String, level: Double = 0.5, isMuted: Bool = false) {
    self.deviceID = deviceID
    self.name = name
    self.level = level
    self.isMuted = isMuted
  }
}
