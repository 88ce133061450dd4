package import CoreMetrics

/// Brings a registry to everything that counts by swift-metrics: the store, the server of local files, other libraries.
package struct MetricFactory: MetricsFactory {
  private let registry: MetricRegistry

  package init(_ registry: MetricRegistry) { self.registry = registry }

  /// Makes it the one of the process. Call once, before anything counts.
  package func install() { MetricsSystem.bootstrap(self) }

  /// One sample of the registry, under each name that swift-metrics has for such a thing.
  private final class Sample: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler,
    TimerHandler
  {
    private let registry: MetricRegistry
    private let name: String
    private let labels: MetricLabels
    private let isAggregate: Bool

    init(_ registry: MetricRegistry, _ name: String, _ labels: [(String, String)], isAggregate: Bool = true) {
      self.registry = registry
      self.name = name
      self.labels = MetricLabels(labels)
      self.isAggregate = isAggregate
    }

    func increment(by amount: Int64) { registry.add(Double(amount), to: name, labels) }
    func increment(by amount: Double) { registry.add(amount, to: name, labels) }
    func decrement(by amount: Double) { registry.add(-amount, to: name, labels) }
    func reset() { registry.set(name, labels, to: 0) }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { registry.set(name, labels, to: value) }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) {
      if isAggregate { registry.observe(value, in: name, labels) } else { set(value) }
    }
    func recordNanoseconds(_ duration: Int64) {
      registry.observe(Double(duration) / 1e9, in: name, labels)
    }
  }

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    Sample(registry, label, dimensions)
  }
  package func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler { Sample(registry, label, dimensions) }
  package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    Sample(registry, label, dimensions)
  }
  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { Sample(registry, label, dimensions, isAggregate: aggregate) }
  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    Sample(registry, label, dimensions)
  }

  // A counter never goes back: what was counted stays when whoever counted is gone.
  package func destroyCounter(_ handler: any CounterHandler) {}
  package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  package func destroyMeter(_ handler: any MeterHandler) {}
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  package func destroyTimer(_ handler: any TimerHandler) {}
}
