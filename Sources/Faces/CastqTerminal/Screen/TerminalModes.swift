/// The sequences that take a terminal into the full screen and back.
package enum TerminalModes {
  /// Alternate screen, no cursor, mouse presses in SGR form, bracketed paste; then whether updates can be synchronised is asked.
  package static let enter =
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[0m\u{1B}[2J\u{1B}[?2026$p"

  /// The opposite, in reverse order; harmless where nothing was entered.
  package static let leave =
    "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
}
