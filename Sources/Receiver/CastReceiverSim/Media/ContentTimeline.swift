/// The relation of stream time to content time, which excludes embedded breaks that are not expanded (protocol 9).
struct ContentTimeline: Sendable, Equatable {
  /// The ranges of the stream that content time excludes, in order, in seconds.
  var hidden: [ClosedRange<Double>] = []

  /// The content time at a stream position.
  func shown(_ place: Double) -> Double {
    place - hidden.reduce(0) { $0 + max(0, min(place, $1.upperBound) - $1.lowerBound) }
  }

  /// The stream position of a content time; at a break, the start of the break.
  func place(of time: Double) -> Double {
    hidden.reduce(time) { $0 > $1.lowerBound ? $0 + $1.upperBound - $1.lowerBound : $0 }
  }
}
