/// Why a control's text could not be read; made to be shown.
package struct SimControlSyntaxError: Error, Hashable, CustomStringConvertible {
  package var description: String
}

extension SimControl {
  /// The forms that can be read, one a line.
  package static let help = """
      active-input on|off     the screen shows this device, or another one
      stand-by on|off         the screen sleeps, or wakes
      volume LEVEL            the remote control's volume keys, 0 to 1
      mute on|off             its mute key
      key NAME                play, pause, stop, next or previous
      member ID LEVEL NAME    a member joins the group, or changes
      member-left ID          a member leaves it
      playback-session        a temporary group was formed
      status TEXT             the application shows another text of itself
      want-credentials        the application asks who is watching
      say NAMESPACE TEXT      the application says something
      listen NAMESPACE on|off the application listens there, or no more
      live-ended              the endless medium that plays comes to its end
      exit                    the application ends
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
      default: nil
      }
    guard let known else {
      throw SimControlSyntaxError(description: "cannot read “\(line)”; “help” lists what can be said")
    }
    self = known
  }

  private static func level(_ text: String) -> Double? {
    Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
  }
}
