import CastProtocol
import CastqOperations
import CastqText
import Hummingbird

/// For those who watch castq: what the daemon says of itself, and what this process adds.
extension WebSite {
  /// The rows can be read, and a daemon that feeds from them can write them and holds its locks. Without a daemon the page can be used,
  /// too.
  func ready() async -> Response {
    do throws(Failure) { _ = try await documents.answer(.devices, for: .look) } catch {
      return Self.text("the database cannot be read\n", status: .serviceUnavailable)
    }
    do throws(Failure) {
      let text = try await documents.answer(.health, for: .look).text
      let health = try? JSONValue(parsing: Array(text.utf8))
      let problems = (health?["problems"]?.array ?? []).compactMap(\.string)
      guard problems.isEmpty else {
        let words = problems.map { "\(TerminalText.sanitized($0))\n" }.joined()
        return Self.text(words, status: .serviceUnavailable)
      }
    } catch {
      return Self.text("the daemon does not answer\n", status: .serviceUnavailable)
    }
    return Self.text("ok\n")
  }

  /// The daemon's text with the page's own samples in it.
  func metrics() async -> Response {
    let (streams, dropped, connections) = (await hub.count, await hub.dropped, book.count)
    var text = ""
    if let document = try? await documents.answer(.metrics, for: .look).text,
      let answer = try? JSONValue(parsing: Array(document.utf8))
    {
      text = answer["text"]?.string ?? ""
    }
    if !text.contains("# TYPE castq_build_info ") {
      Self.add(
        "castq_build_info{version=\"\(settings.version)\"} 1", of: "castq_build_info", "gauge",
        "Always 1; the version of castq is a label.", to: &text)
    }
    Self.add(
      "castq_event_subscribers{source=\"page\"} \(streams)", of: "castq_event_subscribers", "gauge",
      "Who follows events: streams of the page, watchers of the daemon.", to: &text)
    Self.add(
      "castq_events_dropped_total{source=\"page\"} \(dropped)", of: "castq_events_dropped_total", "counter",
      "Changes that a slow follower of events did not get one by one, but only the latest.", to: &text)
    Self.add(
      "castq_web_connections \(connections)", of: "castq_web_connections", "gauge",
      "Open connections of the page.", to: &text)
    var response = Self.text(text)
    response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
    return response
  }

  /// Adds a sample: a family stands in one piece, behind its type.
  static func add(_ sample: String, of name: String, _ kind: String, _ help: String, to text: inout String) {
    let type = "# TYPE \(name) \(kind)\n"
    if let end = text.firstRange(of: type)?.upperBound {
      text.insert(contentsOf: "\(sample)\n", at: end)
    } else {
      text += "# HELP \(name) \(help)\n\(type)\(sample)\n"
    }
  }
}
