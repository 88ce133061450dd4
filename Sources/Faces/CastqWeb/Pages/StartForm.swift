import CastProtocol
import CastqOperations

/// What to do where castq is not running: a button that starts it, or who does. A script shows and hides it as the daemon comes and goes.
struct StartForm {
  let context: PageContext
  /// Whether it is the one thing to do.
  var isPrimary = false

  var html: HTML {
    if let service = context["daemon"]?["service"]?.string {
      return .p(
        [.init("data-off", "true"), .init("hidden", if: !context.isOff)],
        HTML("Whoever looks after castq’s computer starts the service \(service)."))
    }
    guard context.role >= .operate, context["daemon"]?["startable"]?.bool == true else { return .none }
    let mistake = isPrimary ? nil : context.mistake(in: "start")
    return PostForm(context: context, what: "start").html(
      [.class("start"), .init("data-off", "true"), .init("hidden", if: !context.isOff)],
      [
        .submit([.class(isPrimary ? "primary" : ""), .init("data-act", "true")], "Start castq"),
        mistake?.html ?? .none,
      ])
  }
}

extension PageContext {
  /// Whether it is known that no daemon runs.
  var isOff: Bool { self["daemon"]?["running"]?.bool == false }
}
