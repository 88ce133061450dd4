import CastqFeeding
import CastqText
import Testing

@Suite struct GuestSharesTests {
  @Test(
    "at any limit the guests of the daemon leave a reserve, and those who fetch files take half at most",
    arguments: [-1, 0, 1, 63, 64, 65, 100, 255, 256, 1024, 4096, 16_384, 32_768, 1 << 20, .max])
  func reserve(descriptors: Int) {
    let shares = GuestShares(descriptors: descriptors)
    #expect(shares.mediaConnections >= 16 && shares.mediaConnections * 2 <= shares.descriptors / 2)
    #expect(shares.mediaConnectionsOfAddress <= 64 && shares.mediaConnectionsOfAddress > 0)
    #expect(shares.reserve >= shares.descriptors / 4)
    for share in [
      shares.controlClients, shares.watchers, shares.pageConnections, shares.pageStreams, shares.mpdClients,
      shares.deviceQuestions,
    ] { #expect(share > 0 && share <= shares.descriptors / 2) }
  }

  @Test("more devices want no fewer files, whatever their number")
  func wanted() {
    let wanted = [.min, -1, 0, 1, 20, 500, 10_000, .max].map { GuestShares.wanted(forDevices: $0) }
    #expect(wanted == wanted.sorted() && wanted[0] >= GuestShares.least)
  }

  @Test("doctor warns of a limit that is small for the devices, and says what would do")
  func verdict() {
    let few = OpenFilesFinding(shares: GuestShares(descriptors: 256), devices: 40).verdict
    #expect(few.grade == .warn && few.words.typed == "castq may have 256 files open, few for 40 devices")
    #expect(few.advice?.typed.contains("allow 720 or more") == true)
    let running: OpenFilesFinding = OpenFilesFinding(
      shares: GuestShares(descriptors: 16_384), open: 41, mediaConnections: 3, devices: 1)
    let enough = OpenFilesFinding(running.document, or: GuestShares(descriptors: 64), devices: 1).verdict
    #expect(
      enough.words.typed
        == "castq may have 16384 files open, enough for 1 device; 41 are; 3 of 4096 connections fetch local files"
    )
  }
}
