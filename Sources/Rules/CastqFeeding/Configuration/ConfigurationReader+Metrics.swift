import CastqText

/// `metrics:` of the configuration: who watches the daemon, and where.
package struct MetricRules: Sendable, Hashable {
  /// Host and port of `/metrics`, `/healthz` and `/readyz`; nil serves none, and `castq web` has them.
  package var listen: WebListen?
  /// Names under which it is asked, beside addresses and `localhost`.
  package var hosts: [String] = []
}

extension ConfigurationReader {
  private enum MetricsKey: String, CaseIterable { case listen, hosts }

  mutating func metrics(_ node: DocumentNode) -> MetricRules {
    var rules = MetricRules()
    for (key, value) in fields(node, of: "`metrics`", as: MetricsKey.self) {
      switch key {
      case .listen: rules.listen = listen(value)
      case .hosts: rules.hosts = hosts(value)
      }
    }
    return rules
  }
}
