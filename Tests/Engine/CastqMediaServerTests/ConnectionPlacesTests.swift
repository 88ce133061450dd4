import CastProtocol
import CastqMediaServer
import NIOCore
import Testing

/// Who gets a place when all are taken.
@Suite struct ConnectionPlacesTests {
  private let now = NIODeadline.uptimeNanoseconds(1_000_000_000)

  private func admitted(_ places: inout ConnectionPlaces, _ address: String) -> (number: Int, replaced: Int?)?
  {
    guard case .admitted(let number, let replaced) = places.admit(from: address, at: now) else { return nil }
    return (number, replaced)
  }

  @Test("a device that is fed gets the place that was longest without progress, silent strangers' first")
  func device() throws {
    var places = ConnectionPlaces(limit: 4, limitPerAddress: 4, patience: .zero)
    places.addDevice(at: "tv")
    let silent = try #require(admitted(&places, "a")).number
    let readers = try (0..<3).map { try #require(admitted(&places, "r\($0)")).number }
    readers.forEach { places.recordNamedFile($0) }
    places.recordProgress(readers[0])
    // Its first connection replaces the silent one; what it then names makes it worth more than any reader.
    let first = try #require(admitted(&places, "tv"))
    #expect(first.replaced == silent)
    places.recordNamedFile(first.number)
    #expect(admitted(&places, "tv")?.replaced == readers[1])
    #expect(admitted(&places, "tv")?.replaced == readers[2])
    #expect(admitted(&places, "tv")?.replaced == readers[0])
  }

  @Test("strangers never replace who named a file, nor a device's connection that is silent so far")
  func strangers() throws {
    var places = ConnectionPlaces(limit: 2, limitPerAddress: 2, patience: .zero)
    places.addDevice(at: "tv")
    _ = try #require(admitted(&places, "tv"))
    let reader = try #require(admitted(&places, "reader")).number
    #expect(places.admit(from: "x", at: now) == .admitted(3, replacing: reader))
    places.recordNamedFile(3)
    #expect(places.admit(from: "y", at: now) == .refused)
  }

  @Test(
    "a device that reached the limit of an address replaces its own oldest stalled connection, no other's")
  func ownLimit() throws {
    var places = ConnectionPlaces(limit: 100, limitPerAddress: 3, patience: .zero)
    places.addDevice(at: "tv")
    _ = try #require(admitted(&places, "stranger"))
    let own = try (0..<3).map { _ in try #require(admitted(&places, "tv")).number }
    own.forEach { places.recordNamedFile($0) }
    places.recordProgress(own[0])
    #expect(admitted(&places, "tv")?.replaced == own[1])
  }

  @Test("several devices at one address are each added and removed once")
  func sharedAddress() throws {
    var places = ConnectionPlaces(limit: 1, limitPerAddress: 1, patience: .zero)
    places.addDevice(at: "tv")
    places.addDevice(at: "tv")
    places.removeDevice(at: "tv")
    let reader = try #require(admitted(&places, "reader")).number
    places.recordNamedFile(reader)
    #expect(admitted(&places, "tv")?.replaced == reader)
    places.removeDevice(at: "tv")
    places.removeDevice(at: "tv")
    #expect(places.admit(from: "other", at: now) != .refused)
  }

  @Test("several devices at one address have the places of each")
  func placesOfEach() throws {
    var places = ConnectionPlaces(limit: 100, limitPerAddress: 3, patience: .zero)
    for _ in 1...2 { places.addDevice(at: "router") }
    for _ in 1...6 { #expect(try #require(admitted(&places, "router")).replaced == nil) }
    #expect(admitted(&places, "router")?.replaced == 1)
  }

  @Test("who has just come has a second to ask before its own address takes the place; others do not wait")
  func patience() {
    var places = ConnectionPlaces(limit: 1, limitPerAddress: 1)
    #expect(places.admit(from: "a", at: now) == .admitted(1, replacing: nil))
    #expect(places.admit(from: "a", at: now + .milliseconds(999)) == .refused)
    #expect(places.admit(from: "a", at: now + .seconds(1)) == .admitted(2, replacing: 1))
    #expect(places.admit(from: "b", at: now + .seconds(1)) == .admitted(3, replacing: 2))
    places.addDevice(at: "tv")
    #expect(places.admit(from: "tv", at: now + .seconds(1)) == .admitted(4, replacing: 3))
  }

  @Test("of those who have asked before, one has a second to ask before the other takes the place")
  func patienceOfClients() throws {
    var places = ConnectionPlaces(limit: 3, limitPerAddress: 3)
    for address in ["a", "b"] { places.recordNamedFile(try #require(admitted(&places, address)).number) }
    #expect(places.admit(from: "a", at: now) == .admitted(3, replacing: nil))
    #expect(places.admit(from: "b", at: now + .milliseconds(999)) == .refused)
    #expect(places.admit(from: "b", at: now + .seconds(1)) == .admitted(4, replacing: 3))
  }

  @Test("the limits hold whatever comes and goes, and a device that is fed is always admitted")
  func bounds() {
    var generator = SeededGenerator(seed: 7)
    var places = ConnectionPlaces(limit: 12, limitPerAddress: 5, patience: .zero)
    places.addDevice(at: "tv")
    var open: [Int: String] = [:]
    let addresses = ["tv", "a", "b", "c", "d"]
    for _ in 0..<20_000 {
      let address = addresses.randomElement(using: &generator) ?? "a"
      let known = open.keys.sorted().randomElement(using: &generator)
      switch (Int.random(in: 0..<5, using: &generator), known) {
      case (0, let number?):
        places.remove(number)
        open[number] = nil
      case (1, let number?): places.recordNamedFile(number)
      case (2, let number?): places.recordProgress(number)
      default:
        guard case .admitted(let number, let replaced) = places.admit(from: address, at: now) else {
          #expect(address != "tv")
          continue
        }
        if let replaced {
          #expect(open.removeValue(forKey: replaced) != nil)
        }
        #expect(open.updateValue(address, forKey: number) == nil)
      }
      #expect(open.count <= 12)
      #expect(Dictionary(grouping: open.values, by: \.self).values.allSatisfy { $0.count <= 5 })
    }
  }
}
