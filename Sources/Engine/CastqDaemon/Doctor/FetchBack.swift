import CastGuard
import CastHTTP
package import CastProtocol
import CastqPrograms
import Glibc

/// What another process of this computer gets from an address: castq itself, started once more. Its connection comes from outside of
/// the process that serves, as a device's does; it does not come from outside of this computer, so it passes no firewall.
package struct FetchBack: Sendable, Hashable {
  /// The status of the answer; nil when there was none.
  package var status: Int?
  package var contentType: String?
  /// The `Access-Control-Allow-Origin` of the answer.
  package var allowedOrigin: String?
  package var body: [UInt8]
  /// Why there is no body; nil when there is one.
  package var problem: String?

  /// Why the process could not do its work.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The option of `castq doctor` that makes it the other process.
  package static let option = "--fetch-back"
  /// Bytes of the largest body that is fetched.
  private static let limit = 64 << 10
  /// Time limits of the fetch, and of the process around it.
  private static let (patience, life) = (Duration.seconds(3), Duration.seconds(6))

  /// Fetches in this process: the work of the other one.
  package static func document(of address: String) async -> JSONValue {
    var fetch = HTTPFetch(address, under: .owner, byteLimit: limit)
    (fetch.timeout, fetch.connectTimeout, fetch.redirectLimit) = (patience, patience, 0)
    fetch.origin = "https://www.gstatic.com"
    do throws(HTTPFetchError) {
      let fetched = try await HTTPClient().fetch(fetch)
      return [
        "status": 200, "type": JSONValue(fetched.contentType) ?? .null,
        "origin": JSONValue(fetched.allowedOrigin) ?? .null,
        "body": .array(fetched.body.map { .integer(Int64($0)) }), "problem": .null,
      ]
    } catch {
      let status: Int? = if case .status(let status) = error.kind { status } else { nil }
      return [
        "status": JSONValue(status) ?? .null, "type": .null, "origin": .null, "body": [],
        "problem": .string(error.reason),
      ]
    }
  }

  /// Starts the other process and returns what it got.
  package init(of address: String) async throws(Failure) {
    // The file that runs now, also when a newer one has taken its place.
    let program = ChildProgram(path: "/proc/self/exe")
    let output: [UInt8]
    do {
      // Its address space is not limited: that of a process with a thread for each processor is large, and empty.
      let limits = ProgramLimits(time: Self.life, memoryBytes: nil)
      output = try await program.run(["doctor", "\(Self.option)=\(address)"], limits: limits)
    } catch {
      throw Failure(description: "castq could not start itself: \(error)")
    }
    guard let document = try? JSONValue(parsing: output) else {
      throw Failure(description: "castq, started again, answered something else than expected")
    }
    status = document["status"]?.int
    contentType = document["type"]?.string
    allowedOrigin = document["origin"]?.string
    body = document["body"]?.array?.compactMap { $0.int.flatMap { UInt8(exactly: $0) } } ?? []
    problem = document["problem"]?.string
  }
}
