/// The character sets of subtitle files and lists, by the names that the system's converter has.
package enum CharacterSet: String, Sendable, Hashable, CaseIterable {
  case utf8 = "UTF-8"
  case utf16LittleEndian = "UTF-16LE"
  case utf16BigEndian = "UTF-16BE"
  case utf32LittleEndian = "UTF-32LE"
  case utf32BigEndian = "UTF-32BE"
  case centralEuropean = "CP1250"
  case latin2 = "ISO-8859-2"
  case cyrillic = "CP1251"
  case koi8 = "KOI8-U"
  case isoCyrillic = "ISO-8859-5"
  case dosCyrillic = "CP866"
  case western = "CP1252"
  case latin9 = "ISO-8859-15"
  case dosWestern = "CP850"
  case dosCentralEuropean = "CP852"
  case greek = "CP1253"
  case isoGreek = "ISO-8859-7"
  case turkish = "CP1254"
  case hebrew = "CP1255"
  case arabic = "CP1256"
  case isoArabic = "ISO-8859-6"
  case baltic = "CP1257"
  case isoBaltic = "ISO-8859-13"
  case vietnamese = "CP1258"
  case thai = "CP874"
  case shiftJIS = "CP932"
  case eucJP = "EUC-JP"
  case iso2022JP = "ISO-2022-JP"
  case chinese = "GB18030"
  case big5 = "BIG5-HKSCS"
  case korean = "CP949"

  /// The set of a label, as in an XML declaration or a `charset` parameter; nil for one that castq does not convert.
  package init?(label: some StringProtocol) {
    let label = label.lowercased()
    let maker = ["windows-", "ibm"].first { label.hasPrefix($0) }
    let name = maker.map { "cp" + label.dropFirst($0.count) } ?? label
    if let set = Self.allCases.first(where: { $0.rawValue.lowercased() == name }) {
      self = set
      return
    }
    switch name {
    case "utf8", "us-ascii", "ascii": self = .utf8
    case "utf-16": self = .utf16LittleEndian
    case "iso-8859-1", "latin1": self = .western
    case "latin9", "iso8859-15": self = .latin9
    case "iso-8859-9": self = .turkish
    case "iso-8859-8", "iso-8859-8-i": self = .hebrew
    case "iso-8859-11", "tis-620", "cp-874": self = .thai
    case "koi8-r": self = .koi8
    case "shift_jis", "shift-jis", "sjis", "ms932", "x-sjis": self = .shiftJIS
    case "gbk", "gb2312", "gb-2312", "cp936", "euc-cn": self = .chinese
    case "big5", "cp950": self = .big5
    case "euc-kr", "ks_c_5601-1987", "uhc": self = .korean
    default: return nil
    }
  }
}
