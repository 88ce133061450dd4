import CastqText
import Testing

/// Dialogue in one language, and the sets in which old files have it. The lines were written for these tests; none is in the statistics.
struct CharacterSetSample: Sendable, CustomTestStringConvertible {
  let sets: [CharacterSet]
  let language: String
  let lines: [String]
  var testDescription: String { "\(language): \(lines[0])" }

  init(_ sets: [CharacterSet], _ language: String, _ text: String) {
    (self.sets, self.language) = (sets, language)
    lines = text.split(separator: "\n").map(String.init)
  }

  /// A subtitle file of so many cues. Every one is of its own: lines are put together in another way.
  func file(cues: Int) -> String {
    (0..<cues).map { number in
      let first = lines[number % lines.count]
      let line =
        number < lines.count ? first : "\(first) \(lines[(number * 7 + number / lines.count) % lines.count])"
      let clock = "00:\((number / 60 % 60).digits(2)):\((number % 60).digits(2))"
      return "\(number + 1)\n\(clock),000 --> \(clock),900\n\(line)\n\n"
    }.joined()
  }

  static let all = western + romance + central + cyrillic + eastern + asian

  private static let latin: [CharacterSet] = [.western, .latin9, .dosWestern]
  private static let middle: [CharacterSet] = [.centralEuropean, .latin2, .dosCentralEuropean]
  private static let russian: [CharacterSet] = [.cyrillic, .koi8, .dosCyrillic, .isoCyrillic]

  private static let western = [
    CharacterSetSample(
      latin, "de",
      """
      Wir müssen früher aufbrechen als geplant.
      Der Schlüssel hängt neben der Tür.
      Hör auf, mir Vorwürfe zu machen!
      Ich weiß nicht, wo er jetzt wohnt.
      Übermorgen öffnet das Geschäft wieder.
      Das hätte ich dir gleich sagen können.
      """),
    CharacterSetSample(
      latin, "fr",
      """
      J'ai oublié mes clés chez le médecin.
      Les élèves répètent la pièce ce soir.
      Ça ne m'étonne guère, tu sais.
      Où as-tu garé la voiture ?
      Elle préfère rester à la fenêtre.
      Il a gagné à la fin, grâce à son frère.
      """),
    CharacterSetSample(
      [.western, .latin9], "fr",
      """
      Ma sœur n'a jamais mangé de bœuf.
      Le cœur du problème, c'est la manœuvre.
      Un œuf et du café, s'il vous plaît.
      Tu n'étais pas censé être là.
      Il est né à Noël, près de l'église.
      """),
    CharacterSetSample(
      latin, "es",
      """
      ¿Por qué no me llamaste anoche?
      Mañana saldremos más temprano.
      El niño está jugando en el jardín.
      ¡Cállate! Aquí no se puede hablar así.
      Mi corazón ya no es el mismo, señor.
      Todavía no sé qué pasó después.
      """),
    CharacterSetSample(
      latin, "pt",
      """
      Não sei onde deixei as chaves do escritório.
      A tua irmã já chegou à estação?
      Amanhã vamos à praia com as crianças.
      Você não está falando sério, está?
      Ele é médico e trabalha no sertão.
      São três horas, então vamos embora.
      """),
    CharacterSetSample(
      latin, "sv",
      """
      Varför sa du inget om det här igår?
      Nycklarna ligger på köksbordet.
      Vi åker så fort det slutar regna.
      Hon älskar att gå längs sjön på kvällen.
      Förlåt, jag hörde inte vad du sade.
      """),
    CharacterSetSample(
      latin, "da",
      """
      Hvorfor sagde du ikke noget før i går?
      Nøglen ligger på køkkenbordet.
      Jeg tror, at børnene allerede er gået i seng.
      Vi skal af sted, så snart regnen hører op.
      Det er ikke særlig sjovt længere.
      """),
    CharacterSetSample(
      latin, "nb",
      """
      Hvorfor sa du ingenting før nå?
      Jeg la nøkkelen på bordet ved døra.
      Vi går når det slutter å regne.
      Er du sikker på at han kommer på lørdag?
      Det så bedre ut på bildet, synes jeg.
      """),
    CharacterSetSample(
      latin, "fi",
      """
      Miksi et sanonut mitään eilen?
      Avaimet ovat pöydällä keittiössä.
      Lähdetään heti kun sade lakkaa.
      Hän ei ole vielä herännyt, älä häiritse.
      Mitä sinä täällä teet näin myöhään?
      """),
    CharacterSetSample(
      latin, "it",
      """
      Perché non mi hai detto la verità?
      Non so più cosa fare, è già tardi.
      Domani sarò in città con papà.
      Lui è così, però gli voglio bene.
      Lunedì non c'è più posto in caffè.
      """),
    CharacterSetSample(
      latin, "is",
      """
      Hvers vegna sagðir þú mér þetta ekki fyrr?
      Lykillinn liggur á eldhúsborðinu.
      Við förum þegar það hættir að rigna.
      Ég veit ekki hvar hann býr núna.
      Það er orðið kalt hérna inni, góða mín.
      """),
    CharacterSetSample(
      latin, "ca",
      """
      Per què no m'ho vas dir abans?
      La clau és a sota de la finestra.
      Demà al matí anirem a la platja amb els nens.
      Això no és el que jo volia, germà.
      El meu cosí treballa a l'estació.
      """),
    CharacterSetSample(
      latin, "cy",
      """
      Pam na wnest ti ddweud wrthyf i ddoe am y tân?
      Mae'r allwedd ar y bwrdd yn y gegin, medd Siân.
      Rydym ni'n mynd adref ar ôl iddi fwrw glaw.
      Ble mae dy frodyr? Maen nhw'n chwarae pêl yn y cae.
      Dim ond cân fach oedd hi, dyna i gyd, fy ngeneth lân.
      """),
    CharacterSetSample(
      latin, "ga",
      """
      Cén fáth nár inis tú dom é inné?
      Tá an eochair ar an mbord sa chistin.
      Rachaimid abhaile nuair a stadfaidh an bháisteach.
      Níl a fhios agam cá bhfuil sé ina chónaí.
      Is maith liom siúl cois farraige tráthnóna.
      """),
    CharacterSetSample(
      latin, "af",
      """
      Hoekom het jy dit nie gister vir my gesê nie?
      Die sleutel lê op die tafel in die kombuis.
      Ons gaan huis toe sodra dit ophou reën.
      Môre is dit weer skool, en jy het niks geëet nie.
      Ek wêreld toe? Nee wat, ek bly hier by julle.
      """),
    CharacterSetSample(
      [.western, .latin9], "nl",
      """
      Waarom heb je dat gisteren niet gezegd, meneer Janssén?
      De sleutel ligt op één van de stoelen.
      Wij gaan naar België zodra het ophoudt met regenen.
      De zieke patiënte had twee ideeën, geen één was goed.
      Hé, blijf van mijn koffie af! Die is voor opa en zoë.
      """),
  ]

  private static let central = [
    CharacterSetSample(
      middle, "pl",
      """
      Gdzie schowałeś pieniądze?
      Jutro wyjeżdżamy nad morze, więc śpij już.
      Wszyscy świętują, tylko on siedzi w kącie.
      Muszę kupić chleb i masło.
      Źle mnie zrozumiałaś, kochanie.
      """),
    CharacterSetSample(
      middle, "cs",
      """
      Kdy konečně přestane pršet?
      Šéf říkal, že už žádné peníze nedostaneme.
      Pověz mi něco o svém dětství, prosím tě.
      Řidič nás vysadil u mostu.
      Včera jsem viděl tvého bratra.
      """),
    CharacterSetSample(
      middle, "hu",
      """
      Miért nem szóltál előbb?
      A szőlő még nem érett, várjunk őszig.
      Az öreg tűzoltó megmentette a gyerekeket.
      Holnap reggel fél nyolckor indulunk.
      Köszönöm, jól vagyok, csak fáradt.
      """),
    CharacterSetSample(
      middle, "sk",
      """
      Prečo si mi to nepovedal skôr?
      Kľúč leží na stole v kuchyni.
      Zajtra pôjdeme s deťmi k moru.
      Neviem, kde teraz býva, už dávno nepísal.
      Dážď čoskoro prestane, vráťme sa domov.
      """),
    CharacterSetSample(
      middle, "hr",
      """
      Zašto mi to nisi rekao ranije?
      Ključ je na stolu u kuhinji, pored čaša.
      Sutra idemo na more s djecom, možda i susjedi.
      Ne znam gdje on sada živi.
      Kiša će uskoro prestati, vraćamo se kući.
      """),
    CharacterSetSample(
      middle, "sl",
      """
      Zakaj mi tega nisi povedal že včeraj?
      Ključ leži na mizi v kuhinji.
      Jutri gremo z otroki na morje, če ne bo dežja.
      Ne vem, kje zdaj živi tvoj brat.
      Počakaj me pred šolo, čez pet minut pridem.
      """),
    CharacterSetSample(
      middle, "ro",
      """
      De ce nu mi-ai spus asta mai înainte?
      Cheia este pe masă, în bucătărie.
      Mâine plecăm la mare cu toţi copiii.
      Nu ştiu unde locuieşte fratele tău acum.
      Închide fereastra, că îmi este foarte frig aici.
      """),
    CharacterSetSample(
      [.western, .latin9], "sq",
      """
      Pse nuk më the asgjë më përpara?
      Çelësi është mbi tavolinën në kuzhinë.
      Nesër do të shkojmë në det me fëmijët.
      Nuk e di se ku jeton ai tani.
      Mbylle dritaren, bën shumë ftohtë këtu.
      """),
  ]

  private static let cyrillic = [
    CharacterSetSample(
      russian, "ru",
      """
      Закрой окно, здесь очень холодно.
      Кто взял мои перчатки со стола?
      Через час поезд отправится на север.
      Я всю ночь не могла уснуть.
      Давай поговорим об этом завтра.
      """),
    CharacterSetSample(
      russian, "ru",
      """
      Старик молча смотрел на реку.
      Передай ей, что мы опоздаем.
      Сколько стоит этот билет до Казани?
      Тише, дети уже спят.
      Он вернулся с пустыми руками.
      """),
    CharacterSetSample(
      russian, "ru",
      """
      Выключи свет и ложись спать.
      Мы встретимся у входа в театр.
      Никто не ожидал такого поворота.
      Вчера выпал первый снег.
      Твоя сестра звонила дважды.
      """),
    CharacterSetSample(
      [.cyrillic, .koi8], "uk",
      """
      Чому ти не сказав мені раніше?
      Ключ лежить на столі в кухні, біля вікна.
      Завтра ми поїдемо до моря з дітьми.
      Я не знаю, де він тепер живе.
      Її брат повернеться лише наприкінці тижня.
      """),
    CharacterSetSample(
      [.cyrillic, .isoCyrillic, .dosCyrillic], "bg",
      """
      Защо не ми каза по-рано?
      Ключът е под саксията до вратата.
      Утре ще вали, вземи чадъра си.
      Дядо разказваше за младостта си.
      Нищо не се е променило тук.
      """),
    CharacterSetSample(
      [.cyrillic, .isoCyrillic], "sr",
      """
      Зашто ми то ниси рекао раније?
      Кључ је на столу у кухињи, поред чаше.
      Сутра идемо на море с децом.
      Не знам где он сада живи, љубави.
      Киша ће ускоро престати, вратимо се кући.
      """),
    CharacterSetSample(
      [.cyrillic, .isoCyrillic], "mk",
      """
      Зошто не ми кажа порано?
      Клучот е на масата во кујната.
      Утре одиме на море со децата, ќе биде убаво.
      Не знам каде живее тој сега.
      Затвори го прозорецот, многу е студено овде.
      """),
  ]
}
