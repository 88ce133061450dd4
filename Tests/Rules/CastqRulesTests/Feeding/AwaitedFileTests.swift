import CastProtocol
import CastqFeeding
import Testing

/// What nothing plays before may wait for its file to be read.
@Suite struct AwaitedFileTests {
  @Test("the first entry is not loaded while its file is being read, and is once the rows are read again")
  func first() {
    let bench = FeederBench(count: 3)
    bench.reading = ["v1"]
    bench.begin()
    #expect(bench.loads == 0 && bench.end == nil, "the list is not over either")
    bench.run(seconds: 60)
    #expect(bench.loads == 0, "nothing but the news of the file ends it")
    bench.reading = []
    bench.send(.rowsChanged)
    #expect(bench.loads == 1)
    #expect(bench.receiver.items.first?.mediaInformation?.contentID == "v1")
  }

  @Test("an entry that waits is passed over by none that does not")
  func order() {
    let bench = FeederBench(count: 2)
    bench.reading = ["v1"]
    bench.begin()
    bench.send(.rowsChanged)
    #expect(bench.loads == 0)
    bench.reading = ["v2"]
    bench.send(.rowsChanged)
    #expect(bench.receiver.items.first?.mediaInformation?.contentID == "v1")
  }

  @Test("who stops while it waits ends it")
  func stopped() {
    let bench = FeederBench(count: 1)
    bench.reading = ["v1"]
    bench.begin()
    bench.send(.stop("by hand"))
    #expect(bench.end != nil && bench.loads == 0)
  }
}
