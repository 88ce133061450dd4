import CastProtocol
import CastqOperations

/// What a page shows whose castq knows no screen: those of the network, found unasked.
struct FirstRun {
  let context: PageContext

  var html: HTML {
    guard context.role >= .edit else {
      return .section(
        [.class("empty")], Glyph.screen.html, .h2([], "No screen yet"),
        .p([], "Somebody who may edit adds the screens of this network here."))
    }
    return .section(
      [.class("first")], .h2([], "Which screen shall play?"),
      .p(
        [.class("faint")],
        "Those of your network are listed as they are found. Choose one, and a test film starts on it."),
      .div(
        [.class("notice"), .init("data-off", "true"), .init("hidden", if: !context.isOff)],
        .p([], "castq is not running yet. Start it first, and what you choose plays."),
        StartForm(context: context, isPrimary: true).html),
      .div([.class("panel")], FoundScreens(context: context).html),
      .p([.class("faint")], "castq plays as long as this computer is on."))
  }
}
