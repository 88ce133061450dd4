import CastProtocol

/// Compares what the model says with what the framework said.
///
/// This is the one place of allowances. Each names a member whose value a replay cannot share, and why:
/// - positions follow the browser's decoder, which starts and stops with some delay, so they may be 0.6 s
///   apart;
/// - the id of a break that a seek passes is made of the wall clock.
enum JSONComparison {
  static let positionTolerance = 0.6
  private static let positions: Set<String> = ["currentTime", "currentBreakTime", "currentBreakClipTime"]

  /// The differences, each with its place; none when both agree.
  static func differences(_ expected: JSONValue, _ actual: JSONValue, at path: String = "") -> [String] {
    switch (expected, actual) {
    case (.object(let left), .object(let right)):
      return Set(left.keys).union(right.keys).sorted().flatMap { key -> [String] in
        let place = path.isEmpty ? key : "\(path).\(key)"
        switch (left[key], right[key]) {
        case (let expected?, let actual?): return member(key, expected, actual, at: place)
        case (let expected?, nil): return ["\(place): missing, expected \(expected.text)"]
        case (nil, let actual?): return ["\(place): unexpected \(actual.text)"]
        case (nil, nil): return []
        }
      }
    case (.array(let left), .array(let right)) where left.count == right.count:
      return zip(left, right).enumerated().flatMap { index, pair in
        differences(pair.0, pair.1, at: "\(path)[\(index)]")
      }
    default:
      if let left = expected.double, let right = actual.double, left == right { return [] }
      return expected == actual ? [] : ["\(path): \(actual.text), expected \(expected.text)"]
    }
  }

  private static func member(_ key: String, _ expected: JSONValue, _ actual: JSONValue, at place: String)
    -> [String]
  {
    if positions.contains(key), let left = expected.double, let right = actual.double {
      return abs(left - right) <= positionTolerance ? [] : ["\(place): \(right), expected \(left)"]
    }
    if key == "breakId", expected.string?.hasPrefix("seek-") == true,
      actual.string?.hasPrefix("seek-") == true
    {
      return []
    }
    return differences(expected, actual, at: place)
  }
}
