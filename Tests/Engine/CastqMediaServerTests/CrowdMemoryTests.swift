import CastqAccepting
import Testing

/// When memory is given back.
@Suite struct CrowdMemoryTests {
  @Test("a crowd that leaves is told once, a few connections never")
  func crowd() {
    var memory = CrowdMemory()
    let coming = (0...4096).map { memory.hasLeft($0) }
    let leaving = (0...4096).reversed().map { memory.hasLeft($0) }
    #expect(!coming.contains(true))
    #expect(leaving.filter(\.self).count == 1)
    #expect(leaving.firstIndex(of: true) == 4096 - 512)
    let few = (0...500).map { memory.hasLeft($0) } + (0...500).reversed().map { memory.hasLeft($0) }
    #expect(!few.contains(true))
  }
}
