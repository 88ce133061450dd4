import CastProtocol
import CastqText

// What a device plays without anybody's doing.

extension ConfigurationReader {
  /// A source that means the same whoever starts the daemon, and wherever.
  mutating func list(_ node: DocumentNode) -> String? {
    guard let text = node.string, !text.isEmpty else {
      report(node.place, TextError("\(node.shown) is not a list", hint: Self.listHint))
      return nil
    }
    guard WebAddress.isOnWeb(text) || text.hasPrefix("/") else {
      report(
        node.place, TextError("`\(TerminalText.excerpt(text))` is not an absolute path", hint: Self.listHint))
      return nil
    }
    return text
  }

  private static var listHint: FaceWords { "write it as in /srv/castq/lobby.m3u or https://…" }

  /// A length of time from a second on, or an inner nil for `off`; nil, and an issue, for anything else.
  mutating func refresh(_ node: DocumentNode) -> Duration?? {
    value(node) { () throws(TextError) -> Duration? in
      guard case .scalar(_, let text) = node.content else {
        throw TextError("\(node.shown) is not a duration", hint: "write it as in 5m, or off")
      }
      if text == "off" { return nil }
      let seconds = try DurationText.seconds(text)
      guard seconds >= 1 else { throw TextError("`\(text)` is too often", hint: "write 1s or more, or off") }
      return .bounded(seconds: seconds)
    }
  }

  mutating func address(_ node: DocumentNode) -> DeviceEndpoint? {
    // Without quotes YAML may read an address with a port as a number; its text is what was written.
    guard case .scalar(let value, let text) = node.content, value != .null, value.bool == nil,
      let endpoint = DeviceEndpoint(text)
    else {
      report(
        node.place,
        TextError("\(node.shown) is not an address", hint: "write HOST, HOST:PORT or \"[V6]:PORT\""))
      return nil
    }
    return endpoint
  }

  /// One device is at one address, and two screens never share a place in a list.
  mutating func refuseDefault(of defaults: DocumentNode) {
    for member in defaults.mapping ?? [] where ["list", "address"].contains(member.key) {
      report(
        member.place,
        TextError("`\(member.key)` is of one device", hint: "write it below the device in `devices`"))
    }
  }
}
