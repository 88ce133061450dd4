/// One line of control input, from a socket or a terminal.
enum ControlLine: Sendable, Equatable {
  case control(SimControl)
  case transfer(host: String, port: Int)
  /// Reports the receiver's state.
  case status
  /// Answered when the receiver is on and on the network.
  case waitUntilUp

  static let help =
    SimControl.help + "\n" + """
        transfer HOST:PORT      what plays goes on at another device, and ends here
        status                  answers with what it does, as JSON
        wait                    answers when it is on, on the network, and listens
      """

  /// Reads one of the forms of `help`.
  init(parsing line: String) throws(SimControlSyntaxError) {
    let words = line.split(separator: " ")
    switch (words.first, words.count) {
    case ("status", 1): self = .status
    case ("wait", 1): self = .waitUntilUp
    case ("transfer", 2):
      guard let colon = words[1].lastIndex(of: ":"),
        let port = SimControl.port(String(words[1][words[1].index(after: colon)...])),
        colon > words[1].startIndex
      else {
        throw SimControlSyntaxError(description: "“\(words[1])” is no HOST:PORT")
      }
      let host = words[1][..<colon].filter { !"[]".contains($0) }
      self = .transfer(host: String(host), port: port)
    default: self = .control(try SimControl(parsing: line))
    }
  }
}
