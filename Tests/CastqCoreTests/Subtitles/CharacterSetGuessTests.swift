import CastqCore
import Testing

/// Which character set a subtitle file is in. The sentences were written for this test; none is in the statistics.
@Suite struct CharacterSetGuessTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let set: CharacterSet
    let language: String
    let lines: [String]
    var testDescription: String { "\(language) in \(set.rawValue)" }
  }

  private static func decoding(
    _ sample: Sample, count: Int, language: String?, hint: String? = nil
  ) throws -> (SubtitleDecoding, text: String) {
    // Every cue of its own: words are put together in another way.
    let lines = (0..<count).map { number -> String in
      let first = sample.lines[number % sample.lines.count]
      return number < sample.lines.count
        ? first : "\(first) \(sample.lines[(number * 7 + 3) % sample.lines.count])"
    }
    let text = lines.enumerated().map { number, line in
      "\(number + 1)\n00:\((number / 60 % 60).digits(2)):\((number % 60).digits(2)),000 --> "
        + "00:\((number / 60 % 60).digits(2)):\((number % 60).digits(2)),900\n\(line)\n\n"
    }.joined()
    let bytes = try #require(TestCharacterSets.bytes(text, in: sample.set))
    let found = SubtitleDecoding(bytes, language: language, hint: hint, decode: TestCharacterSets.text)
    return (found, text)
  }

  @Test("a file of a thousand subtitles is read in its set, with and without a language", arguments: samples)
  func long(sample: Sample) throws {
    for language in [nil, "und", sample.language] {
      let (found, text) = try Self.decoding(sample, count: 1000, language: language)
      #expect(found.text == text, "\(found.set) \(found.confidence)")
      #expect(found.confidence == .sure)
    }
  }

  @Test("a file of ten subtitles is read in its set, or the guess is called uncertain", arguments: samples)
  func short(sample: Sample) throws {
    for language in [nil, "und", sample.language] {
      let (found, text) = try Self.decoding(sample, count: 10, language: language)
      #expect(found.text == text || found.confidence == .uncertain, "\(found.set) \(found.confidence)")
    }
  }

  @Test("the language that viewers prefer decides between readings that are equally probable")
  func hint() throws {
    // Three letters, which are words in several sets.
    let bytes: [UInt8] = [0xE4, 0xE0, 0x0A]
    let plain = SubtitleDecoding(bytes, language: nil, decode: TestCharacterSets.text)
    #expect(plain.confidence == .uncertain)
    let hinted = SubtitleDecoding(bytes, language: nil, hint: "ru", decode: TestCharacterSets.text)
    #expect(hinted.text == "да\n" && hinted.confidence != .sure)
  }

  @Test("UTF-8 with a few damaged bytes stays UTF-8, and is not sure")
  func damaged() {
    let line = Array("Schöne Grüße aus Köln, für alle Zuhörer in den Häusern.\n".utf8)
    let bytes = Array((0..<10).map { _ in line }.joined()) + [0xC3, 0x0A]
    let found = SubtitleDecoding(bytes, language: nil, decode: TestCharacterSets.text)
    #expect(found.set == .utf8 && found.confidence == .likely && found.text.hasSuffix("\u{FFFD}\n"))
  }

  static let samples: [Sample] = [
    Sample(
      set: .western, language: "de",
      lines: [
        "Wir müssen früher aufbrechen als geplant.", "Der Schlüssel hängt neben der Tür.",
        "Hör auf, mir Vorwürfe zu machen!",
        "Ich weiß nicht, wo er wohnt.", "Übermorgen öffnet das Geschäft wieder.",
      ]),
    Sample(
      set: .western, language: "fr",
      lines: [
        "J’ai oublié mes clés chez le médecin.", "Les élèves répètent la pièce ce soir.",
        "Ça ne m’étonne guère, tu sais.",
        "Où as-tu garé la voiture ?", "Elle préfère rester à la fenêtre.",
      ]),
    Sample(
      set: .latin9, language: "fr",
      lines: [
        "Ma sœur a payé trente € pour ce bœuf.", "Le cœur du problème, c'est la manœuvre.",
        "Il a gagné à Noël, près de l'église.",
        "Tu n'étais pas censé être là.", "Un œuf et du café, s'il vous plaît.",
      ]),
    Sample(
      set: .centralEuropean, language: "pl",
      lines: [
        "Gdzie schowałeś pieniądze?", "Jutro wyjeżdżamy nad morze, więc śpij już.",
        "Wszyscy świętują, tylko on siedzi w kącie.",
        "Muszę kupić chleb i masło.", "Źle mnie zrozumiałaś.",
      ]),
    Sample(
      set: .latin2, language: "cs",
      lines: [
        "Kdy konečně přestane pršet?", "Šéf říkal, že už žádné peníze nedostaneme.",
        "Pověz mi něco o své dětství, prosím tě.",
        "Řidič nás vysadil u mostu.", "Včera jsem viděl tvého bratra.",
      ]),
    Sample(
      set: .centralEuropean, language: "hu",
      lines: [
        "Miért nem szóltál előbb?", "A szőlő még nem érett, várjunk őszig.",
        "Az öreg tűzoltó megmentette a gyerekeket.",
        "Holnap reggel fél nyolckor indulunk.", "Köszönöm, jól vagyok.",
      ]),
    Sample(
      set: .cyrillic, language: "ru",
      lines: [
        "Закрой окно, здесь очень холодно.", "Кто взял мои перчатки со стола?",
        "Через час поезд отправится на север.",
        "Я всю ночь не могла уснуть.", "Давай поговорим об этом завтра.",
      ]),
    Sample(
      set: .koi8, language: "ru",
      lines: [
        "Старик молча смотрел на реку.", "Передай ей, что мы опоздаем.",
        "Сколько стоит этот билет до Казани?",
        "Тише, дети уже спят.", "Он вернулся с пустыми руками.",
      ]),
    Sample(
      set: .dosCyrillic, language: "ru",
      lines: [
        "Выключи свет и ложись спать.", "Мы встретимся у входа в театр.", "Никто не ожидал такого поворота.",
        "Вчера выпал первый снег.", "Твоя сестра звонила дважды.",
      ]),
    Sample(
      set: .cyrillic, language: "bg",
      lines: [
        "Защо не ми каза по-рано?", "Ключът е под саксията до вратата.", "Утре ще вали, вземи чадъра си.",
        "Дядо разказваше за младостта си.", "Нищо не се е променило тук.",
      ]),
    Sample(
      set: .greek, language: "el",
      lines: [
        "Πού άφησες τα κλειδιά του σπιτιού;", "Αύριο θα φύγουμε πολύ νωρίς.",
        "Δεν μου αρέσει καθόλου αυτή η ιδέα.",
        "Ο παππούς διαβάζει εφημερίδα.", "Έλα, κάθισε δίπλα μου.",
      ]),
    Sample(
      set: .turkish, language: "tr",
      lines: [
        "Anahtarı kapının altına bıraktım.", "Çocuklar bahçede oynuyor, gürültü yapma.",
        "Şimdi gitmezsek otobüsü kaçıracağız.",
        "Babam işten geç döndü.", "Yağmur başladı, içeri girelim.",
      ]),
    Sample(
      set: .hebrew, language: "he",
      lines: [
        "למה לא התקשרת אליי אתמול בערב?", "המפתחות נמצאים על השולחן במטבח.", "אנחנו יוצאים לדרך בעוד שעה.",
        "תסגור את החלון, קר פה.", "הילדים כבר ישנים.",
      ]),
    Sample(
      set: .arabic, language: "ar",
      lines: [
        "لماذا لم تخبرني بذلك من قبل؟", "سوف نسافر غدا إلى القرية.", "المفتاح موجود تحت الباب الخلفي.",
        "لا أحد يعرف أين ذهب الرجل.", "أغلق النافذة من فضلك.",
      ]),
    Sample(
      set: .baltic, language: "lv",
      lines: [
        "Kāpēc tu man to neteici agrāk?", "Rīt mēs brauksim uz jūru ar bērniem.",
        "Vecmāmiņa šodien cepa ābolu pīrāgu.",
        "Aizver logu, šeit ir ļoti auksts.", "Viņš vēl nav atgriezies mājās.",
      ]),
    Sample(
      set: .thai, language: "th",
      lines: [
        "ทำไมคุณไม่บอกฉันก่อนหน้านี้", "พรุ่งนี้เราจะออกเดินทางแต่เช้า", "กุญแจอยู่ใต้ประตูหลังบ้าน",
        "ปิดหน้าต่างหน่อย อากาศหนาวมาก", "เด็กๆ หลับไปแล้ว",
      ]),
    Sample(
      set: .shiftJIS, language: "ja",
      lines: [
        "どうしてもっと早く言ってくれなかったの？", "明日の朝、駅前で待ち合わせしよう。", "鍵は机の引き出しに入っています。",
        "窓を閉めて、寒いから。", "子供たちはもう寝ました。",
      ]),
    Sample(
      set: .eucJP, language: "ja",
      lines: [
        "彼が帰ってくるまでここで待つよ。", "雨が降りそうだから傘を持って行きなさい。", "誰にも話さないと約束してくれ。",
        "そんなつもりじゃなかった。", "切符はいくらですか。",
      ]),
    Sample(
      set: .chinese, language: "zh",
      lines: [
        "你为什么不早点告诉我？", "明天早上我们在车站见面。", "钥匙放在桌子的抽屉里。", "把窗户关上，外面很冷。", "孩子们已经睡着了。",
      ]),
    Sample(
      set: .big5, language: "zh",
      lines: [
        "你為什麼不早點告訴我？", "明天早上我們在車站見面。", "鑰匙放在桌子的抽屜裡。", "把窗戶關上，外面很冷。", "孩子們已經睡著了。",
      ]),
    Sample(
      set: .korean, language: "ko",
      lines: [
        "왜 진작 말해 주지 않았어?", "내일 아침에 역 앞에서 만나자.", "열쇠는 책상 서랍 안에 있어요.", "창문 좀 닫아 줘, 너무 추워.", "아이들은 벌써 잠들었어요.",
      ]),
  ]
}
