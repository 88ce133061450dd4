@testable import CastqMPD

extension Parser {
  /// As what one client sends, in two pieces; every request is answered, every third one with a failure.
  func parseMPD(_ bytes: [UInt8]) {
    var reader = LineReader()
    var conversation = MPDConversation(partition: "lobby", permissions: .all)
    let cut = bytes.count / 2
    var answered = 0
    for piece in [bytes[..<cut], bytes[cut...]] {
      guard let lines = try? reader.read(piece) else { return }
      for line in lines {
        if let words = try? MPDWords(line) { precondition(read(words), "words mean the same when quoted") }
        var actions = conversation.receive(line)[...]
        while let action = actions.popFirst() {
          switch action {
          case .write(let text):
            precondition(text.isEmpty || text.hasSuffix("\n"), "whole lines are written")
          case .close: precondition(conversation.isClosed, "what is closed stays so")
          case .perform(let request):
            answered += 1
            if case .partition(let name) = request { conversation.choose(name) }
            let isRefused = answered.isMultiple(of: 3)
            actions =
              (isRefused
              ? conversation.failed(MPDFailure(.missing, "No such song")) : conversation.performed())[
                ...]
          }
        }
        _ = conversation.notice([.player])
      }
    }
  }

  private func read(_ words: MPDWords) -> Bool {
    let quoted = words.arguments.map { word in
      "\"" + word.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
    let line = ([words.command] + quoted).joined(separator: " ")
    return (try? MPDWords(Array(line.utf8))) == words
  }
}
