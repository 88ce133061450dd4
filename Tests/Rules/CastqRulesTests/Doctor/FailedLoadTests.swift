import CastProtocol
import CastqFeeding
import Testing

@Suite("Why a load failed")
struct FailedLoadTests {
  private func log(_ rows: [(String, Int64)]) -> JSONValue {
    ["fetches": .array(rows.map { ["url": .string($0.0), "status": .integer($0.1)] })]
  }

  @Test("a local file is judged by what the access log has of it")
  func files() {
    let url = "file:///media/film.mp4"
    #expect(FailedLoad(file: url, log: log([])) == .neverAsked)
    #expect(FailedLoad(file: url, log: log([("file:///media/other.mp4", 200)])) == .neverAsked)
    #expect(FailedLoad(file: url, log: log([(url, 404)])) == .refused(status: 404))
    #expect(FailedLoad(file: url, log: log([(url, 206), (url, 416)])) == .fetched)
    #expect(FailedLoad(file: url, log: .null) == .neverAsked)
  }

  @Test("the doctor is named where the path may be the reason, and nowhere else")
  func advice() {
    let table: [(FailedLoad, Bool)] = [
      (.serverHasIt, true), (.neverAsked, true), (.foreign(contentType: "text/html"), false),
      (.unavailable(reason: "the server answers 404 Not Found"), false), (.fetched, false),
      (.refused(status: 404), false),
    ]
    for (failure, isNamed) in table {
      #expect(
        failure.words.hasSuffix("; the doctor tests the path to the device") == isNamed, "\(failure.words)")
    }
  }
}
