import CastProtocol

/// Makes a message fit a frame by omitting parts, as a receiver does (protocol 7.9).
enum FrameFit {
  /// The body, with neighbours' media, then items, then more left out until its text has at most `room`
  /// bytes.
  static func fitting(_ body: JSONValue, room: Int) -> JSONValue {
    guard body.text.utf8.count > room, case .object(var members) = body else { return body }
    if case .array(let items)? = members["items"] {
      members["items"] = .array(prefix(of: items, room: room - 200))
      return .object(members)
    }
    if members["status"] == nil {
      members["itemIds"] = nil
      return .object(members)
    }
    guard case .object(var entry)? = body["status"]?.array?.first else { return body }
    for step in steps {
      step(&entry)
      members["status"] = [.object(entry)]
      let smaller = JSONValue.object(members)
      if smaller.text.utf8.count <= room { return smaller }
    }
    return .object(members)
  }

  private static let steps: [@Sendable (inout [String: JSONValue]) -> Void] = [
    { entry in changeNeighbours(&entry) { $0.filter { $0.key != "media" } } },
    { entry in
      let current = entry["loadingItemId"] ?? entry["currentItemId"]
      entry["items"] = entry["items"]?.array.map { .array($0.filter { $0["itemId"] == current }) }
    },
    { entry in entry["items"] = nil },
    { entry in
      guard case .object(var extended)? = entry["extendedStatus"] else { return }
      extended["media"] = nil
      entry["extendedStatus"] = .object(extended)
    },
    { entry in entry["media"] = nil },
  ]

  private static func changeNeighbours(
    _ entry: inout [String: JSONValue], _ change: ([String: JSONValue]) -> [String: JSONValue]
  ) {
    let current = entry["loadingItemId"] ?? entry["currentItemId"]
    entry["items"] = entry["items"]?.array.map { items in
      .array(
        items.map { item in
          guard item["itemId"] != current, case .object(let members) = item else { return item }
          return .object(change(members))
        })
    }
  }

  private static func prefix(of items: [JSONValue], room: Int) -> [JSONValue] {
    var used = 0
    return Array(
      items.prefix { item in
        used += item.text.utf8.count + 1
        return used <= room
      })
  }
}
