import CastqMetrics
import CoreMetrics
import Testing

@Suite("The text that Prometheus reads")
struct MetricTextTests {
  private let registry = MetricRegistry()

  private func lines(_ name: String) -> [String] {
    registry.text().split(separator: "\n").map(String.init).filter { $0.hasPrefix(name) }
  }

  @Test("a counter adds up, and never goes back")
  func counters() {
    let lobby = MetricLabels([("device", "lobby")])
    for amount in [2, 0.5, -1, .nan, .infinity] {
      registry.add(amount, to: MetricCatalogue.playSeconds, lobby)
    }
    #expect(lines("castq_play_seconds_total") == [#"castq_play_seconds_total{device="lobby"} 2.5"#])
  }

  @Test("what is removed is not shown any more, and the rest is")
  func removing() {
    for name in ["hall", "lobby"] {
      registry.set(MetricCatalogue.deviceUp, MetricLabels([("device", name)]), to: 1)
    }
    registry.remove(MetricCatalogue.deviceUp, MetricLabels([("device", "hall")]))
    #expect(lines("castq_device_up") == [#"castq_device_up{device="lobby"} 1"#])
  }

  @Test("a histogram counts what is at most its bound, and everything in the last bucket")
  func histograms() {
    for seconds in [0.05, 0.06, 100] { registry.observe(seconds, in: MetricCatalogue.gapSeconds) }
    let lines = lines("castq_gap_seconds")
    #expect(lines.first == #"castq_gap_seconds_bucket{le="0.05"} 1"#)
    #expect(lines.contains(#"castq_gap_seconds_bucket{le="0.1"} 2"#))
    #expect(lines.contains(#"castq_gap_seconds_bucket{le="30"} 2"#))
    #expect(lines.contains(#"castq_gap_seconds_bucket{le="+Inf"} 3"#))
    #expect(lines.last == "castq_gap_seconds_count 3")
    #expect(lines.dropLast().last == "castq_gap_seconds_sum 100.11")
  }

  @Test("a hostile name stays one label on one line")
  func hostileNames() {
    let name = "a\"} 1\ncastq_device_up{device=\"b\\\u{1B}[2J" + String(repeating: "x", count: 500)
    registry.set(MetricCatalogue.deviceUp, MetricLabels([("device", name)]), to: 1)
    let lines = lines("castq_device_up")
    #expect(lines.count == 1)
    #expect(
      lines.first?.hasPrefix(#"castq_device_up{device="a\"} 1 castq_device_up{device=\"b\\ [2Jxx"#) == true)
    #expect(lines.first.map { $0.utf8.count < 160 && $0.hasSuffix(#"x"} 1"#) } == true)
  }

  @Test("what the catalogue does not have is not counted, and no family grows without bound")
  func bounds() {
    registry.add(to: "other_total")
    #expect(!registry.text().contains("other_total"))
    for number in 0..<20_100 {
      registry.add(to: MetricCatalogue.playSeconds, MetricLabels([("device", "\(number)")]))
    }
    #expect(lines("castq_play_seconds_total").count == 20_000)
  }

  @Test("a family without labels is there from the start, with zero")
  func zeroes() {
    registry.begin()
    #expect(lines("castq_media_bytes_total") == ["castq_media_bytes_total 0"])
    #expect(lines("castq_load_seconds_count") == ["castq_load_seconds_count 0"])
    #expect(lines("castq_plays_total") == [])
  }

  @Test("what counts by swift-metrics is counted in the registry")
  func factory() {
    let factory = MetricFactory(registry)
    Counter(label: MetricCatalogue.mediaRequests, dimensions: [("code", "206")], factory: factory).increment(
      by: 2)
    Timer(label: MetricCatalogue.storeWrites, factory: factory).recordNanoseconds(2_000_000)
    Recorder(label: MetricCatalogue.loadSeconds, factory: factory).record(3.5)
    Gauge(label: MetricCatalogue.subscribers, factory: factory).record(4)
    let meter = Meter(label: MetricCatalogue.deviceUp, factory: factory)
    meter.set(3)
    meter.decrement(by: 1)
    #expect(lines("castq_media_requests_total") == [#"castq_media_requests_total{code="206"} 2"#])
    #expect(
      lines("castq_store_write_seconds_bucket").contains(#"castq_store_write_seconds_bucket{le="0.0025"} 1"#))
    #expect(lines("castq_load_seconds_sum") == ["castq_load_seconds_sum 3.5"])
    #expect(lines("castq_event_subscribers") == ["castq_event_subscribers 4"])
    #expect(lines("castq_device_up") == ["castq_device_up 2"])
  }

  @Test("the process has memory, descriptors and a start")
  func process() {
    ProcessFacts().write(to: registry)
    func number(_ name: String) -> Double {
      lines("\(name) ").first.flatMap { Double($0.dropFirst(name.count + 1)) } ?? 0
    }
    #expect(number("process_resident_memory_bytes") > 1_000_000)
    #expect(number("process_virtual_memory_bytes") >= number("process_resident_memory_bytes"))
    #expect((3.0...1_000_000).contains(number("process_open_fds")))
    #expect(number("process_start_time_seconds") > 1_600_000_000)
    #expect(number("process_cpu_seconds_total") >= 0)
  }

  @Test("samples that come and go between two texts are in the next one, in order")
  func comingAndGoing() {
    let registry = MetricRegistry()
    func lines() -> [String] {
      registry.text().split(separator: "\n").filter { $0.hasPrefix("castq_device_up") }.map(String.init)
    }
    func up(_ name: String) -> MetricLabels { MetricLabels([("device", name)]) }
    registry.set(MetricCatalogue.deviceUp, up("b"), to: 1)
    #expect(lines() == [#"castq_device_up{device="b"} 1"#])
    registry.set(MetricCatalogue.deviceUp, up("a"), to: 0)
    registry.set(MetricCatalogue.deviceUp, up("b"), to: 0)
    #expect(lines() == [#"castq_device_up{device="a"} 0"#, #"castq_device_up{device="b"} 0"#])
    registry.remove(MetricCatalogue.deviceUp, up("b"))
    #expect(lines() == [#"castq_device_up{device="a"} 0"#])
    registry.add(2, to: MetricCatalogue.gapSeconds)
    registry.begin()
    #expect(lines().count == 1)
    #expect(registry.text().contains("castq_media_bytes_total 0\n"))
  }

}
