import CastProtocol
import CastqOperations
import Testing
@testable import CastqWeb

/// The library.
extension PagesTests {
  @Test("a list is checked by who may edit, and offered to nobody else", arguments: WebRole.allCases)
  func checkers(_ role: WebRole) {
    let html = page(.library, Self.documents("x"), role: role)
    #expect(html.contains("data-api=\"check\"") == (role == .edit))
    #expect(html.contains("id=\"drop\"") == (role == .edit))
  }

  @Test(
    "tiles have their length, where they play and the way on; who may only look has no menu and no way to make a programme"
  )
  func library() {
    let documents = Self.documents("x")
    let html = page(.library, documents)
    for words in ["1:34", "25–25 of 90", "from=48", "New programme", "Actions for x", "library-menu"] {
      #expect(html.contains(words), "\(words)")
    }
    let looked = page(.library, documents, role: .look)
    #expect(looked.contains("1:34") && looked.contains("25–25 of 90"))
    for words in ["New programme", "Actions for", "library-menu", "data-source"] {
      #expect(!looked.contains(words), "\(words)")
    }
    let operated = page(.library, documents, role: .operate)
    #expect(operated.contains("Queue on…") && !operated.contains("Add to programme…"))
    #expect(!operated.contains("data-source"), "the source may be a path")
    #expect(page(.library, documents, query: ["new": "1"]).contains("Choose x"))
    #expect(!page(.library, documents, query: ["new": "1"], role: .operate).contains("Choose x"))
  }

  @Test("without a folder the page says how one is named, and without a command")
  func noFolder() {
    var documents = Self.documents("x")
    documents["library"] = ["configured": false]
    let html = page(.library, documents)
    #expect(
      html.contains("folders: [/srv/media]") && !html.contains("castq web"), "no command is named")
    #expect(!html.contains("class=\"tabs\""))
  }
}
