import CastqStore
import Testing

@Suite("An executor for the database")
struct StoreExecutorTests {
  private actor Clerk {
    private let executor = StoreExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private(set) var read: [Int] = []
    private(set) var interruptions = 0
    private var isWriting = false

    /// Reads until the end; each element takes many steps.
    func read(_ inbox: AsyncStream<Int>) async {
      var elements = inbox.makeAsyncIterator()
      while let element = await executor.next(of: &elements) {
        isWriting = true
        for _ in 0..<100 { await step() }
        read.append(element)
        isWriting = false
      }
    }

    private func step() async {}

    func interrupt() { if isWriting { interruptions += 1 } }
  }

  @Test("an actor reads its inbox in order, and calls its own methods without letting others in between")
  func order() async {
    let (inbox, send) = AsyncStream.makeStream(of: Int.self)
    let clerk = Clerk()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await clerk.read(inbox) }
      for element in 0..<200 {
        group.addTask { await clerk.interrupt() }
        send.yield(element)
        await Task.yield()
      }
      send.finish()
    }
    #expect(await clerk.read == Array(0..<200))
    #expect(await clerk.interruptions == 0)
  }

  @Test("an actor whose task is cancelled waits no longer")
  func cancelled() async {
    let (inbox, send) = AsyncStream.makeStream(of: Int.self)
    let clerk = Clerk()
    let reader = Task { await clerk.read(inbox) }
    send.yield(1)
    reader.cancel()
    await reader.value
    #expect(await clerk.read.count <= 1)
  }
}
