package import CastProtocol

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
  /// The application ends by itself, or crashes: senders cannot tell (protocol 14.4).
  case exit
  /// The application vanishes without CLOSE; the platform alone says so.
  case crash
  /// The application keeps statuses to itself.
  case hush(SimHush)
  /// It says everything again.
  case speak
  /// It says that there is no media session, whatever plays (protocol 18, quirk 10).
  case emptyStatus
  /// It says its newest status again.
  case repeatStatus
  /// It broadcasts a status of a media session that does not exist, once.
  case strayStatus(SimStray)
  /// It broadcasts a status without the members that may be absent (protocol 6.5).
  case partialStatus

  /// The device goes off at once and comes up after that time: connections are reset, applications are gone.
  case reboot(downFor: Duration)
  /// The plug is pulled.
  case powerOff
  /// The plug is put back.
  case powerOn
  /// The device falls off the network, for a time or (nil) until `returnToNetwork`. It goes on, but neither hears
  /// nor is heard; what is sent meanwhile arrives later, as TCP has it.
  case drop(for: Duration?, SimAbsence)
  /// The device is on the network again.
  case returnToNetwork
  /// Every connection is reset; the application goes on.
  case resetConnections
  /// The device goes to standby: it hangs up on everybody, and wakes with the next connection (protocol 5.2).
  case sleep
  /// The device wakes.
  case wake
  /// The device listens on another port and hangs up on everybody: of a group another member leads now (protocol 19).
  case move(port: Int?)
  /// People give the device another name.
  case rename(String)

  /// Another sender launches an application (protocol 14.4).
  case takeover(appID: String)
  /// Another sender loads a medium into the running application; nil is `video/mp4`.
  case foreignLoad(url: String, contentType: String?)
  /// Another sender asks the running media application for something; the media session is filled in.
  case foreignRequest(JSONValue)
  /// A session that was stored elsewhere goes on here (protocol 14.7).
  case resume(StoredSession)
}

/// How somebody meets a device that is not on the network.
package enum SimAbsence: String, Sendable, CaseIterable {
  /// Connects get no answer at all.
  case silent
  /// Connects are refused: something else has the address.
  case refuse
}

/// Why a control could not be done; made to be shown.
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
