import CastqOperations
import CastqText

/// A form that could not be done: what is wrong stands in it, beside what was written.
struct FormMistake {
  let failure: Failure
  /// As it was sent.
  let form: WebOptions

  /// What is wrong. A script removes it when the form is sent again.
  var html: HTML { FailureNote(failure: failure, id: Self.id).html }

  private static let id = "mistake"

  /// The value of a field, and a mark on the one that is wrong.
  func attributes(_ name: StaticString) -> [HTML.Attribute] {
    let isWrong = "\(name)" == field
    return [
      .init("value", form["\(name)"]), .init("aria-invalid", isWrong ? "true" : nil),
      .init("aria-describedby", isWrong ? Self.id : nil),
    ]
  }

  /// The field that is wrong; nil where the mistake does not say it.
  private var field: String? {
    switch (form["do"], failure.code) {
    case ("rule", "stale"): "rule"
    case ("rule", "input_missing"), ("rule", "bad_playlist"): "play"
    case ("announce", "input_missing"), ("announce", "bad_playlist"): "source"
    case (NewProgramme.action, "stale"): "programme"
    case (NewProgramme.action, "input_missing"), (NewProgramme.action, "bad_playlist"): "source"
    case ("enqueue", _): "sources"
    case ("add-screen", "usage"): "address"
    default: nil
    }
  }

  /// Where the form stands on its page, for an address; empty for one without a place of its own.
  static func fragment(of form: WebOptions) -> String {
    switch form["do"] {
    case NewProgramme.action: "#\(NewProgramme.id)"
    case "rule": "#drawer"
    case "announce": "#announce"
    case "enqueue": "#add"
    case "add-screen": "#add-screen"
    default: ""
    }
  }
}

extension PageContext {
  /// What is wrong with a form of this page; nil for another form, and without a mistake.
  /// - Parameter what: what it does, as its `do` has it.
  func mistake(in what: String) -> FormMistake? {
    guard case .mistake(let failure, let form)? = notice, form["do"] == what, has(form) else { return nil }
    return FormMistake(failure: failure, form: form)
  }

  /// What stands at the top of the page: all but the mistakes that stand in their forms.
  var notes: HTML {
    switch notice {
    case nil: HTML.none
    case .done(let words)?: .p([.class("notice"), .init("role", "status")], HTML(words))
    case .removed(let rule, _)?: role < .edit ? HTML.none : removal(of: rule)
    case .mistake(let failure, let form)?: has(form) ? HTML.none : FailureNote(failure: failure).html
    }
  }

  /// That a rule is gone, and the way back.
  private func removal(of rule: String) -> HTML {
    func hidden(_ name: StaticString, _ value: String?) -> HTML {
      .empty("input", [.init("type", "hidden"), .init("name", "\(name)"), .init("value", value)])
    }
    return .element(
      "form",
      [.class("notice"), .init("role", "status"), .init("method", "post"), .init("action", "/do")],
      [
        hidden("do", "restore-rule"), hidden("notice", query["notice"]),
        hidden("back", address(with: ["notice": nil])),
        .p([], .foreign(rule), " is removed."),
        .submit([.class("plain"), .init("data-act", "true")], "Undo"),
      ])
  }

  /// What was written into a field of a rule's own form that could not be done; nil for another form.
  func written(_ field: String, in what: String, of rule: String) -> String? {
    guard case .mistake(_, let form)? = notice, form["do"] == what, form["rule"] == rule else { return nil }
    return form[field]
  }

  /// Whether the page has a form, to which what was written can be given back.
  private func has(_ form: WebOptions) -> Bool {
    switch (form["do"], page) {
    case ("rule", .schedule), (NewProgramme.action, .library): role >= .edit
    case ("announce", .screens), ("announce", .device):
      role >= .operate && !list("devices", "devices").isEmpty
    case ("add-screen", .screens), ("add-screen", .device): role >= .edit
    case ("enqueue", .device):
      role >= .operate && ChosenScreen.Tab(in: query) == .queue && form["sources"] != TestCard.source
    default: false
    }
  }
}
