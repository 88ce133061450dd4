/// What a person or the terminal itself sends.
package enum TerminalEvent: Sendable, Hashable {
  case key(TerminalKey)
  case mouse(TerminalMouse)
  /// Text that was pasted, without control characters but line ends; at most `KeyParser.pasteLimit` bytes.
  case paste(String)
  /// The answer about a private mode: 1 set, 2 reset, both of which mean that the terminal has it; 0 and 4 that it has not.
  case mode(Int, Int)
}

/// A key with what is held beside it.
package struct TerminalKey: Sendable, Hashable {
  package enum Name: Sendable, Hashable {
    /// A character that is typed.
    case character(Character)
    case enter, escape, tab, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  package var name: Name
  package var hasAlt: Bool
  package var hasControl: Bool
  package var hasShift: Bool

  package init(_ name: Name, alt: Bool = false, control: Bool = false, shift: Bool = false) {
    self.name = name
    hasAlt = alt
    hasControl = control
    hasShift = shift
  }
}

/// A press or a turn of the wheel at a place of the screen.
package struct TerminalMouse: Sendable, Hashable {
  package enum Act: Sendable, Hashable {
    case press, release, drag, wheelUp, wheelDown
  }

  package var act: Act
  /// From 0.
  package var row: Int
  /// From 0.
  package var column: Int

  package init(_ act: Act, row: Int, column: Int) {
    self.act = act
    self.row = row
    self.column = column
  }
}
