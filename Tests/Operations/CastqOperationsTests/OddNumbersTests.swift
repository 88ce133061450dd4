import CastqOperations
import CastqText
import Testing

/// Numbers that no clock, port, volume or list has, wherever people write some in the configuration.
@Suite("Odd numbers of the configuration")
struct OddNumbersTests {
  private static let numbers = [
    "-9223372036854775809", "9223372036854775807", "-1", "1e400", "nan", "99999999999999999999",
  ]

  @Test("every number of the configuration is taken, or refused with its line and column", arguments: numbers)
  func configuration(number: String) async throws {
    let site = try OperationsSite()
    for line in [
      "media_port: \(number)", "refresh: \(number)", "refresh: \(number)m",
      "advertise: 192.0.2.1:\(number)", "defaults: {volume: \(number)}",
      "defaults: {guests: lease \(number)m}", "defaults: {quiet_volume: \(number)}",
      "defaults: {on_error: retry \(number)}", "defaults: {quiet_hours: [\"\(number):00-07:00\"]}",
      "prepare: {budget: \(number)GB}", "prepare: {hours: [\"01:00-\(number):00\"]}",
      "web: {listen: \"127.0.0.1:\(number)\"}", "mpd: {listen: \"127.0.0.1:\(number)\"}",
      "metrics: {listen: \"127.0.0.1:\(number)\"}", "style: {fonts: {title: {size: \(number)}}}",
      "subtitle_style: {scale: \(number)}", "devices: {tv: {address: \"192.0.2.1:\(number)\"}}",
    ] {
      try site.file("config.yaml", line + "\n")
      switch ConfigurationFile(site.call).read() {
      case .success: break
      case .failure(let failure):
        #expect(
          failure.exit == .configuration && failure.message.contains("config.yaml:1:"), "\(line): \(failure)")
      }
      // A command that needs little of the file gets along with it, or says the same.
      do { _ = try await site.queue() } catch let error as Failure {
        #expect(error.exit == .configuration && error.message.contains("config.yaml:1:"), "\(line): \(error)")
      }
    }
  }
}
