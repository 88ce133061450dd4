/// What a language looks like in writing: which letters it has outside of ASCII, and which of them are frequent. A text that was
/// decoded with the wrong character set looks like none.
struct WritingProfile: Sendable {
  /// Whether the letters stand among those of ASCII, within words.
  var isLatin: Bool
  /// Letters that every text of the language is full of.
  var frequent: Set<Unicode.Scalar>
  /// Other letters of the language.
  var usual: @Sendable (Unicode.Scalar) -> Bool

  init(latin frequent: String, usual: String = "") {
    self.init(isLatin: true, frequent) { usual.unicodeScalars.contains($0) }
  }

  init(_ frequent: String, _ ranges: ClosedRange<UInt32>...) {
    self.init(isLatin: false, frequent) { scalar in ranges.contains { $0.contains(scalar.value) } }
  }

  private init(
    isLatin: Bool, _ frequent: String, usual: @escaping @Sendable (Unicode.Scalar) -> Bool
  ) {
    self.isLatin = isLatin
    self.frequent = Set(frequent.unicodeScalars)
    self.usual = usual
  }

  /// How much a text looks like this writing, from -3 to 2: the mean over its characters outside of ASCII.
  ///
  /// A frequent letter counts 2, another one of the language 1, punctuation of any language 0, everything else -3. In a Latin script
  /// such letters stand among those of ASCII, in the others they do not: what breaks this counts -2, and one that stands alone 0, since a
  /// dash of one set is a letter of another. A mark without the letter that it stands on counts -3: Chinese read as Thai is full of them.
  func score(_ text: String) -> Double {
    var (sum, count) = (0, 0)
    // What a letter counts that has only ASCII before it.
    var alone = 0
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      let isLetter = scalar.properties.isAlphabetic
      if scalar.isASCII {
        if isLetter, !previous.isASCII, previous.properties.isAlphabetic, !isLatin { sum -= 2 }
        (sum, alone) = (sum - alone, 0)
        continue
      }
      count += 1
      let worth = worth(of: scalar)
      sum += worth
      alone = previous.isASCII && !isLatin ? max(worth, 0) : 0
      if scalar.properties.generalCategory == .nonspacingMark, !Self.mayCarryMark(previous) { sum -= 3 }
      guard isLetter, previous.properties.isAlphabetic else { continue }
      if previous.isASCII != isLatin { sum -= 2 }
    }
    return count == 0 ? 0 : Double(sum - alone) / Double(count)
  }

  private func worth(of scalar: Unicode.Scalar) -> Int {
    if frequent.contains(scalar) { return 2 }
    if usual(scalar) { return 1 }
    return Self.punctuation.contains(scalar) ? 0 : -3
  }

  /// Letters, but no vowels of Thai that stand in a line, and other marks.
  private static func mayCarryMark(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.generalCategory == .nonspacingMark { return true }
    return scalar.properties.isAlphabetic && !(0x0E2F...0x0E46).contains(scalar.value)
  }

  private static let punctuation = Set("«»„“”‘’‚‹›–—…·•°§№€£©®♪♫¿¡´\u{A0}\u{200E}\u{200F}".unicodeScalars)
}

extension WritingProfile {
  static let western = WritingProfile(
    latin: "éàèêçüöäñóíáúãõåøæßôîâûòùìï", usual: "ÉÀÈÊÇÜÖÄÑÓÍÁÚÃÕÅØÆÔÎÂÛœŒëËýð")
  static let polish = WritingProfile(latin: "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ")
  static let czech = WritingProfile(latin: "áčďéěíňóřšťúůýžľĺŕôä", usual: "ÁČĎÉĚÍŇÓŘŠŤÚŮÝŽĽÔ")
  static let hungarian = WritingProfile(latin: "áéíóöőúüű", usual: "ÁÉÍÓÖŐÚÜŰ")
  static let southSlavic = WritingProfile(latin: "čćđšž", usual: "ČĆĐŠŽ")
  static let romanian = WritingProfile(latin: "ăâîșțşţ", usual: "ĂÂÎȘȚŞŢ")
  static let turkish = WritingProfile(latin: "ıişğüöçİ", usual: "ŞĞÜÖÇâîû")
  static let baltic = WritingProfile(latin: "āčēģīķļņšūžąęėįųõäöü", usual: "ĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲÕÄÖÜ")
  static let vietnamese = WritingProfile(
    latin: "đăâêôơưàáãèéêìíòóõùúý\u{300}\u{301}\u{303}\u{309}\u{323}", usual: "ĐĂÂÊÔƠƯÀÁÈÉÌÍÒÓÙÚÝ")
  static let russian = WritingProfile("оеаинтсрвлкмдпуяыь", 0x0410...0x044F, 0x0401...0x0401, 0x0451...0x0451)
  static let ukrainian = WritingProfile(
    "оеаинтсрвлкмдпуяіїєь", 0x0410...0x044F, 0x0404...0x0407, 0x0454...0x0457, 0x0490...0x0491)
  static let serbian = WritingProfile("оеаинтсрвлкмдпуј", 0x0402...0x044F, 0x0452...0x045F)
  static let greek = WritingProfile("αοιετσνηρπκμλυςάόίέή", 0x0384...0x03CE)
  static let hebrew = WritingProfile("יואלהמתרשבנ", 0x0591...0x05F4)
  static let arabic = WritingProfile("اليمنورتبةعد", 0x060C...0x06FF)
  static let thai = WritingProfile("านรกอเงคมย่้", 0x0E01...0x0E4E, 0x0E50...0x0E59)
  static let japanese = WritingProfile(
    "いのんなたてしとにかっうをはるでがまだれよもすらこねどりくさあきそけ、。", 0x3000...0x30FF, 0x4E00...0x9FFF, 0xFF01...0xFF5E)
  static let chinese = WritingProfile(
    "的一是不了我你他她在有这个们来说要就会到什么吗没好那去知道想中国电视台新闻频影音乐歌爱人大，。？！", 0x4E00...0x9FFF, 0x3000...0x303F, 0xFF01...0xFF5E)
  static let traditional = WritingProfile(
    "的一是不了我你他她在有這個們來說要就會到什麼嗎沒好那去知道想中國電視台新聞頻影音樂歌愛人大，。？！", 0x4E00...0x9FFF, 0x3000...0x303F, 0xFF01...0xFF5E)
  static let korean = WritingProfile("이다는에의가을를은아지고어나그니요해라게한거사", 0xAC00...0xD7A3, 0x3131...0x318E)
}
