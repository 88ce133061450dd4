import Testing

@testable import CastqMPD

@Suite("A conversation of the Music Player Daemon's protocol")
struct ConversationTests {
  /// Feeds lines and answers each request with success, as "DONE", and returns all that was written.
  private func talk(
    _ conversation: inout MPDConversation, _ lines: String..., failing: MPDRequest? = nil
  ) -> String {
    var written = ""
    for line in lines {
      var actions = conversation.receive(Array(line.utf8))[...]
      while let action = actions.popFirst() {
        switch action {
        case .write(let text): written += text
        case .close: written += "CLOSED"
        case .perform(let request):
          if request == failing {
            actions = conversation.failed(MPDFailure(.missing, "No such song"))[...]
          } else {
            written += "<\(request)>"
            actions = conversation.performed()[...]
          }
        }
      }
    }
    return written
  }

  private func notice(
    _ conversation: inout MPDConversation, _ subsystems: Set<MPDSubsystem>
  ) -> [MPDConversation.Action] { conversation.notice(subsystems) }

  private func receive(
    _ conversation: inout MPDConversation, _ line: [UInt8]
  ) -> [MPDConversation.Action] { conversation.receive(line) }

  private func conversation(_ permissions: MPDPermissions = .all) -> MPDConversation {
    MPDConversation(partition: "lobby", permissions: permissions)
  }

  @Test("a command is answered, and so is the one after a mistake")
  func commands() {
    var talker = conversation()
    #expect(talk(&talker, "ping") == "OK\n")
    #expect(talk(&talker, "stop") == "<stop>OK\n")
    #expect(talk(&talker, "foo") == "ACK [5@0] {} unknown command \"foo\"\n")
    #expect(talk(&talker, "stop", failing: .stop) == "ACK [50@0] {stop} No such song\n")
    #expect(talk(&talker, "status") == "<status>OK\n")
  }

  @Test("a command list is performed at its end, up to the first failure, which has its index")
  func lists() {
    var talker = conversation()
    #expect(talk(&talker, "command_list_begin", "stop", "ping").isEmpty)
    #expect(
      talk(&talker, "next", "status", "command_list_end", failing: .next)
        == "<stop>ACK [50@2] {next} No such song\n")
    #expect(
      talk(&talker, "command_list_ok_begin", "ping", "stop", "ping", "command_list_end")
        == "list_OK\n<stop>list_OK\nlist_OK\nOK\n")
    #expect(talk(&talker, "command_list_begin", "command_list_end") == "OK\n")
    #expect(
      talk(&talker, "command_list_begin", "ping", "foo", "command_list_end")
        == "ACK [5@1] {} unknown command \"foo\"\n")
  }

  @Test(
    "songs that are added one after the other in a list are added together, and a failure has its own index")
  func groups() {
    var talker = conversation()
    let lines = [
      "command_list_ok_begin", "stop", "add a", "add \"b c\"", "add d", "add e 0", "command_list_end",
    ]
    var actions = lines.flatMap { talker.receive(Array($0.utf8)) }
    #expect(actions == [.perform(.stop)])
    actions = talker.performed()
    #expect(actions == [.write("list_OK\n"), .perform(.add(["a", "b c", "d"], nil))])
    var failing = talker
    actions = failing.failed(MPDFailure(.missing, "No such directory", offset: 2))
    #expect(actions == [.write("list_OK\nlist_OK\nACK [50@3] {add} No such directory\n")])
    actions = talker.performed()
    #expect(actions == [.write("list_OK\nlist_OK\nlist_OK\n"), .perform(.add(["e"], .position(0)))])
    actions = talker.performed()
    #expect(actions == [.write("list_OK\n"), .write("OK\n")])
  }

  @Test("who waits hears of what changed, also of what changed before, and of nothing else")
  func idle() {
    var talker = conversation()
    #expect(talk(&talker, "idle player mixer").isEmpty)
    #expect(talker.isWaiting)
    #expect(notice(&talker, [.playlist]).isEmpty)
    #expect(notice(&talker, [.mixer]) == [.write("changed: mixer\nOK\n")])
    #expect(notice(&talker, [.player]).isEmpty)
    #expect(talk(&talker, "idle") == "changed: playlist\nchanged: player\nOK\n")
    #expect(talk(&talker, "idle", "noidle") == "OK\n")
    #expect(talk(&talker, "noidle", "ping") == "OK\n")
    #expect(talk(&talker, "idle foo") == "ACK [2@0] {idle} Unrecognized idle event: foo\n")
    #expect(talk(&talker, "idle", "status") == "CLOSED")
    #expect(talker.isClosed)
  }

  @Test("another partition is another queue, player and mixer")
  func partitions() {
    var talker = conversation()
    talker.choose("bar")
    #expect(talker.partition == "bar")
    #expect(talk(&talker, "idle playlist options") == "changed: playlist\nchanged: options\nOK\n")
  }

  @Test("a request of a browser that was misled to this port gets no answer")
  func browsers() {
    for line in ["POST / HTTP/1.1", "GET /", "", "\u{16}\u{3}"] {
      var talker = conversation()
      #expect(talk(&talker, line, "stop") == "CLOSED")
    }
  }

  @Test("a list without end, and one of too many lines, ends the connection")
  func limits() {
    var talker = conversation()
    _ = talker.receive(Array("command_list_begin".utf8))
    let line = [UInt8](repeating: 0x61, count: 16 << 10)
    var count = 0
    while !talker.isClosed, count < 1000 {
      _ = talker.receive(line)
      count += 1
    }
    #expect(count == MPDConversation.mostBytes / (line.count + 1) + 1)
    talker = conversation()
    _ = talker.receive(Array("command_list_begin".utf8))
    for _ in 0..<MPDConversation.mostLines { #expect(receive(&talker, [0x61]).isEmpty) }
    #expect(receive(&talker, [0x61]) == [.close])
  }

  @Test("a client without a password is asked for one, and may look when its role may")
  func permissions() {
    var talker = conversation([])
    #expect(talk(&talker, "status") == "ACK [4@0] {status} you don't have permission for \"status\"\n")
    #expect(talk(&talker, "idle") == "ACK [4@0] {idle} you don't have permission for \"idle\"\n")
    #expect(talk(&talker, "password castq_1") == "<password(\"castq_1\")>OK\n")
    talker.permissions = .read
    #expect(talk(&talker, "status") == "<status>OK\n")
    #expect(talk(&talker, "play") == "ACK [4@0] {play} you don't have permission for \"play\"\n")
  }

  @Test("a client gets the tags that it wants")
  func tags() {
    var talker = conversation()
    #expect(talk(&talker, "tagtypes clear", "tagtypes") == "OK\nOK\n")
    #expect(talk(&talker, "tagtypes enable Title", "tagtypes") == "OK\ntagtype: Title\nOK\n")
    #expect(talk(&talker, "tagtypes all", "tagtypes").contains("tagtype: Artist\n"))
  }
}
