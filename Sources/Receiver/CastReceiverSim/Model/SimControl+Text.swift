import CastProtocol

/// Why a control's text is invalid; the description is for people.
package struct SimControlSyntaxError: Error, Hashable, CustomStringConvertible {
  package var description: String
}

extension SimControl {
  /// The forms that can be read, one a line.
  package static let help = """
      active-input on|off     the screen shows this device, or another one
      stand-by on|off         the screen sleeps, or wakes
      volume LEVEL            the remote control's volume keys, 0 to 1
      mute [on|off]           its mute key; on when nothing is said
      play, pause, stop, next, previous
                              a key of the remote control; “key NAME” is the same
      member ID LEVEL NAME    a member joins the group, or changes
      member-left ID          a member leaves it
      playback-session        a temporary group was formed
      status TEXT             the application shows another text of itself
      want-credentials        the application asks who is watching
      say NAMESPACE TEXT      the application says something
      listen NAMESPACE on|off the application listens there, or no more
      live-ended              the endless medium that plays comes to its end
      exit                    the application ends, or crashes
      crash                   it vanishes without CLOSE
      hush [TIME] [own|all]   it sends no status by itself (own), or nothing about media (all), for a
                              time or until “speak”
      speak                   it says everything again
      empty-status            it says that there is no media session, whatever plays
      repeat-status           it says its newest status again
      stray-status [SESSION [URL]]
                              it says a status of another media session, 99 when none is said; with
                              a URL one that shows something else
      partial-status          it says state and position alone
      takeover APPID          another sender launches an application
      load URL [TYPE]         another sender loads a medium; video/mp4 when no type is said
      request JSON            another sender asks the media application for something, such as
                              {"type":"QUEUE_REMOVE","itemIds":[3]}
      reboot [TIME]           the device goes down for a time (2s) and comes up empty
      power on|off            the plug
      drop [TIME] [silent|refuse]
                              it falls off the network, for a time or until “return”; connects get no
                              answer, or are refused
      return                  it is on the network again
      reset                   every connection is reset; the application goes on
      sleep                   it hangs up on everybody; the next connection wakes it
      wake                    it wakes
      move PORT|any           it listens on another port; of a group, another member leads
      rename NAME             it has another name
    """

  /// Reads one of the forms of `help`.
  package init(parsing line: String) throws(SimControlSyntaxError) {
    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
    func rest(_ count: Int) -> String {
      line.split(separator: " ", maxSplits: count).dropFirst(count).first.map(String.init) ?? ""
    }
    let switched = ["on": true, "off": false][words.last ?? ""]
    let known: SimControl? =
      switch (words.first ?? "", words.count) {
      case ("active-input", 2): switched.map(SimControl.activeInput)
      case ("stand-by", 2): switched.map(SimControl.standBy)
      case ("mute", 1): .muted(true)
      case ("mute", 2): switched.map(SimControl.muted)
      case ("volume", 2): Self.level(words[1]).map(SimControl.volume)
      case ("key", 2): Key(rawValue: words[1]).map(SimControl.key)
      case ("member", 4):
        Self.level(words[2]).map { .member(SimGroupMember(deviceID: words[1], name: words[3], level: $0)) }
      case ("member-left", 2): .memberLeft(words[1])
      case ("playback-session", 1): .playbackSessionUpdated
      case ("status", 2...): .statusText(rest(1))
      case ("want-credentials", 1): .wantCredentials
      case ("say", 3...): .say(namespace: words[1], text: rest(2))
      case ("listen", 3): switched.map { .listen(namespace: words[1], $0) }
      case ("live-ended", 1): .liveEnded
      case ("exit", 1): .exit
      case ("crash", 1): .crash
      case ("hush", _): Self.hush(words.dropFirst())
      case ("speak", 1): .speak
      case ("empty-status", 1): .emptyStatus
      case ("repeat-status", 1): .repeatStatus
      case ("stray-status", 1): .strayStatus(SimStray())
      case ("stray-status", 2): Int(words[1]).map { .strayStatus(SimStray(session: $0)) }
      case ("stray-status", 3): Int(words[1]).map { .strayStatus(SimStray(session: $0, url: words[2])) }
      case ("partial-status", 1): .partialStatus
      default: Key(rawValue: line).map(SimControl.key) ?? Self.wholeDevice(words, rest(1))
      }
    guard let known else {
      throw SimControlSyntaxError(description: "cannot read “\(line)”; “help” lists what can be said")
    }
    self = known
  }

  /// Controls of the device as a whole, the network and other senders.
  private static func wholeDevice(_ words: [String], _ rest: String) -> SimControl? {
    switch (words.first ?? "", words.count) {
    case ("takeover", 2): .takeover(appID: words[1])
    case ("load", 2): .foreignLoad(url: words[1], contentType: nil)
    case ("load", 3): .foreignLoad(url: words[1], contentType: words[2])
    case ("request", 2...): request(rest)
    case ("reboot", 1): .reboot(downFor: .seconds(2))
    case ("reboot", 2): Duration(parsing: words[1]).map(SimControl.reboot)
    case ("power", 2): ["on": .powerOn, "off": .powerOff][words[1]]
    case ("drop", _): absence(words.dropFirst())
    case ("return", 1): .returnToNetwork
    case ("reset", 1): .resetConnections
    case ("sleep", 1): .sleep
    case ("wake", 1): .wake
    case ("move", 2): words[1] == "any" ? .move(port: nil) : port(words[1]).map { .move(port: $0) }
    case ("rename", 2...): .rename(rest)
    default: nil
    }
  }

  private static func request(_ text: String) -> SimControl? {
    guard let json = try? JSONValue(parsing: text), json["type"]?.string != nil else { return nil }
    return .foreignRequest(json)
  }

  private static func hush(_ words: ArraySlice<String>) -> SimControl? {
    var words = words
    let extent = words.last.flatMap(SimHush.Extent.init(rawValue:))
    if extent != nil { words.removeLast() }
    guard let time = words.first else { return .hush(SimHush(extent ?? .own)) }
    guard words.count == 1, let duration = Duration(parsing: time) else { return nil }
    return .hush(SimHush(extent ?? .own, for: duration))
  }

  private static func absence(_ words: ArraySlice<String>) -> SimControl? {
    var words = words
    let kind = words.last.flatMap(SimAbsence.init(rawValue:))
    if kind != nil { words.removeLast() }
    guard let time = words.first else { return .drop(for: nil, kind ?? .silent) }
    guard words.count == 1, let duration = Duration(parsing: time) else { return nil }
    return .drop(for: duration, kind ?? .silent)
  }

  /// A port that can be connected to.
  static func port(_ text: String) -> Int? {
    Int(text).flatMap { (1...65_535).contains($0) ? $0 : nil }
  }

  private static func level(_ text: String) -> Double? {
    Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
  }
}
