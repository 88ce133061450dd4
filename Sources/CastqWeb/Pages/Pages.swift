import CastProtocol

/// The pages as HTML.
enum Pages {
  /// The whole page, from the doctype on.
  static func html(_ context: PageContext) -> String {
    let names = (context.documents["devices"]?["devices"]?.array ?? []).compactMap { $0["name"]?.string }
    return """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>castq</title>
      <link rel="stylesheet" href="\(context.asset("app.css"))">
      <script type="module" src="\(context.asset("app.js"))"></script>
      <h1>castq</h1><ul>\(names.map { "<li>\(escaped($0))</li>" }.joined())</ul></html>
      """
  }

  /// Text as HTML, also within quotes.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
