import CastqCore
import Testing

@Suite struct AddressTextTests {
  @Test(
    "user, password, query and fragment of an address are left out wherever it is shown",
    arguments: [
      ("http://u:p@h/a.m3u", "http://h/a.m3u"), ("http://h:80/a?token=x", "http://h:80/a?…"),
      ("https://u@[::1]:8/a?b=c#d", "https://[::1]:8/a?…"), ("http://h/a#key", "http://h/a#…"),
      ("http://a:b:c@d@h", "http://h"), ("HTTP://u:p@h", "HTTP://h"),
      ("rtsp://u:p@h/x", "rtsp://h/x"),
      ("cannot fetch http://u:p@h/a?x=1: 404", "cannot fetch http://h/a?…: 404"),
      ("`http://h/?a=b`, \"http://u:p@g/\" and more", "`http://h/?…`, \"http://g/\" and more"),
      ("http://user:secr…", "http://…"), ("http://h/a?…:5:1: wrong", "http://h/a?…:5:1: wrong"),
      ("http://h/a@b", "http://h/a@b"), ("file:///a?b", "file:///a?…"),
      ("no address: //u:p@h", "no address: //u:p@h"),
      ("://u:p@h", "://u:p@h"), ("", ""), ("http://", "http://"),
      ("a http://u:é@h ü", "a http://h ü"),
      ("http://x/http://u:p@h/?q=1", "http://x/http://u:p@h/?…"),
    ])
  func shown(text: String, safe: String) {
    #expect(AddressText.withoutSecrets(text) == safe)
    #expect(AddressText.withoutSecrets(safe) == safe)
  }
}
