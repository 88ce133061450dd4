/// The keys, as the help lists them.
enum RemoteKeys {
  struct Key {
    var keys: String
    var does: String
  }

  static let sections: [(title: String, keys: [Key])] = [
    (
      "Playback",
      [
        Key(keys: "space", does: "pause or play; stops what is live"),
        Key(keys: "n  p", does: "next, previous entry"),
        Key(keys: "left  right", does: "10 seconds back, forward"),
        Key(keys: "[  ]  =", does: "slower, faster, normal"),
        Key(keys: "-  +  m", does: "quieter, louder, mute"),
        Key(keys: "s", does: "stop, and keep the queue"),
        Key(keys: "S", does: "stop casting: closes the application"),
        Key(keys: "t  y", does: "audio and subtitles, how subtitles look"),
        Key(keys: "x", does: "skip the ad"),
      ]
    ),
    (
      "Queue",
      [
        Key(keys: "enter", does: "play the selected entry"),
        Key(keys: "j  k  g  G", does: "down, up, first, last"),
        Key(keys: "J  K", does: "move the entry down, up"),
        Key(keys: ".", does: "select the current entry"),
        Key(keys: "/", does: "find: shows the entries that have the words"),
        Key(keys: "a  A", does: "add at the end, add as the next"),
        Key(keys: "d  c", does: "remove the entry, clear the queue"),
        Key(keys: "u", does: "undo"),
        Key(keys: "r  z", does: "repeat, shuffle"),
      ]
    ),
    (
      "Elsewhere",
      [
        Key(keys: "D  T", does: "choose a device, move what plays to another"),
        Key(keys: "!", does: "announce: interrupts, and gives the screen back"),
        Key(keys: "P", does: "plan: what will be shown"),
        Key(keys: "w", does: "why this is shown"),
        Key(keys: "L", does: "log: what was played, the newest first"),
        Key(keys: "v", does: "plan, log or nothing beside the queue"),
        Key(keys: "mouse", does: "bar, volume, rows, words below; the wheel scrolls"),
        Key(keys: "?", does: "these keys"),
        Key(keys: "q", does: "leave; what plays continues"),
      ]
    ),
  ]

  static var lines: [String] {
    var lines: [String] = []
    for section in sections {
      if !lines.isEmpty { lines.append("") }
      lines.append(section.title)
      for key in section.keys {
        lines.append(
          "  \(key.keys)\(String(repeating: " ", count: max(13 - key.keys.utf8.count, 1)))\(key.does)")
      }
    }
    return lines
  }
}
