/// The languages of ISO 639 by their codes and names.
///
/// Codes of ISO 639-1, of 639-2 (both B and T) and of 639-3 as in the registry of SIL; English and own names of CLDR 46. Of those without a code
/// of two letters there are the ones that CLDR has a name for, but words of English that file names have (`new`, `men`), and `sdh`.
enum LanguageTable {
  /// Two letters, the other codes, the English name and the language's own one where it differs.
  static let short = """
    aa aar;Afar;Qafar|ab abk;Abkhazian;Аԥсшәа|ae ave;Avestan|af afr;Afrikaans|ak aka;Akan|\
    am amh;Amharic;አማርኛ|an arg;Aragonese;aragonés|ar ara;Arabic;العربية|as asm;Assamese;অসমীয়া|\
    av ava;Avaric|ay aym;Aymara|az aze;Azerbaijani;azərbaycan|ba bak;Bashkir;башҡорт|\
    be bel;Belarusian;беларуская|bg bul;Bulgarian;български|bi bis;Bislama|bm bam;Bambara;bamanakan|\
    bn ben;Bangla;বাংলা|bo bod tib;Tibetan;བོད་སྐད་|br bre;Breton;brezhoneg|bs bos;Bosnian;bosanski|\
    ca cat;Catalan;català|ce che;Chechen;нохчийн|ch cha;Chamorro|co cos;Corsican;corsu|cr cre;Cree|\
    cs ces cze;Czech;čeština|cu chu;Church Slavic;церковнослове́нскїй|cv chv;Chuvash;чӑваш чӗлхи|\
    cy cym wel;Welsh;Cymraeg|da dan;Danish;dansk|de deu ger;German;Deutsch|dv div;Divehi;ދިވެހިބަސް|\
    dz dzo;Dzongkha;རྫོང་ཁ|ee ewe;Ewe;eʋegbe|el ell gre;Greek;Ελληνικά|en eng;English|\
    eo epo;Esperanto|es spa;Spanish;español|et est;Estonian;eesti|eu eus baq;Basque;euskara|\
    fa fas per;Persian;فارسی|ff ful;Fula;Pulaar|fi fin;Finnish;suomi|fj fij;Fijian|\
    fo fao;Faroese;føroyskt|fr fra fre;French;français|fy fry;Western Frisian;Frysk|\
    ga gle;Irish;Gaeilge|gd gla;Scottish Gaelic;Gàidhlig|gl glg;Galician;galego|\
    gn grn;Guarani;avañe’ẽ|gu guj;Gujarati;ગુજરાતી|gv glv;Manx;Gaelg|ha hau;Hausa|he heb;Hebrew;עברית|\
    hi hin;Hindi;हिन्दी|ho hmo;Hiri Motu|hr hrv;Croatian;hrvatski|\
    ht hat;Haitian Creole;Kreyòl Ayisyen|hu hun;Hungarian;magyar|hy hye arm;Armenian;հայերեն|\
    hz her;Herero|ia ina;Interlingua|id ind;Indonesian;Indonesia|ie ile;Interlingue|\
    ig ibo;Igbo;Asụsụ Igbo|ii iii;Sichuan Yi;ꆈꌠꉙ|ik ipk;Inupiaq|io ido;Ido|\
    is isl ice;Icelandic;íslenska|it ita;Italian;italiano|iu iku;Inuktitut;ᐃᓄᒃᑎᑐᑦ|ja jpn;Japanese;日本語|\
    jv jav;Javanese;Jawa|ka kat geo;Georgian;ქართული|kg kon;Kongo|ki kik;Kikuyu;Gĩgĩkũyũ|\
    kj kua;Kuanyama|kk kaz;Kazakh;қазақ тілі|kl kal;Kalaallisut|km khm;Khmer;ខ្មែរ|\
    kn kan;Kannada;ಕನ್ನಡ|ko kor;Korean;한국어|kr kau;Kanuri|ks kas;Kashmiri;کٲشُر|\
    ku kur;Kurdish;kurdî (kurmancî)|kv kom;Komi|kw cor;Cornish;kernewek|ky kir;Kyrgyz;кыргызча|\
    la lat;Latin;Latina|lb ltz;Luxembourgish;Lëtzebuergesch|lg lug;Ganda;Luganda|li lim;Limburgish|\
    ln lin;Lingala;lingála|lo lao;Lao;ລາວ|lt lit;Lithuanian;lietuvių|lu lub;Luba-Katanga;Tshiluba|\
    lv lav;Latvian;latviešu|mg mlg;Malagasy|mh mah;Marshallese|mi mri mao;Māori|\
    mk mkd mac;Macedonian;македонски|ml mal;Malayalam;മലയാളം|mn mon;Mongolian;монгол|\
    mr mar;Marathi;मराठी|ms msa may;Malay;Melayu|mt mlt;Maltese;Malti|my mya bur;Burmese;မြန်မာ|\
    na nau;Nauru|nb nob;Norwegian Bokmål;norsk bokmål|nd nde;North Ndebele;isiNdebele|\
    ne nep;Nepali;नेपाली|ng ndo;Ndonga|nl nld dut;Dutch;Nederlands|\
    nn nno;Norwegian Nynorsk;norsk nynorsk|no nor;Norwegian;norsk|nr nbl;South Ndebele;isiNdebele|\
    nv nav;Navajo;Diné Bizaad|ny nya;Nyanja|oc oci;Occitan|oj oji;Ojibwa|om orm;Oromo;Oromoo|\
    or ori;Odia;ଓଡ଼ିଆ|os oss;Ossetic;ирон|pa pan;Punjabi;ਪੰਜਾਬੀ|pi pli;Pali|pl pol;Polish;polski|\
    ps pus;Pashto;پښتو|pt por;Portuguese;português|qu que;Quechua;Runasimi|rm roh;Romansh;rumantsch|\
    rn run;Rundi;Ikirundi|ro ron rum;Romanian;română|ru rus;Russian;русский|\
    rw kin;Kinyarwanda;Ikinyarwanda|sa san;Sanskrit;संस्कृत भाषा|sc srd;Sardinian;sardu|\
    sd snd;Sindhi;سنڌي|se sme;Northern Sami;davvisámegiella|sg sag;Sango;Sängö|si sin;Sinhala;සිංහල|\
    sk slk slo;Slovak;slovenčina|sl slv;Slovenian;slovenščina|sm smo;Samoan|sn sna;Shona;chiShona|\
    so som;Somali;Soomaali|sq sqi alb;Albanian;shqip|sr srp;Serbian;српски|ss ssw;Swati;siSwati|\
    st sot;Southern Sotho;Sesotho|su sun;Sundanese;Basa Sunda|sv swe;Swedish;svenska|\
    sw swa;Swahili;Kiswahili|ta tam;Tamil;தமிழ்|te tel;Telugu;తెలుగు|tg tgk;Tajik;тоҷикӣ|\
    th tha;Thai;ไทย|ti tir;Tigrinya;ትግርኛ|tk tuk;Turkmen;türkmen dili|tl tgl;Tagalog|\
    tn tsn;Tswana;Setswana|to ton;Tongan;lea fakatonga|tr tur;Turkish;Türkçe|ts tso;Tsonga;Xitsonga|\
    tt tat;Tatar;татар|tw twi;Twi|ty tah;Tahitian|ug uig;Uyghur;ئۇيغۇرچە|uk ukr;Ukrainian;українська|\
    ur urd;Urdu;اردو|uz uzb;Uzbek;o‘zbek|ve ven;Venda;Tshivenḓa|vi vie;Vietnamese;Tiếng Việt|\
    vo vol;Volapük|wa wln;Walloon;walon|wo wol;Wolof|xh xho;Xhosa;IsiXhosa|yi yid;Yiddish;ייִדיש|\
    yo yor;Yoruba;Èdè Yorùbá|za zha;Zhuang;Vahcuengh|zh zho chi;Chinese;中文|zu zul;Zulu;isiZulu|
    """

  /// Three letters and the English name.
  static let long = """
    ace Acehnese|ach Acoli|ada Adangme|ady Adyghe|aeb Tunisian Arabic|afh Afrihili|agq Aghem|ain Ainu|\
    akk Akkadian|akz Alabama|ale Aleut|aln Gheg Albanian|alt Southern Altai|ang Old English|ann Obolo|\
    anp Angika|apw Western Apache|arc Aramaic|arn Mapuche|aro Araona|arp Arapaho|arq Algerian Arabic|\
    ars Najdi Arabic|arw Arawak|ary Moroccan Arabic|arz Egyptian Arabic|asa Asu|\
    ase American Sign Language|ast Asturian|atj Atikamekw|avk Kotava|awa Awadhi|bal Baluchi|\
    ban Balinese|bar Bavarian|bas Basaa|bax Bamun|bbc Batak Toba|bbj Ghomala|bej Beja|bem Bemba|\
    bew Betawi|bez Bena|bfd Bafut|bfq Badaga|bgc Haryanvi|bgn Western Balochi|bho Bhojpuri|bik Bikol|\
    bin Bini|bjn Banjar|bkm Kom|bla Siksiká|blo Anii|blt Tai Dam|bpy Bishnupriya|bqi Bakhtiari|\
    bra Braj|brh Brahui|brx Bodo|bss Akoose|bua Buriat|bum Bulu|byn Blin|byv Medumba|cad Caddo|\
    car Carib|cay Cayuga|cch Atsam|ccp Chakma|ceb Cebuano|cgg Chiga|chb Chibcha|chg Chagatai|\
    chk Chuukese|chm Mari|chn Chinook Jargon|cho Choctaw|chp Chipewyan|chr Cherokee|chy Cheyenne|\
    cic Chickasaw|ckb Central Kurdish|clc Chilcotin|cop Coptic|cps Capiznon|crg Michif|\
    crh Crimean Tatar|crj Southern East Cree|crk Plains Cree|crl Northern East Cree|crm Moose Cree|\
    crr Carolina Algonquian|crs Seselwa Creole French|csb Kashubian|csw Swampy Cree|dak Dakota|\
    dar Dargwa|dav Taita|del Delaware|dgr Dogrib|din Dinka|dje Zarma|doi Dogri|dsb Lower Sorbian|\
    dtp Central Dusun|dua Duala|dum Middle Dutch|dyo Jola-Fonyi|dyu Dyula|dzg Dazaga|ebu Embu|\
    efi Efik|egl Emilian|egy Ancient Egyptian|eka Ekajuk|elx Elamite|enm Middle English|\
    esu Central Yupik|ewo Ewondo|ext Extremaduran|fat Fanti|fil Filipino|fit Tornedalen Finnish|\
    fon Fon|frc Cajun French|frm Middle French|fro Old French|frp Arpitan|frr Northern Frisian|\
    frs Eastern Frisian|gaa Ga|gag Gagauz|gan Gan Chinese|gba Gbaya|gbz Zoroastrian Dari|gez Geez|\
    gil Gilbertese|glk Gilaki|gmh Middle High German|goh Old High German|gon Gondi|gor Gorontalo|\
    got Gothic|grb Grebo|grc Ancient Greek|gsw Swiss German|guc Wayuu|gur Frafra|guz Gusii|\
    gwi Gwichʼin|hai Haida|hak Hakka Chinese|haw Hawaiian|hax Southern Haida|hif Fiji Hindi|\
    hil Hiligaynon|hit Hittite|hmn Hmong|hnj Hmong Njua|hsb Upper Sorbian|hsn Xiang Chinese|hup Hupa|\
    hur Halkomelem|iba Iban|ibb Ibibio|ikt Western Canadian Inuktitut|ilo Iloko|inh Ingush|\
    izh Ingrian|jam Jamaican Creole English|jbo Lojban|jgo Ngomba|jmc Machame|jpr Judeo-Persian|\
    jrb Judeo-Arabic|jut Jutish|kaa Kara-Kalpak|kab Kabyle|kac Kachin|kaj Jju|kam Kamba|kaw Kawi|\
    kbd Kabardian|kbl Kanembu|kcg Tyap|kde Makonde|kea Kabuverdianu|kek Qʼeqchiʼ|ken Kenyang|kfo Koro|\
    kgp Kaingang|kha Khasi|kho Khotanese|khq Koyra Chiini|khw Khowar|kiu Kirmanjki|kkj Kako|\
    kln Kalenjin|kmb Kimbundu|koi Komi-Permyak|kok Konkani|kos Kosraean|kpe Kpelle|\
    krc Karachay-Balkar|kri Krio|krj Kinaray-a|krl Karelian|kru Kurukh|ksb Shambala|ksf Bafia|\
    ksh Colognian|kum Kumyk|kut Kutenai|kwk Kwakʼwala|kxv Kuvi|lad Ladino|lag Langi|\
    lah Western Panjabi|lam Lamba|lez Lezghian|lfn Lingua Franca Nova|lij Ligurian|lil Lillooet|\
    liv Livonian|lkt Lakota|lld Ladin|lmo Lombard|lol Mongo|lou Louisiana Creole|loz Lozi|\
    lrc Northern Luri|lsm Saamia|ltg Latgalian|lua Luba-Lulua|lui Luiseno|lun Lunda|luo Luo|lus Mizo|\
    luy Luyia|lzh Literary Chinese|lzz Laz|maf Mafa|mag Magahi|mai Maithili|mak Makasar|mas Masai|\
    mde Maba|mdf Moksha|mdr Mandar|mer Meru|mfe Morisyen|mga Middle Irish|mgh Makhuwa-Meetto|\
    mgo Metaʼ|mic Mi'kmaw|mid Mandaic|min Minangkabau|mnc Manchu|mni Manipuri|moe Innu-aimun|\
    moh Mohawk|mos Mossi|mrj Western Mari|mua Mundang|mus Muscogee|mwl Mirandese|mwr Marwari|\
    mwv Mentawai|mye Myene|myv Erzya|mzn Mazanderani|nan Min Nan Chinese|nap Neapolitan|naq Nama|\
    nds Low German|nia Nias|niu Niuean|njo Ao Naga|nmg Kwasio|nnh Ngiemboon|nnp Wancho|nog Nogai|\
    non Old Norse|nov Novial|nqo N’Ko|nso Northern Sotho|nus Nuer|nwc Classical Newari|nym Nyamwezi|\
    nyn Nyankole|nyo Nyoro|nzi Nzima|ojb Northwestern Ojibwa|ojc Central Ojibwa|ojs Oji-Cree|\
    ojw Western Ojibwa|oka Okanagan|osa Osage|ota Ottoman Turkish|pag Pangasinan|pal Pahlavi|\
    pam Pampanga|pap Papiamento|pau Palauan|pcd Picard|pcm Nigerian Pidgin|pdc Pennsylvania German|\
    pdt Plautdietsch|peo Old Persian|pfl Palatine German|phn Phoenician|pis Pijin|pms Piedmontese|\
    pnt Pontic|pon Pohnpeian|pqm Maliseet-Passamaquoddy|prg Prussian|pro Old Provençal|quc Kʼicheʼ|\
    qug Chimborazo Highland Quichua|raj Rajasthani|rap Rapanui|rar Rarotongan|rej Rejang|rgn Romagnol|\
    rhg Rohingya|rif Riffian|rof Rombo|rom Romany|rtm Rotuman|rue Rusyn|rug Roviana|rup Aromanian|\
    rwk Rwa|sah Yakut|sam Samaritan Aramaic|saq Samburu|sas Sasak|sat Santali|saz Sourashtra|\
    sba Ngambay|sbp Sangu|scn Sicilian|sco Scots|sdc Sassarese Sardinian|\
    see Seneca|seh Sena|sei Seri|sel Selkup|ses Koyraboro Senni|sga Old Irish|sgs Samogitian|\
    shi Tachelhit|shn Shan|shu Chadian Arabic|sid Sidamo|sjd Kildin Sami|sje Pite Sami|sju Ume Sami|\
    slh Southern Lushootseed|sli Lower Silesian|sly Selayar|sma Southern Sami|smj Lule Sami|\
    smn Inari Sami|sms Skolt Sami|snk Soninke|sog Sogdien|srn Sranan Tongo|srr Serer|ssy Saho|\
    stq Saterland Frisian|str Straits Salish|suk Sukuma|sus Susu|sux Sumerian|swb Comorian|\
    syc Classical Syriac|syr Syriac|szl Silesian|tce Southern Tutchone|tcy Tulu|tem Timne|teo Teso|\
    ter Tereno|tet Tetum|tgx Tagish|tht Tahltan|tig Tigre|tiv Tiv|tkl Tokelauan|tkr Tsakhur|\
    tlh Klingon|tli Tlingit|tly Talysh|tmh Tamashek|tog Nyasa Tonga|tok Toki Pona|tpi Tok Pisin|\
    tru Turoyo|trv Taroko|trw Torwali|tsd Tsakonian|tsi Tsimshian|ttm Northern Tutchone|\
    ttt Muslim Tat|tum Tumbuka|tvl Tuvalu|twq Tasawaq|tyv Tuvinian|tzm Central Atlas Tamazight|\
    udm Udmurt|uga Ugaritic|umb Umbundu|vai Vai|vec Venetian|vep Veps|vls West Flemish|\
    vmf Main-Franconian|vmw Makhuwa|vot Votic|vro Võro|vun Vunjo|wae Walser|wal Wolaytta|was Washo|\
    wbp Warlpiri|wuu Wu Chinese|xal Kalmyk|xmf Mingrelian|xnr Kangri|xog Soga|yao Yao|yap Yapese|\
    yav Yangben|ybb Yemba|yrl Nheengatu|yue Cantonese|zap Zapotec|zbl Blissymbols|zea Zeelandic|\
    zen Zenaga|zgh Standard Moroccan Tamazight|zun Zuni|zza Zaza|
    """

  /// Individual languages of a macrolanguage that is written with two letters.
  static let individual = [
    "cmn": "zh", "arb": "ar", "pes": "fa", "swh": "sw", "zsm": "ms", "lvs": "lv", "ekk": "et", "npi": "ne",
    "ory": "or", "azj": "az", "uzn": "uz", "khk": "mn", "plt": "mg", "als": "sq", "gax": "om", "kmr": "ku",
    "pbt": "ps", "ydd": "yi", "quz": "qu", "hbs": "sr-Latn",
  ]
}
