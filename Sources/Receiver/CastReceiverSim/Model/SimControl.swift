package import CastProtocol

/// What acts on a device besides its sender: people, its remote control, the network, the cloud, its group, another sender.
package enum SimControl: Sendable, Equatable {
  /// A playback key of the remote control.
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
  /// A playback key of the remote control; ignored while nothing is loaded.
  case key(Key)
  /// A member joins the group, or changes (protocol 5.9).
  case member(SimGroupMember)
  /// The member with this identity leaves the group.
  case memberLeft(String)
  /// A temporary group was formed; the body of the message is not published (protocol 5.9).
  case playbackSessionUpdated
  /// The application changes its status text (protocol 5.2).
  case statusText(String)
  /// The application requests credentials (protocol 6.3).
  case wantCredentials
  /// The application sends text in a custom namespace (protocol 16).
  case say(namespace: String, text: String)
  /// The same with bytes.
  case sayBytes(namespace: String, bytes: [UInt8])
  /// The application adds or removes a namespace.
  case listen(namespace: String, Bool)
  /// The endless medium that plays ends: its length is final (protocol 12.5).
  case liveEnded
  /// The application ends by itself, or crashes: senders cannot distinguish the two (protocol 14.4).
  case exit
  /// The application ends without CLOSE; only the platform reports it.
  case crash
  /// The application withholds statuses.
  case hush(SimHush)
  /// It sends everything again.
  case speak
  /// It reports that there is no media session, whatever plays (protocol 18, quirk 10).
  case emptyStatus
  /// It repeats its newest status.
  case repeatStatus
  /// It broadcasts a status of a media session that does not exist, once.
  case strayStatus(SimStray)
  /// It broadcasts a status without the members that may be absent (protocol 6.5).
  case partialStatus

  /// The device goes off at once and restarts after that time: connections are reset, applications end.
  case reboot(downFor: Duration)
  /// The plug is pulled.
  case powerOff
  /// The plug is put back.
  case powerOn
  /// The device leaves the network, for a time or (nil) until `returnToNetwork`. It continues, but neither receives nor sends;
  /// messages of this time arrive later, as with TCP.
  case drop(for: Duration?, SimAbsence)
  /// The device is on the network again.
  case returnToNetwork
  /// Every connection is reset; the application continues.
  case resetConnections
  /// The device goes to standby: it closes all connections, and wakes with the next one (protocol 5.2).
  case sleep
  /// The device wakes.
  case wake
  /// The device closes all connections and listens on another port, nil for any: another member leads its group now (protocol 19).
  case move(port: Int?)
  /// The device is renamed.
  case rename(String)

  /// Another sender launches an application (protocol 14.4).
  case takeover(appID: String)
  /// Another sender loads a medium into the running application; nil is `video/mp4`.
  case foreignLoad(url: String, contentType: String?)
  /// Another sender asks the running media application for something; the media session is filled in.
  case foreignRequest(JSONValue)
  /// A session that was stored elsewhere is resumed here (protocol 14.7).
  case resume(StoredSession)
}

/// How connects fail while a device is off the network.
package enum SimAbsence: String, Sendable, CaseIterable {
  /// Connects get no answer at all.
  case silent
  /// Connects are refused: something else has the address.
  case refuse
}

/// Why a control failed; the description is for people.
package struct SimControlError: Error, Hashable, CustomStringConvertible {
  package var description: String

  package init(description: String) { self.description = description }
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
