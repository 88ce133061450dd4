import Foundation
import Testing

@Suite("A real Prometheus", .timeLimit(.minutes(20)))
struct PrometheusTests {
  private static let path = "/usr/bin/prometheus"

  /// Who is notified of alerts: says each one's name and device once it fires.
  private static let manager = """
    import http.server, json
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments): pass
        def do_POST(self):
            alerts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200); self.send_header("Content-Length", "0"); self.end_headers()
            for alert in alerts: print("alert", json.dumps(alert["labels"], sort_keys=True), flush=True)
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    print("listening on", server.server_address[1], flush=True)
    server.serve_forever()
    """

  @Test(
    "it scrapes the daemon, and alerts go by what it has read",
    .enabled(if: FileManager.default.isExecutableFile(atPath: path), "needs Debian's prometheus"))
  func scraping() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let daemon = try await WatchedDaemon(stage)
      try await stage.castq("enqueue", try stage.playlist(tones: 1, seconds: Stage.outlasting))
      #expect(await receiver.playing() != nil)
      let manager = try RunningProgram(
        "python3", ["-c", Self.manager], environment: ProcessInfo.processInfo.environment,
        folder: stage.folder, patience: RunningProgram.lifetime)
      let line = try #require(await manager.stdout.line(containing: "listening on"), "\(manager.stderr.text)")
      let port = try #require(line.split(separator: " ").last)
      try stage.file(
        "rules.yml",
        """
        groups:
          - name: castq
            rules:
              - {alert: Shown, expr: castq_device_up == 1 and on(job) castq_load_seconds_count >= 1}
        """)
      try stage.file(
        "prometheus.yml",
        """
        global: {scrape_interval: 1s, evaluation_interval: 1s}
        rule_files: [rules.yml]
        alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:\(port)"]}]}]}
        scrape_configs:
          - {job_name: castq, static_configs: [{targets: ["\(daemon.address)"]}]}
        """)
      let prometheus = try RunningProgram(
        Self.path,
        [
          "--config.file=prometheus.yml", "--storage.tsdb.path=\(stage.folder)/series",
          "--web.listen-address=127.0.0.1:0",
        ], environment: stage.environment, folder: stage.folder, patience: RunningProgram.lifetime)
      let fired = try #require(
        await manager.stdout.line(containing: "alert "), "\(prometheus.stderr.text)")
      #expect(fired.contains(#""alertname": "Shown""#) && fired.contains(#""device": "lobby""#))
      #expect(fired.contains(#""job": "castq""#))
      prometheus.signal(SIGTERM)
      _ = await prometheus.ended()
      manager.signal(SIGKILL)
    }
  }
}
