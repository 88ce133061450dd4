import Synchronization

/// What the process has counted so far. Safe from anywhere; nothing in it waits for anything but another count.
package final class MetricRegistry: Sendable {
  private enum Value {
    case number(Double)
    case histogram(Histogram)
  }

  private struct Histogram {
    /// How many fell into each bucket alone; the last one has no bound.
    var counts: [UInt64]
    var sum = 0.0
  }

  private struct Samples {
    let family: MetricFamily
    var values: [MetricLabels: Value] = [:]
    /// The labels in the order of the text, with how their lines begin; nil when a sample has come or gone since it was made. Scrapes
    /// are many, and samples that come or go are few.
    var order: [(labels: MetricLabels, head: String)]?

    /// Makes the order where there is none.
    mutating func sort() {
      guard order == nil else { return }
      order = values.keys.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }.map { labels in
        (labels, labels.text.isEmpty ? "\(family.name) " : "\(family.name){\(labels.text)} ")
      }
    }
  }

  /// Samples of one family: a device that is renamed again and again must not fill the memory.
  private static let most = 20_000

  private let families: Mutex<[String: Samples]>

  package init(_ families: [MetricFamily] = MetricCatalogue.all) {
    var all: [String: Samples] = [:]
    for family in families { all[family.name] = Samples(family: family) }
    self.families = Mutex(all)
  }

  /// Adds to a counter or a gauge; what is not finite, and what would lower a counter, is left out.
  package func add(_ amount: Double = 1, to name: String, _ labels: MetricLabels = MetricLabels()) {
    change(name, labels) { family, value in
      guard amount.isFinite, family.kind == .gauge || family.kind == .counter && amount >= 0 else { return }
      guard case .number(let before)? = value else { return value = .number(amount) }
      value = .number(before + amount)
    }
  }

  /// Sets a gauge, or a counter that is kept elsewhere.
  package func set(_ name: String, _ labels: MetricLabels = MetricLabels(), to number: Double) {
    change(name, labels) { family, value in
      guard family.kind != .histogram, number.isFinite else { return }
      value = .number(number)
    }
  }

  /// Adds an observation to a histogram.
  package func observe(_ number: Double, in name: String, _ labels: MetricLabels = MetricLabels()) {
    change(name, labels) { family, value in
      guard family.kind == .histogram, number.isFinite else { return }
      var histogram = Histogram(counts: Array(repeating: 0, count: family.buckets.count + 1))
      if case .histogram(let before)? = value { histogram = before }
      let bucket = family.buckets.firstIndex { number <= $0 } ?? family.buckets.count
      histogram.counts[bucket] += 1
      histogram.sum += number
      value = .histogram(histogram)
    }
  }

  /// Removes a sample, such as that of a device that is gone.
  package func remove(_ name: String, _ labels: MetricLabels) {
    families.withLock { families in
      families[name]?.values[labels] = nil
      families[name]?.order = nil
    }
  }

  private func change(
    _ name: String, _ labels: MetricLabels, _ body: (MetricFamily, inout Value?) -> Void
  ) {
    families.withLock { families in
      // In its place: otherwise each count would copy all samples of its family.
      guard let place = families.index(forKey: name) else { return }
      let isNew = families.values[place].values[labels] == nil
      guard !isNew || families.values[place].values.count < Self.most else { return }
      if isNew { families.values[place].order = nil }
      let family = families.values[place].family
      body(family, &families.values[place].values[labels])
    }
  }

  /// The text of all families in the order of their names, in the format of Prometheus. Families without labels have a sample from the
  /// start on, those with labels from the first thing that was counted.
  package func text() -> String {
    let families = families.withLock { families in
      for name in families.keys { families[name]?.sort() }
      return families
    }
    var text = ""
    for (name, samples) in families.sorted(by: { $0.key < $1.key }) where !samples.values.isEmpty {
      text += "# HELP \(name) \(samples.family.help)\n# TYPE \(name) \(samples.family.kind.rawValue)\n"
      for (labels, head) in samples.order ?? [] {
        switch samples.values[labels] {
        case nil: break
        case .number(let number):
          text += head
          text += Self.shown(number)
          text += "\n"
        case .histogram(let histogram): Self.append(histogram, of: samples.family, labels, to: &text)
        }
      }
    }
    return text
  }

  private static func append(
    _ histogram: Histogram, of family: MetricFamily, _ labels: MetricLabels, to text: inout String
  ) {
    var sum: UInt64 = 0
    for (bound, count) in zip(family.buckets.map(Self.shown) + ["+Inf"], histogram.counts) {
      sum += count
      text += line("\(family.name)_bucket", labels.adding("le", bound), Double(sum))
    }
    text += line("\(family.name)_sum", labels.text, histogram.sum)
    text += line("\(family.name)_count", labels.text, Double(sum))
  }

  private static func line(_ name: String, _ labels: String, _ number: Double) -> String {
    labels.isEmpty ? "\(name) \(shown(number))\n" : "\(name){\(labels)} \(shown(number))\n"
  }

  /// Whole numbers without a fraction, others as short as they read back.
  private static func shown(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? "\(number)"
  }

  /// The families that have labels, so that a zero of theirs would be one of nobody.
  private static let labelled: Set = [
    MetricCatalogue.buildInfo, MetricCatalogue.deviceUp, MetricCatalogue.reconnects,
    MetricCatalogue.darkSeconds, MetricCatalogue.plays, MetricCatalogue.playSeconds,
    MetricCatalogue.queueEntries, MetricCatalogue.mediaRequests, MetricCatalogue.subscribers,
    MetricCatalogue.dropped,
  ]

  /// Gives every family without labels its first sample: a counter that nothing has moved is 0, and not unknown.
  package func begin() {
    families.withLock { families in
      for (name, samples) in families where !Self.labelled.contains(name) && !name.hasPrefix("process_") {
        guard samples.values.isEmpty else { continue }
        families[name]?.values[MetricLabels()] =
          samples.family.kind == .histogram
          ? .histogram(Histogram(counts: Array(repeating: 0, count: samples.family.buckets.count + 1)))
          : .number(0)
        families[name]?.order = nil
      }
    }
  }
}
