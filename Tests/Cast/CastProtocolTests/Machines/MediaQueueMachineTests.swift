import CastProtocol
import Testing

/// The copy of a queue, rule by rule (protocol 7.6, 7.7, 17.2).
struct MediaQueueMachineTests {
  struct Rule: Sendable, CustomTestStringConvertible {
    var name: String
    var lines: String
    var testDescription: String { name }

    init(_ name: String, _ lines: String) { (self.name, self.lines) = (name, lines) }
  }

  /// What comes before most rules: a queue of three, known with all changes up to number 3.
  static let known = """
    attach
    status 1 window 1,2 -> ask 1
    ids 1 = 1,2,3 @3 -> reloaded [1,2,3]
    """

  static let changes: [Rule] = [
    Rule(
      "the next change is applied, whatever it is",
      """
      insert 4,5 before 2 @4 -> inserted 1..<3 [1,4,5,2,3]
      insert 6 @5 -> inserted 5..<6 [1,4,5,2,3,6]
      remove 6,1 @6 -> removed 0,5 [4,5,2,3]
      order 3,2,5,4 @7 -> reordered [3,2,5,4]
      change 2,99 @8 -> updated 1 [3,2,5,4]
      nothing @9
      remove 2 @10 -> removed 1 [3,5,4]
      """),
    Rule("a gap means reading anew", "insert 4 @5 -> ask 2\nids 2 = 1,2,4,3 @5 -> reloaded [1,2,4,3]"),
    Rule("a smaller number means reading anew", "insert 4 @2 -> ask 2"),
    Rule("the same number twice means reading anew", "nothing @3 -> ask 2"),
    Rule("a change without a number means reading anew", "insert 4 -> ask 2"),
    Rule("a change of a kind nobody knows means reading anew", "oddity 4 @4 -> ask 2"),
    Rule("an insertion before something unknown means reading anew", "insert 4 before 9 @4 -> ask 2"),
    Rule("an insertion of what is there means reading anew", "insert 3 @4 -> ask 2"),
    Rule("an insertion of one item twice means reading anew", "insert 4,4 @4 -> ask 2"),
    Rule("an insertion of nothing means reading anew", "insert @4 -> ask 2"),
    Rule("a removal of what is not there means reading anew", "remove 3,9 @4 -> ask 2"),
    Rule("an order of other items means reading anew", "order 1,2 @4 -> ask 2"),
    Rule("an order with one item twice means reading anew", "order 1,2,2 @4 -> ask 2"),
    Rule("the number cannot run over", "insert 4 @-9223372036854775808 -> ask 2"),
  ]

  static let answers: [Rule] = [
    Rule(
      "changes that overtake the ids are applied to them, those that the ids contain are not",
      """
      insert 9 @9 -> ask 2
      insert 10 @10
      remove 2 @11
      ids 2 = 1,2,3,9,10 @10 -> reloaded [1,3,9,10]
      insert 11 @12 -> inserted 4..<5 [1,3,9,10,11]
      """),
    Rule(
      "when those that overtook have a gap themselves the ids are read once more",
      """
      insert 9 @9 -> ask 2
      insert 12 @12
      ids 2 = 1,2,3,9 @9 -> reloaded [1,2,3,9] · ask 3
      """),
    Rule(
      "changes without numbers that overtake make the ids doubtful",
      "insert 9 -> ask 2\ninsert 10\nids 2 = 1,2 -> reloaded [1,2] · ask 3\nids 3 = 1 -> reloaded [1]"),
    Rule(
      "an answer to an older question is passed over",
      """
      insert 9 @9 -> ask 2
      ids 1 = 7 @9
      status 2 window 1 -> reloaded []? · ask 3
      ids 2 = 1,2,3,9 @9
      ids 3 = 1 @0 -> reloaded [1]
      """),
    Rule(
      "an id that comes twice counts once", "reload -> ask 2\nids 2 = 5,5,6,5 @4 -> reloaded [5,6]"),
    Rule(
      "a refusal because of the media session is worth one more try, with the next status",
      """
      reload -> ask 2
      ids 2 failed INVALID_MEDIA_SESSION_ID
      status 1 window 1,2 -> ask 3
      ids 3 failed INVALID_MEDIA_SESSION_ID -> reloaded [1,2]?
      status 1 window 2,3 -> reloaded [2,3]?
      insert 5 @5 -> ask 4
      ids 4 = 1,2,3,5 @5 -> reloaded [1,2,3,5]
      """),
    Rule(
      "no answer in time is worth one more try, too",
      "reload -> ask 2\nids 2 failed timeout\nstatus 1 window 1,2 -> ask 3\nids 3 = 2 @0 -> reloaded [2]"),
    Rule(
      "a receiver that does not know the question shows a window, and is not asked again",
      """
      reload -> ask 2
      ids 2 failed INVALID_COMMAND -> reloaded [1,2]?
      insert 5 @5
      status 1 window 2,3 -> reloaded [2,3]?
      status 1 window 2,3
      status 1 window 2,3 placed -> updated 0,1 [2,3]?
      status 2 window 1 -> reloaded []? · ask 3
      """),
  ]

  static let lives: [Rule] = [
    Rule("nothing loaded is an empty queue", "none -> reloaded []"),
    Rule("the end of the queue is an empty queue", "status 1 ended window 1,2 -> reloaded []"),
    Rule(
      "a queue that goes on after an end is read anew",
      "status 1 ended -> reloaded []\nstatus 1 window 3 -> ask 2"),
    Rule("another media session is another queue", "status 2 window 1 -> reloaded []? · ask 2"),
    Rule(
      "another application, or the same one joined anew, is another queue",
      "joined -> reloaded []? · ask 2\nids 2 = 1 @0 -> reloaded [1]"),
    Rule(
      "while something loads nobody is asked",
      "status 2 loading -> reloaded []?\nstatus 2 loading\nstatus 2 window 1 -> ask 2"),
    Rule("the end of the session is the end", "over -> reloaded []? · finish\nstatus 2\nreload"),
    Rule(
      "what is cleared stays so until it is reloaded",
      """
      clear -> reloaded []?
      insert 4 @4
      status 1 window 2,3
      want 3
      reload -> ask 2
      ids 2 = 1,2,3,4 @4 -> reloaded [1,2,3,4]
      """),
    Rule(
      "what is cleared comes back with another media session",
      "clear -> reloaded []?\nstatus 2 window 5 -> ask 2"),
    Rule(
      "a window that is no part of the queue tells of a change that nobody announced",
      "status 1 window 2,1 -> ask 2\nids 2 = 2,1,3 @3 -> reloaded [2,1,3]"),
    Rule(
      "a window that contradicts twice is believed once",
      "status 1 window 2,7 -> ask 2\nids 2 = 1,2,3 @3 -> reloaded [1,2,3]\nstatus 1 window 2,7"),
    Rule(
      "a window that is old news is not held against the queue",
      "remove 2 @4 -> removed 1 [1,3]\nstatus 1 window 1,2\nstatus 1 window 1,3"),
    Rule(
      "a queue that is shuffled from now on is read anew",
      "status 1 window 1,2 shuffle off\nstatus 1 window 1,2 shuffle on -> ask 2"),
    Rule(
      "items shown without their places were shuffled, unless a change explains it",
      """
      status 1 window 1,2 placed
      remove 3 @4 -> removed 2 [1,2]
      status 1 window 1,2
      status 1 window 1,2 placed
      status 1 window 1,2 -> ask 2
      """),
  ]

  static let items: [Rule] = [
    Rule(
      "items are asked for together, and told where they are",
      """
      want 2 -> timer
      want 3
      want 2
      time -> fetch 1 = 3,2
      items 1 = 3,2 -> updated 1,2 [1,2,3]
      want 2
      """),
    Rule(
      "one question at a time; what is wanted meanwhile comes after",
      """
      want 1 -> timer
      time -> fetch 1 = 1
      want 2
      want 1
      items 1 = 1 -> updated 0 [1,2,3] · timer
      time -> fetch 2 = 2
      """),
    Rule(
      "of many wanted items the last ones count",
      "cache 2\nwant 1 -> timer\nwant 2\nwant 3\ntime -> fetch 1 = 2,3"),
    Rule(
      "no more are asked for at once than is allowed, the last ones first",
      """
      batch 1
      want 1 -> timer
      want 2
      time -> fetch 1 = 2
      items 1 = 2 -> updated 1 [1,2,3] · timer
      time -> fetch 2 = 1
      """),
    Rule(
      "a receiver that answers with fewer is asked for the rest, until it has no more",
      """
      want 1 -> timer
      want 2
      want 3
      time -> fetch 1 = 1,2,3
      items 1 = 2 -> updated 1 [1,2,3] · timer
      time -> fetch 2 = 1,3
      items 2 =
      """),
    Rule(
      "what was not asked for is passed over",
      "want 1 -> timer\ntime -> fetch 1 = 1\nitems 1 = 9,2,1 -> updated 0 [1,2,3]"
    ),
    Rule(
      "an item that changes while it is fetched is not taken from that answer",
      """
      want 1 -> timer
      want 2
      time -> fetch 1 = 1,2
      change 1 @4 -> updated 0 [1,2,3]
      items 1 = 1,2 -> updated 1 [1,2,3]
      want 1 -> timer
      """),
    Rule(
      "items that went away are not asked for", "want 1 -> timer\nremove 1 @4 -> removed 0 [2,3]\ntime"),
    Rule(
      "items are forgotten with the ids, and so is who wanted them",
      """
      want 1 -> timer
      insert 9 @9 -> cancel · ask 2
      time
      ids 2 = 1,2,3,9 @9 -> reloaded [1,2,3,9]
      """),
    Rule(
      "after a failure an item is asked for again when it is wanted again",
      "want 1 -> timer\ntime -> fetch 1 = 1\nitems 1 failed timeout\nwant 1 -> timer"),
    Rule("limits below one are one", "cache -3\nbatch 0\nwant 1 -> timer\nwant 2\ntime -> fetch 1 = 2"),
  ]

  @Test("a queue of three", arguments: changes + answers + lives + items)
  func rule(_ rule: Rule) throws {
    var conversation = QueueConversation()
    #expect(try conversation.play(Self.known) == Self.known)
    let played = try conversation.play(rule.lines)
    #expect(played == rule.lines, "\(rule.name):\n\(played)")
  }

  @Test("nothing is asked before it is attached, active and something is loaded")
  func waitsForItsTime() throws {
    var conversation = QueueConversation()
    let before = "status 1 window 1\ninsert 4 @4\nwant 1\nreload\nclear"
    #expect(try conversation.play(before) == before)
    #expect(!conversation.machine.isComplete)
    let after = "attach\nwant 1\nreload"
    #expect(try conversation.play(after) == after)
    #expect(conversation.machine.isComplete, "nothing is loaded, and that is all there is to know")
  }

  @Test("a list without end is cut, says so, and does not grow by insertions")
  func isBounded() {
    var machine = MediaQueueMachine()
    var status = MediaStatus(mediaSessionID: MediaSessionID(1))
    status.playerState = .playing
    _ = machine.handle(.attached(isActive: true, status), at: .zero)
    let endless = (1...MediaQueueMachine.limit + 5).map(MediaQueueItemID.init)
    _ = machine.handle(.itemIDs(1, .success(MediaQueueIDs(endless, sequenceNumber: 0))), at: .zero)
    #expect(machine.itemIDs.count == MediaQueueMachine.limit)
    #expect(!machine.isComplete)
    let more = MediaQueueChange(kind: .insert, itemIDs: [MediaQueueItemID(99_999)], sequenceNumber: 1)
    let actions = machine.handle(.session(.queueChange(more)), at: .zero)
    #expect(actions == [.fetchItemIDs(2)])
    for number in 2...500 {
      let change = MediaQueueChange(kind: .noChange, itemIDs: endless, sequenceNumber: number)
      _ = machine.handle(.session(.queueChange(change)), at: .zero)
    }
    let actionsAfterFlood = machine.handle(
      .itemIDs(2, .success(MediaQueueIDs([MediaQueueItemID(1)], sequenceNumber: 1))), at: .zero)
    #expect(actionsAfterFlood.contains { if case .fetchItemIDs = $0 { true } else { false } })
  }

  @Test("the items used last are kept")
  func keepsTheLatest() throws {
    var conversation = QueueConversation()
    let lines = """
      cache 2
      want 1 -> timer
      want 2
      time -> fetch 1 = 1,2
      items 1 = 1,2 -> updated 0,1 [1,2,3]
      """
    _ = try conversation.play(Self.known)
    #expect(try conversation.play(lines) == lines)
    var machine = conversation.machine
    #expect(machine.item(MediaQueueItemID(1)) != nil)
    for event in [MediaQueueMachine.Event.wanted(MediaQueueItemID(3)), .timerFired(.collecting)] {
      _ = machine.handle(event, at: .zero)
    }
    var third = MediaQueueItem(mediaInformation: nil)
    third.itemID = MediaQueueItemID(3)
    _ = machine.handle(.items(2, .success([third])), at: .zero)
    #expect(machine.item(MediaQueueItemID(2)) == nil)
    #expect(machine.item(MediaQueueItemID(1)) != nil && machine.item(MediaQueueItemID(3)) != nil)
  }
}
