import CastProtocol
import CastqText

/// The state of a screen: a shape, and its word.
struct StateMark {
  let view: StatusView
  let context: PageContext
  /// Whether it lies on a picture.
  var isBadge = false

  var html: HTML {
    .span(
      [.class(isBadge ? "state badge" : "state")], Glyph.air.html, Glyph.dark.html, Glyph.away.html,
      Glyph.busy.html,
      .span([.part("word")], HTML(view.word)))
  }
}

/// Artwork by its digest, or a screen where there is none.
struct Artwork {
  let document: JSONValue
  var width = 320
  /// What stands where there is none.
  var glyph = Glyph.screen

  /// The address of the picture at this server; nil when the document names none.
  var address: String? { document["art"]?.string.map { "/api/v1/art/\(PageAddress.encoded($0))?w=\(width)" } }

  var html: HTML {
    guard let address else { return glyph.html }
    func image(_ look: String?) -> HTML {
      .empty(
        "img",
        [
          .init("class", look), .init("src", address), .init("alt", ""), .init("loading", "lazy"),
          .init("decoding", "async"),
        ])
    }
    return [image("blur"), image(nil)]
  }
}

/// A form that changes something: posted by the browser itself where there is no script.
struct PostForm {
  let context: PageContext
  /// What it does, as the server names it.
  let what: StaticString
  /// The device it acts on; nil for none, or for one of its fields.
  var device: String?

  func html(_ attributes: [HTML.Attribute], _ content: [HTML]) -> HTML {
    func hidden(_ name: StaticString, _ value: String) -> HTML {
      .empty("input", [.init("type", "hidden"), .init("name", "\(name)"), .init("value", value)])
    }
    return .element(
      "form",
      attributes + [.init("method", "post"), .init("action", "/do"), .init("data-do", "\(what)")],
      [
        hidden("do", "\(what)"), device.map { hidden("device", $0) } ?? .none,
        hidden("back", context.address(with: ["notice": nil])),
      ] + content)
  }
}

/// Buttons that send commands to a device, with or without a script.
struct CommandForm {
  struct Command {
    let verb: StaticString
    let label: String
    let glyphs: [Glyph]
    /// Whether it is a script's affair: there is no verb of this name.
    var isScripts = false
  }

  let context: PageContext
  let label: String
  /// Whether the device cannot hear.
  var isOff = false

  func html(_ commands: [Command]) -> HTML {
    PostForm(context: context, what: "command", device: label).html(
      [.class("acts")],
      commands.map { command in
        if command.isScripts {
          return .button(
            [
              .class("icon"), .part("\(command.verb)"), .label(command.label), .init("data-act", "true"),
              .init("disabled", if: isOff),
            ], HTML(command.glyphs.map(\.html)))
        }
        return .submit(
          [
            .class("icon"), .init("name", "verb"), .init("value", "\(command.verb)"), .label(command.label),
            .init("data-act", "true"), .init("disabled", if: isOff),
          ], HTML(command.glyphs.map(\.html)))
      })
  }
}

/// The command of the terminal that does the same, ready to be copied.
struct CommandLine {
  private let text: String

  init(_ words: [String]) { text = (["castq"] + words.map(Self.quoted)).joined(separator: " ") }

  /// Without the words of it: people who type no commands read here.
  var button: HTML {
    .button([.class("plain"), .init("data-copy", text)], Glyph.copy.html, "Copy as a command")
  }

  /// A word as a shell reads it.
  static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "+"), UInt8(ascii: ","):
        true
      default: false
      }
    }
    if plain, !word.isEmpty { return word }
    return "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}

/// A document that could not be had: what is wrong, and the next step.
struct FailureNote {
  let failure: Failure
  /// Its name in the page; nil for none.
  var id: String?

  var html: HTML {
    let message = failure.paged.message
    let halves = message.split(separator: "; ", maxSplits: 1).map(String.init)
    return .div(
      [.class("failure"), .init("role", "alert"), .init("id", id), .init("data-part", id)],
      Glyph.warning.html,
      .div(
        [], .p([], HTML(halves.first ?? message)),
        halves.count > 1 ? .p([.class("advice")], HTML(halves[1])) : .none))
  }
}

extension PageContext {
  /// The note of a document that is missing; nothing when it is there.
  func failure(_ name: String) -> HTML { failures[name].map { FailureNote(failure: $0).html } ?? .none }
}
