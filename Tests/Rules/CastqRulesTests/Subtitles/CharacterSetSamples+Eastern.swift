import CastqText

extension CharacterSetSample {
  static let eastern = [
    CharacterSetSample(
      [.greek, .isoGreek], "el",
      """
      Πού άφησες τα κλειδιά του σπιτιού;
      Αύριο θα φύγουμε πολύ νωρίς.
      Δεν μου αρέσει καθόλου αυτή η ιδέα.
      Ο παππούς διαβάζει εφημερίδα.
      Έλα, κάθισε δίπλα μου.
      """),
    CharacterSetSample(
      [.greek, .isoGreek], "el",
      """
      Κλείσε το παράθυρο, κάνει κρύο εδώ μέσα.
      Ποιος πήρε τα γάντια μου από το τραπέζι;
      Το τρένο για τον βορρά φεύγει σε μία ώρα.
      Όλη νύχτα δεν μπόρεσα να κοιμηθώ.
      Θα τα πούμε ξανά την άλλη εβδομάδα.
      """),
    CharacterSetSample(
      [.greek, .isoGreek], "el",
      """
      Ο γέρος κοίταζε σιωπηλός το ποτάμι.
      Πες της ότι θα αργήσουμε λίγο απόψε.
      Πόσο κάνει το εισιτήριο μέχρι τη Λάρισα;
      Ήσυχα, τα παιδιά κοιμούνται ήδη!
      Γύρισε πίσω με άδεια χέρια, όπως πάντα.
      """),
    CharacterSetSample(
      [.turkish], "tr",
      """
      Anahtarı kapının altına bıraktım.
      Çocuklar bahçede oynuyor, gürültü yapma.
      Şimdi gitmezsek otobüsü kaçıracağız.
      Babam işten geç döndü.
      Yağmur başladı, içeri girelim.
      """),
    CharacterSetSample(
      [.turkish], "tr",
      """
      Pencereyi kapat, burası çok soğuk oldu.
      Eldivenlerimi masadan kim aldı?
      Kuzeye giden tren bir saat sonra kalkıyor.
      Bütün gece gözüme uyku girmedi.
      İstersen bunu yarın konuşuruz, acelesi yok.
      """),
    CharacterSetSample(
      [.turkish], "tr",
      """
      Yaşlı adam sessizce ırmağa bakıyordu.
      Ona geç kalacağımızı söyler misin?
      Kars'a kadar bu bilet kaç lira?
      Sessiz ol, çocuklar çoktan uyudu.
      Eli boş döndü, hiçbir şey bulamamış.
      """),
    CharacterSetSample(
      [.hebrew], "he",
      """
      למה לא התקשרת אליי אתמול בערב?
      המפתחות נמצאים על השולחן במטבח.
      אנחנו יוצאים לדרך בעוד שעה.
      תסגור את החלון, קר פה.
      הילדים כבר ישנים.
      """),
    CharacterSetSample(
      [.hebrew], "he",
      """
      מי לקח את הכפפות שלי מהשולחן?
      הרכבת צפונה יוצאת רק בשבע.
      כל הלילה לא הצלחתי להירדם.
      בוא נדבר על זה מחר בבוקר.
      אין לי מושג איפה הוא גר עכשיו.
      """),
    CharacterSetSample(
      [.hebrew], "he",
      """
      הזקן הביט בנהר ושתק.
      תגיד לה שאנחנו נאחר קצת.
      כמה עולה כרטיס לחיפה?
      הוא חזר בידיים ריקות, כרגיל.
      הגשם ייפסק בקרוב, נחזור הביתה.
      """),
    CharacterSetSample(
      [.arabic, .isoArabic], "ar",
      """
      لماذا لم تخبرني بذلك من قبل؟
      سوف نسافر غدا إلى القرية.
      المفتاح موجود تحت الباب الخلفي.
      لا أحد يعرف أين ذهب الرجل.
      أغلق النافذة من فضلك.
      """),
    CharacterSetSample(
      [.arabic, .isoArabic], "ar",
      """
      من أخذ قفازي عن الطاولة؟
      القطار إلى الشمال يغادر بعد ساعة.
      لم أستطع النوم طوال الليل.
      دعنا نتحدث عن هذا صباح الغد.
      الأطفال نائمون الآن، فاخفض صوتك.
      """),
    CharacterSetSample(
      [.arabic, .isoArabic], "ar",
      """
      كان الشيخ ينظر إلى النهر صامتا.
      قل لها إننا سنتأخر قليلا.
      كم ثمن التذكرة إلى المدينة؟
      عاد إلى البيت ويداه فارغتان.
      سيتوقف المطر قريبا، لنعد إلى بيتنا.
      """),
    CharacterSetSample(
      [.arabic], "fa",
      """
      چرا زودتر به من نگفتي؟
      پنجره را ببند، اينجا خيلي سرد است.
      فردا صبح با بچه ها به دريا مي رويم.
      نمي دانم برادرت حالا کجاست، گفت بر مي گردد.
      پدر بزرگ روزنامه مي خواند و چاي مي نوشد.
      """.replacing("ک", with: "ك")),
    CharacterSetSample(
      [.baltic, .isoBaltic], "lv",
      """
      Kāpēc tu man to neteici agrāk?
      Rīt mēs brauksim uz jūru ar bērniem.
      Vecmāmiņa šodien cepa ābolu pīrāgu.
      Aizver logu, šeit ir ļoti auksts.
      Viņš vēl nav atgriezies mājās.
      """),
    CharacterSetSample(
      [.baltic, .isoBaltic], "lt",
      """
      Kodėl man to nepasakei anksčiau?
      Raktas guli ant stalo virtuvėje.
      Rytoj važiuosime prie jūros su vaikais.
      Nežinau, kur jis dabar gyvena, seniai neberašo.
      Uždaryk langą, čia labai šalta.
      """),
    CharacterSetSample(
      [.baltic, .isoBaltic], "et",
      """
      Miks sa mulle seda varem ei öelnud?
      Võti on köögis laua peal.
      Homme sõidame lastega mere äärde.
      Ma ei tea, kus ta praegu elab, küsi õelt.
      Pane aken kinni, siin on väga külm.
      """),
    CharacterSetSample(
      [.vietnamese], "vi",
      """
      Tại sao anh không nói cho em biết sớm hơn?
      Chìa khóa ở trên bàn trong nhà bếp.
      Ngày mai chúng ta sẽ đi biển với bọn trẻ.
      Tôi không biết bây giờ nó sống ở đâu.
      Đóng cửa sổ lại đi, ở đây lạnh quá.
      """),
    CharacterSetSample(
      [.vietnamese], "vi",
      """
      Ai đã lấy đôi găng tay của tôi trên ghế?
      Một giờ nữa tàu sẽ chạy về phía bắc.
      Suốt đêm qua mẹ không ngủ được.
      Chuyện này để mai hãy nói, muộn rồi.
      Ông nội đang đọc báo và uống trà.
      """),
    CharacterSetSample(
      [.vietnamese], "vi",
      """
      Ông lão im lặng nhìn dòng sông.
      Nhắn với cô ấy là chúng mình đến muộn nhé.
      Vé đi Huế giá bao nhiêu tiền?
      Khẽ thôi, các cháu ngủ cả rồi!
      Trời sắp tạnh mưa, mình về nhà thôi.
      """),
    CharacterSetSample(
      [.thai], "th",
      """
      ทำไมคุณไม่บอกฉันก่อนหน้านี้
      พรุ่งนี้เราจะออกเดินทางแต่เช้า
      กุญแจอยู่ใต้ประตูหลังบ้าน
      ปิดหน้าต่างหน่อย อากาศหนาวมาก
      เด็กๆ หลับไปแล้ว
      """),
    CharacterSetSample(
      [.thai], "th",
      """
      ใครหยิบถุงมือของผมไปจากโต๊ะ
      รถไฟไปเชียงใหม่จะออกในอีกหนึ่งชั่วโมง
      เมื่อคืนแม่นอนไม่หลับทั้งคืน
      เรื่องนี้ไว้คุยกันพรุ่งนี้ดีกว่า
      คุณตากำลังอ่านหนังสือพิมพ์อยู่
      """),
    CharacterSetSample(
      [.thai], "th",
      """
      ชายชรามองแม่น้ำอย่างเงียบๆ
      บอกเธอด้วยว่าเราจะไปสายหน่อย
      ตั๋วใบนี้ราคาเท่าไหร่ครับ
      เขากลับมามือเปล่าเหมือนเดิม
      ฝนใกล้จะหยุดแล้ว กลับบ้านกันเถอะ
      """),
  ]
}
