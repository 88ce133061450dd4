import Foundation
import Testing

/// A folder of forty films whose subtitles are in fourteen character sets, from the disk to the device.
@Suite("Subtitle folder", .timeLimit(.minutes(5)))
struct SubtitleFolderTests {
  /// Writes the films' subtitles, and the WebVTT that each must become (`expected.json`). The sets are Python's.
  private static let script = """
    import json, sys
    folder = sys.argv[1]
    words = [
      ("cp1251", "ru", ["Закрой окно, здесь очень холодно.", "Кто взял мои перчатки со стола?", "Через час поезд отправится на север.", "Я всю ночь не могла уснуть."]),
      ("koi8_u", "ru", ["Старик молча смотрел на реку.", "Передай ей, что мы опоздаем.", "Тише, дети уже спят.", "Он вернулся с пустыми руками."]),
      ("cp866", "ru", ["Выключи свет и ложись спать.", "Мы встретимся у входа в театр.", "Вчера выпал первый снег.", "Твоя сестра звонила дважды."]),
      ("cp1250", "pl", ["Gdzie schowałeś pieniądze?", "Jutro wyjeżdżamy nad morze, więc śpij już.", "Wszyscy świętują, tylko on siedzi w kącie.", "Źle mnie zrozumiałaś."]),
      ("iso8859_2", "cs", ["Kdy konečně přestane pršet?", "Šéf říkal, že už žádné peníze nedostaneme.", "Pověz mi něco o své dětství, prosím tě.", "Řidič nás vysadil u mostu."]),
      ("cp1252", "de", ["Wir müssen früher aufbrechen.", "Der Schlüssel hängt neben der Tür.", "Ich weiß nicht, wo er wohnt.", "Übermorgen öffnet das Geschäft."]),
      ("cp1253", "el", ["Πού άφησες τα κλειδιά του σπιτιού;", "Αύριο θα φύγουμε πολύ νωρίς.", "Ο παππούς διαβάζει εφημερίδα.", "Έλα, κάθισε δίπλα μου."]),
      ("cp1254", "tr", ["Anahtarı kapının altına bıraktım.", "Çocuklar bahçede oynuyor, gürültü yapma.", "Şimdi gitmezsek otobüsü kaçıracağız.", "Yağmur başladı, içeri girelim."]),
      ("cp1255", "he", ["למה לא התקשרת אליי אתמול בערב?", "המפתחות נמצאים על השולחן במטבח.", "אנחנו יוצאים לדרך בעוד שעה.", "הילדים כבר ישנים."]),
      ("cp1256", "ar", ["لماذا لم تخبرني بذلك من قبل؟", "سوف نسافر غدا إلى القرية.", "المفتاح موجود تحت الباب الخلفي.", "أغلق النافذة من فضلك."]),
      ("cp874", "th", ["ทำไมคุณไม่บอกฉันก่อนหน้านี้", "พรุ่งนี้เราจะออกเดินทางแต่เช้า", "กุญแจอยู่ใต้ประตูหลังบ้าน", "เด็กๆ หลับไปแล้ว"]),
      ("cp932", "ja", ["どうしてもっと早く言ってくれなかったの？", "明日の朝、駅前で待ち合わせしよう。", "鍵は机の引き出しに入っています。", "子供たちはもう寝ました。"]),
      ("gb18030", "zh", ["你为什么不早点告诉我？", "明天早上我们在车站见面。", "钥匙放在桌子的抽屉里。", "孩子们已经睡着了。"]),
      ("cp949", "ko", ["왜 진작 말해 주지 않았어?", "내일 아침에 역 앞에서 만나자.", "열쇠는 책상 서랍 안에 있어요.", "아이들은 벌써 잠들었어요."]),
    ]
    def time(second, sign): return f"00:{second // 60:02}:{second % 60:02}{sign}000"
    expected = []
    for film in range(40):
      code, language, lines = words[film % 14]
      source, wanted, cues = "", "WEBVTT\\n\\n", []
      for number, line in enumerate(lines * 3):
        start = film + 3 * number
        source += f"{number + 1}\\r\\n{time(start, ',')} --> {time(start + 2, ',')}\\r\\n{line}\\r\\n\\r\\n"
        wanted += f"{time(start, '.')} --> {time(start + 2, '.')}\\n{line}\\n\\n"
        cues.append(f"{start} {start + 2} {line}")
      mark = ["", f".{language}", ".2"][film // 14]
      open(f"{folder}/film{film:02}{mark}.srt", "wb").write(source.encode(code))
      expected.append({"text": wanted, "cues": cues})
    json.dump(expected, open(f"{folder}.json", "w"))
    """

  /// What a device gets.
  private func text(of address: String?, _ stage: Stage) async throws -> String {
    let script =
      "import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1]).read())"
    let path = try stage.file("fetch.py", script)
    return try await stage.shell("python3 '\(path)' '\(try #require(address))'").ended().stdout
  }

  /// What a device must get of a film's subtitles, and a browser show of them: start, end and words.
  private struct Expected: Decodable {
    var text: String
    var cues: [String]
  }

  /// Writes the folder with its films.
  private func films(_ stage: Stage) async throws -> (folder: String, expected: [Expected]) {
    let folder = "\(stage.folder)/films"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for film in 0..<40 { try stage.tone("films/film\(film < 10 ? "0" : "")\(film).wav", seconds: 4) }
    let script = try stage.file("write.py", Self.script)
    let writing = try await stage.shell("python3 '\(script)' '\(folder)'").ended()
    #expect(writing.exit == 0, "\(writing.stderr)")
    let expected = try JSONDecoder().decode(
      [Expected].self, from: Data(contentsOf: URL(filePath: "\(folder).json")))
    return (folder, expected)
  }

  /// Plays the folder, and calls a function with the address of each film's track while it is served.
  private func play(
    _ folder: String, _ count: Int, _ stage: Stage, _ read: (Int, String?) async throws -> Void
  ) async throws {
    let receiver = try await Receiver(stage, speed: 4)
    try await stage.castq("cast", "-d", receiver.address, folder)
    var (film, line) = (0, 0)
    while film < count {
      line = try #require(
        await receiver.log.index(from: line) {
          $0.contains(#""dir":"in""#) && ($0.contains("\"QUEUE_LOAD\"") || $0.contains("\"QUEUE_INSERT\""))
        })
      for item in try Document(receiver.log.lines[line])["data"]?["items"]?.elements ?? [] {
        let tracks = item["media"]?["tracks"]?.elements ?? []
        #expect(tracks.count == 1)
        try await read(film, tracks.first?["trackContentId"]?.string)
        film += 1
      }
      line += 1
    }
  }

  @Test(
    "forty films with subtitles in fourteen sets show the right words at the right seconds, and check names every guess"
  )
  func folder() async throws {
    try await Stage.with { stage in
      let (folder, expected) = try await films(stage)
      let check = try await stage.castq("check", folder)
      #expect(check.exit == 0)
      #expect(check.outLines.count { $0.contains("it was read as") } == 40, "\(check.stdout)")
      try await play(folder, expected.count, stage) { film, address in
        let text = try await text(of: address, stage)
        #expect(text == expected[film].text)
      }
    }
  }

  @Test(
    "Chromium shows the words of the forty films at their seconds",
    .enabled(if: Browser.options != nil, "no chromium that starts here: make test-deps installs it")
  )
  func chromium() async throws {
    try await Stage.with { stage in
      let (folder, expected) = try await films(stage)
      let page = try await ResultPage(stage, Self.page)
      let browser = try Browser(stage, at: page.address)
      try await play(folder, expected.count, stage) { film, address in
        try page.give(try #require(address))
        let shown = try await page.result(film)
        #expect(shown.elements.map { $0.string } == expected[film].cues, "\(shown)")
      }
      withExtendedLifetime(browser) {}
    }
  }

  /// Reads the track of each address that the test gives, as a receiver does, and posts its cues.
  private static let page = """
    <!doctype html><meta charset="utf-8"><body><script>
    const cues = address => new Promise(done => {
      const video = document.createElement("video"), track = document.createElement("track");
      video.crossOrigin = "anonymous";
      Object.assign(track, {kind: "subtitles", srclang: "und", src: address});
      track.onload = () => done([...track.track.cues].map(
        cue => `${cue.startTime} ${cue.endTime} ${cue.getCueAsHTML().textContent}`));
      track.onerror = () => done([`${address} was not loaded`]);
      video.append(track);
      document.body.replaceChildren(video);
      track.track.mode = "hidden";
    });
    (async () => {
      for (;;) {
        const address = await (await fetch("/next")).text();
        await fetch("/result", {method: "POST", body: JSON.stringify(await cues(address))});
      }
    })();
    </script>
    """
}
