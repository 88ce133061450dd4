import CastqText

/// Languages of Western Europe and Romanian, whose letters differ in few places between sets of DOS.
extension CharacterSetSample {
  private static let latin: [CharacterSet] = [.western, .latin9, .dosWestern]

  static let romance = [
    CharacterSetSample(
      latin, "it",
      """
      Così non va, perché non mi ascolti?
      Lunedì e venerdì sarò in città.
      Più tardi andrò al caffè con papà.
      Sì, è già finito tutto.
      Non può essere vero!
      La verità è che non lo so.
      C'è qualcuno laggiù?
      Chi lo farà, se non tu?
      """),
    CharacterSetSample(
      latin, "it",
      """
      Buongiorno, signora, il caffè è pronto.
      Ti ho detto di sì, lo sai.
      Domani porterò i bambini a scuola.
      Dov'è finita la mia valigia?
      Non c'è più tempo, dobbiamo scappare.
      Lì fuori piove, e qui si gela.
      Hai perso un'altra opportunità.
      Finché vivo, questa casa resterà mia.
      """),
    CharacterSetSample(
      latin, "it",
      """
      Mercoledì parto per Forlì.
      Ecco il mio papà, così alto!
      Chi va là?
      Giù le mani dal mio pranzo.
      Lì c'è il mare, qui ci sono io.
      Perché ridi così tanto?
      Quassù l'aria è più pulita.
      Sarà meglio tornare giovedì.
      """),
    CharacterSetSample(
      latin, "ca",
      """
      On és la meva germana?
      Això no és veritat, ho saps molt bé.
      Demà anirem a la platja amb els nens.
      Què t'ha dit l'àvia?
      El col·legi és tancat avui.
      Una cançó per a la meva filla.
      Aquí no hi ha ningú, només nosaltres.
      Vés-te'n ara mateix!
      """),
    CharacterSetSample(
      latin, "ca",
      """
      Bon dia, senyor, què vol prendre?
      El camí és llarg i fa fred.
      Necessitem més diners per al pròxim mes.
      Tinc una intuïció que no funcionarà.
      Per què no m'escoltes?
      El tren arribarà a les cinc.
      Ells també són d'aquí.
      Fins demà, bona nit!
      """),
    CharacterSetSample(
      latin, "ca",
      """
      La història comença així.
      Vostè no pot entrar, ho sento.
      Algú ha obert la finestra.
      És l'última vegada que t'ho dic.
      Avui plou a Lleida i a València.
      Ho faré jo, no pateixis.
      Què més necessites?
      Aquest gos és meu, capità.
      """),
    CharacterSetSample(
      latin, "fr",
      """
      Arrête de mentir, espèce d'idiot !
      Il naît chaque année des milliers de bébés.
      On m'a volé mon sac à la gare.
      Peut-être que l'hôtel est fermé.
      Tu dois être fatigué après ce voyage.
      Vous êtes sûr de l'adresse ?
      La maîtresse nous a donné des leçons.
      Même le maïs est trop cher ici.
      """),
    CharacterSetSample(
      latin, "pt",
      """
      Até amanhã, então.
      Ela pôs a mesa para nós os cinco.
      Que confusão é esta, João?
      Meu coração não aguenta tanta emoção.
      Lê outra vez a página oito.
      A solução está no porão.
      Vocês são tão simpáticos!
      Não te esqueças das chaves, avó.
      """),
    CharacterSetSample(
      latin, "es",
      """
      El avión llegará a las diez.
      ¿Cuánto cuesta el pingüino de peluche?
      ¡Ayúdame, por favor!
      Según él, nadie murió allí.
      Es la última oportunidad que tenéis.
      Mi compañero está enfermo.
      Nunca olvidaré esa canción.
      La policía se llevó a mi papá.
      """),
    CharacterSetSample(
      [.centralEuropean, .latin2, .dosCentralEuropean], "ro",
      """
      Unde eşti? Te caut de o oră.
      Nu ştiu ce să îţi spun.
      Mâine plecăm la ţară cu copiii.
      Aşa ceva nu se întâmplă în fiecare zi.
      Câinele meu a mâncat toată pâinea.
      Îţi mulţumesc pentru ajutor.
      Ascultă-mă, trebuie să fugim!
      Vă rog să vă aşezaţi.
      """),
    CharacterSetSample(
      latin, "cy",
      """
      Dewch yn ôl ar unwaith!
      Wyt ti'n hoffi'r gân yma?
      Bore da, sut mae'r tân?
      Rwy'n mynd i'r môr gyda fy mrawd.
      Paid â siarad fel yna.
      Gwelais i'r trên yn mynd heibio.
      Diolch yn fawr am y têl.
      Mae'r tîm yn colli eto.
      """),
  ]
}
