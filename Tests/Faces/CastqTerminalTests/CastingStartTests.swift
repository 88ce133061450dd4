import CastqTerminal
import Testing

@Suite("When casting begins")
struct CastingStartTests {
  /// What was on the screen at each report: `-` is nothing, `?` is a device that does not answer, `*` marks where casting begins.
  @Test(
    "it begins when something is shown where nothing was, and at no other time",
    arguments: [
      ("- a* a - b*", "what begins, begins each time"), ("a a b", "what was found playing has not begun"),
      ("? a", "nor what is first seen when the device answers"),
      ("- a* ? a", "nor what plays on after a loss"),
      ("- a* ? - a - b*", "also when nothing was heard of it at first"),
      ("- ? a*", "something began meanwhile"), ("- a* - ? a*", "what had ended before the loss begins anew"),
      ("a ? b", "the next entry is no beginning"), ("a ? - b*", "another one after nothing is"),
    ])
  func begins(story: String, why: String) {
    var start = CastingStart()
    for report in story.split(separator: " ") {
      let what = report.first.map(String.init) ?? ""
      let begins = start.receive(isConnected: what != "?", showing: what == "-" || what == "?" ? nil : what)
      #expect(begins == report.hasSuffix("*"), "\(story) at \(report): \(why)")
    }
  }
}
