import CastProtocol
import Testing

@Suite("The media model, to JSON and back")
struct MediaRoundTripTests {
  private func members(_ trip: RoundTrip) throws -> [String: JSONValue] {
    try #require(JSONValue(parsing: trip.text).object)
  }

  @Test("what was told comes back, with all that nobody knows", arguments: RoundTrip.all)
  func lossless(trip: RoundTrip) throws {
    var members = try members(trip)
    #expect(trip.through(.object(members)) == .object(members))
    members["tomorrow"] = ["deep": [1, nil, ["er": 2.5]], "null": nil]
    members["Title"] = "spelled otherwise"
    #expect(trip.through(.object(members)) == .object(members))
    #expect(trip.through([]) == nil)
    #expect(trip.through("text") == nil)
  }

  @Test("a key is known by its exact spelling only; another one is kept as it is", arguments: RoundTrip.all)
  func strictSpelling(trip: RoundTrip) throws {
    let members = try members(trip)
    for (key, value) in members {
      for other in [key.uppercased(), key + " ", "_" + key] where members[other] == nil {
        var renamed = members
        renamed[key] = nil
        renamed[other] = value
        guard let back = trip.through(.object(renamed)) else { continue }  // a member it cannot be without
        #expect(back.object?[other] == value, "\(other)")
        #expect(back.object?[key] != value || Self.alwaysWritten.contains(key), "\(key)")
      }
    }
  }

  /// What has a default that is written, too.
  private static let alwaysWritten: Set<String> = ["streamType", "autoplay", "isLiveDone", "isWatched"]

  private static let hostile: [JSONValue] = [
    nil, true, -1, 0, .integer(.max), .integer(.min), 1e308, -1e308, 0.5, .number(.leastNonzeroMagnitude), "",
    "x",
    .string(String(repeating: "\u{0}🛰", count: 5000)), [], [nil, [nil], [:]], [:], ["a": nil], [["id": []]],
    ["id": [:], "url": 1, "trackId": 1e300, "type": nil],
  ]

  @Test("a member of any other shape does no harm, and what is read of it stays so", arguments: RoundTrip.all)
  func hostile(trip: RoundTrip) throws {
    let members = try members(trip)
    for key in members.keys {
      for value in Self.hostile {
        var changed = members
        changed[key] = value
        guard let once = trip.through(.object(changed)) else { continue }
        #expect(trip.through(once) == once || once == [:], "\(key): \(value)")
      }
    }
  }

  @Test("chance finds nothing that is read in two ways", arguments: RoundTrip.all)
  func random(trip: RoundTrip) throws {
    let members = try members(trip)
    let keys = members.keys.sorted()
    var generator = SeededGenerator(seed: 20_261_121)
    for _ in 0..<100 {
      var changed = members
      for key in keys {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: changed[key] = nil
        case 1: changed[key] = generator.json(depth: 3)
        case 2: if let other = keys.randomElement(using: &generator) { changed[key] = members[other] }
        case 3: changed[key].map { changed[key] = generator.damaged($0, depth: 3) }
        default: break
        }
      }
      guard let once = trip.through(.object(changed)), once != [:] else { continue }
      #expect(trip.through(once) == once)
      #expect(try JSONValue(parsing: once.text) == once)
    }
  }
}

extension SeededGenerator {
  /// The same value with something inside it replaced.
  fileprivate mutating func damaged(_ value: JSONValue, depth: Int) -> JSONValue {
    guard depth > 0 else { return json(depth: 1) }
    switch value {
    case .array(var elements):
      guard let index = elements.indices.randomElement(using: &self) else { return json(depth: 1) }
      elements[index] = damaged(elements[index], depth: depth - 1)
      return .array(elements)
    case .object(var members):
      guard let key = members.keys.sorted().randomElement(using: &self), let inner = members[key] else {
        return json(depth: 1)
      }
      members[key] = damaged(inner, depth: depth - 1)
      return .object(members)
    default: return json(depth: 1)
    }
  }
}
