package import CastProtocol

/// How Home Assistant finds the devices of a site, by MQTT discovery.
package struct HomeAssistant: Sendable {
  private let topics: LiveTopics
  private let prefix: String

  /// - Parameter prefix: the first level of the topics of discovery.
  package init(_ topics: LiveTopics, prefix: String) {
    self.topics = topics
    self.prefix = prefix
  }

  /// All topics of discovery, as an access list names them.
  package var all: String { "\(prefix)/#" }

  /// Where Home Assistant says that it is back.
  package var status: String { "\(prefix)/status" }

  /// Whether a message at `status` asks for the announcements.
  package static func isBack(_ payload: [UInt8]) -> Bool { payload == Array("online".utf8) }

  /// The retained messages that announce a device, one for each part of it.
  package func announcements(of device: String) -> [(topic: String, payload: JSONValue)] {
    let identity = "castq_\(topics.site)_\(Self.identifier(device))"
    let common: [String: JSONValue] = [
      "device": [
        "identifiers": [.string(identity)], "name": .string(device), "manufacturer": "castq",
        "suggested_area": .string(topics.site),
      ],
      "origin": ["name": "castq-link"],
      "availability": [
        ["topic": .string(topics.availability)], ["topic": .string(topics.availability(of: device))],
      ],
      "availability_mode": "all",
    ]
    func part(_ kind: String, _ name: String, _ members: [String: JSONValue]) -> (
      topic: String, payload: JSONValue
    ) {
      let id = "\(identity)_\(Self.identifier(name))"
      let own: [String: JSONValue] = ["name": .string(name), "unique_id": .string(id)]
      return (
        "\(prefix)/\(kind)/\(identity)/\(Self.identifier(name))/config",
        .object(common.merging(own) { $1 }.merging(members) { $1 })
      )
    }
    let state: JSONValue = .string(topics.state(of: device))
    let command: JSONValue = .string(topics.command(of: device))
    var parts = [
      part(
        "sensor", "State",
        [
          "state_topic": state, "value_template": "{{ (value_json.player_state or 'unknown') | lower }}",
          "json_attributes_topic": state, "icon": "mdi:cast",
        ]),
      part(
        "sensor", "Title",
        [
          "state_topic": state, "value_template": "{{ (value_json.title or '')[:250] }}",
          "icon": "mdi:format-title",
        ]),
      part(
        "number", "Volume",
        [
          "state_topic": state, "value_template": "{{ value_json.volume | int(0) }}",
          "command_topic": command,
          "command_template": Self.template("volume", argument: "{{ value | int }}"), "min": 0, "max": 100,
          "step": 1,
          "icon": "mdi:volume-high",
        ]),
    ]
    for (name, verb) in [
      ("Play", "play"), ("Pause", "pause"), ("Next", "next"), ("Previous", "prev"), ("Stop", "stop"),
    ] {
      parts.append(part("button", name, ["command_topic": command, "command_template": Self.template(verb)]))
    }
    return parts
  }

  /// Home Assistant fills in the identity and the expiry of the moment.
  private static func template(_ verb: String, argument: String? = nil) -> JSONValue {
    let argument = argument.map { #","argument":"\#($0)""# } ?? ""
    return .string(
      #"{"id":"ha-{{ now().timestamp() }}-\#(verb)","command":"\#(verb)"\#(argument),"#
        + #""expires_at":"{{ (utcnow() + timedelta(seconds=10)).isoformat() }}"}"#)
  }

  /// Letters, digits, hyphens and underscores, as topics of discovery may have; other bytes as hexadecimal digits.
  static func identifier(_ name: String) -> String {
    var text = ""
    for byte in name.utf8 {
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == UInt8(ascii: "-")
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "_" + String(byte, radix: 16)
      }
    }
    return text
  }
}
