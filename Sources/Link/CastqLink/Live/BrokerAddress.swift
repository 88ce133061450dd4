import CastqText

/// The address of a broker: `mqtt://USER:PASSWORD@HOST:1883`, `mqtts://…`.
package struct BrokerAddress: Sendable, Hashable {
  package let host: String
  /// 1 to 65535; 1883 and, with TLS, 8883 by default.
  package let port: Int
  package let user: String?
  package let password: String?
  package let hasTLS: Bool
  /// Whether the address says that everything is to go in clear: `?tls=off`.
  package let isClear: Bool
  /// The file with the certificates of those who may vouch for the broker, as PEM; nil is those whom the system trusts.
  package let authority: String?

  /// Nil for what is no such address.
  package init?(_ text: String) {
    let rest: Substring
    if text.hasPrefix("mqtt://") {
      (hasTLS, rest) = (false, text.dropFirst(7))
    } else if text.hasPrefix("mqtts://") {
      (hasTLS, rest) = (true, text.dropFirst(8))
    } else {
      return nil
    }
    let place = rest.prefix { $0 != "/" && $0 != "?" }
    let parameters = rest[place.endIndex...].drop { $0 != "?" }.dropFirst()
    isClear = !hasTLS && parameters == "tls=off"
    if parameters.isEmpty || isClear {
      authority = nil
    } else {
      guard hasTLS, parameters.hasPrefix("ca=") else { return nil }
      authority = Self.decoded(parameters.dropFirst(3))
      guard authority?.hasPrefix("/") == true else { return nil }
    }
    let sides = place.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    if sides.count == 2 {
      let parts = sides[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = Self.decoded(parts[0])
      password = parts.count == 2 ? Self.decoded(parts[1]) : nil
    } else {
      (user, password) = (nil, nil)
    }
    guard let endpoint = sides.last else { return nil }
    var name = endpoint
    var number: Int?
    if endpoint.hasPrefix("["), let end = endpoint.firstIndex(of: "]") {
      name = endpoint[endpoint.index(after: endpoint.startIndex)..<end]
      let after = endpoint[endpoint.index(after: end)...]
      guard after.isEmpty || after.hasPrefix(":") else { return nil }
      if !after.isEmpty { number = Int(after.dropFirst()) ?? 0 }
    } else if let colon = endpoint.lastIndex(of: ":") {
      name = endpoint[..<colon]
      number = Int(endpoint[endpoint.index(after: colon)...]) ?? 0
    }
    guard !name.isEmpty, (1...65535).contains(number ?? 1) else { return nil }
    host = String(name)
    port = number ?? (hasTLS ? 8883 : 1883)
  }

  /// `%40` is an `@`; a text with a `%` that begins no code is meant as it stands.
  private static func decoded(_ text: Substring) -> String {
    PercentEncoding.decoding(String(text)) ?? String(text)
  }
}
