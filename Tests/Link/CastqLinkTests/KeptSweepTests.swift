import CastqLink
import Testing

@Suite("What a broker keeps of a site that is unlinked")
struct KeptSweepTests {
  private let topics = LiveTopics(site: "rome")

  @Test("each device that the broker names is emptied once, with its announcements, before the second echo")
  func all() {
    let home = HomeAssistant(topics, prefix: "homeassistant")
    var sweep = KeptSweep(topics, discovery: home)
    let first = sweep.receive("castq/rome/a%2Fb/state", isEmpty: false)
    #expect(first == topics.kept(of: "a/b") + home.announcements(of: "a/b").map(\.topic))
    let second = sweep.receive("castq/rome/a%2Fb/availability", isEmpty: false)
    let own = sweep.receive("castq/rome/a%2Fb/state", isEmpty: true)
    let kept = sweep.receive("castq/rome/availability", isEmpty: false)
    #expect(second == [] && own == [] && kept == [])
    let echo = sweep.receive("castq/rome/availability", isEmpty: true)
    #expect(echo == ["castq/rome/availability"])
    let last = sweep.receive("castq/rome/bar/state", isEmpty: false)
    #expect(last?.isEmpty == false)
    let end = sweep.receive("castq/rome/availability", isEmpty: true)
    #expect(end == nil)
  }

  @Test("what a late last will brings back is emptied again, however often")
  func late() {
    var sweep = KeptSweep(topics, discovery: nil)
    let marker = "castq/rome/availability"
    let early = sweep.receive(marker, isEmpty: false)
    #expect(early == [], "it is about to be emptied")
    let first = sweep.receive(marker, isEmpty: true)
    let second = sweep.receive(marker, isEmpty: true)
    #expect(first == [marker] && second == nil)
    for _ in 0..<3 {
      let back = sweep.receive(marker, isEmpty: false)
      let gone = sweep.receive(marker, isEmpty: true)
      #expect(back == [marker] && gone == nil)
    }
  }

  @Test("nothing of another site, and no announcement without discovery, is emptied")
  func others() {
    var sweep = KeptSweep(topics, discovery: nil)
    let other = sweep.receive("castq/paris/bar/state", isEmpty: false)
    let own = sweep.receive("castq/rome/bar/state", isEmpty: false)
    #expect(other == [] && own == ["castq/rome/bar/state", "castq/rome/bar/availability"])
  }
}
