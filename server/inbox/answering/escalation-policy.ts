/**
 * Lists topics that the twin never answers without approval, however confident it is. A rule lists word stems with their context, so the
 * owner's reason leads to one line here. A false alarm costs the owner a look at a draft, a miss costs money or worse; so rules are broad.
 */

import { holdsCardNumber } from "#server/knowledge/language/redact.ts";

interface RiskyTopic {
  reason: string;
  /** Matched against lower-case text with «ё» as «е» and single spaces. `_` stands for a word boundary. */
  signs: readonly string[];
  /** Similar phrases with another meaning, removed from the text before the signs are looked for. */
  harmless?: readonly string[];
}

/** Code words what a tool does, and nothing is promised before the owner has decided on it. */
const PROMISES = "Просят о встрече или звонке: пообещать можете только вы";

/** The topic of a message that a tool answers; null where its only topic is a promise. */
export const topicBesidesTool = (topic: string | null): string | null => (topic === PROMISES ? null : topic);

const TOPICS: readonly RiskyTopic[] = [
  {
    reason: "Речь об опасности для жизни или здоровья: ответьте сами",
    signs: [
      "суицид|самоубийств|самоуби[йв]",
      "_поконч(?:ить|у|ил|ила) с (?:собой|жизнью)",
      "_(?:уби(?:ть|ю)|убил[аи]? бы|порезать|режу|вешать|повесить|повешу) себя|_себя (?:убить|убью|порезать)",
      "_повеш(?:усь|аюсь)_|_вскр(?:ыть|ою|ыл) (?:себе )?вен",
      "_не хо(?:чу|чется) (?:больше )?жить_",
      "_(?:диагноз|симптом|передозиров|рецепт на лекарств|дозировк|антидепрессант|антибиотик)",
      "_как(?:ие|ую|ое|ой)? (?:таблетк|лекарств|препарат|доз[уа]_)|_(?:принимать|пить|выпить|назначьте) (?:таблетк|лекарств|препарат)",
      "_(?:вызов\\p{L}*|нуж\\p{L}*) скор(?:ую|ая)_|_потерял[аи]? сознание|_кровотечени",
      "_(?:suicid|kill (?:myself|me_)|self.?harm|overdose|end my life|want to die_)",
      "_(?:diagnos|dosage|prescription|antidepressant)",
    ],
    harmless: [
      "не хочу (?:больше )?жить (?:в|на|с|там|тут|здесь|рядом|один|одна)_",
      "диагностик\\p{L}*",
      "рецепт (?:пирог|торт|блюд)\\p{L}*",
    ],
  },
  {
    reason: "Просят пароль или код: ответьте сами",
    signs: [
      "_код\\p{L}{0,2} (?:из|от) (?:смс|sms|сообщени|письм|приложени|банк|телеграм|госуслуг)",
      "_(?:одноразов\\p{L}*|проверочн\\p{L}*|секретн\\p{L}*|смс|sms)[ -]код|_код\\p{L}{0,2} (?:подтвержд|доступ|авториз|вход|безопасн)",
      "_(?:пришли|скинь|скажи|дай|сообщи|вышли|продиктуй|назови|напиши|отправь|подскажи)\\p{L}{0,2} (?:\\p{L}+ ){0,3}(?:код|парол)",
      "_(?:какой|твой|ваш) (?:\\p{L}+ ){0,2}парол|_парол\\p{L} (?:от|для|к)_|_пин-?код",
      "_(?:cvv|cvc|otp|2fa|seed phrase|private key)_|_сид-?фраз|_приватн\\p{L}* ключ",
      "_(?:verification|security|one.?time|login|access) (?:pass)?codes?_|_(?:send|tell|give) (?:me )?(?:\\w+ ){0,3}(?:password|passcode|pin)_",
    ],
    harmless: [
      "(?:промо|штрих|qr|кьюар|бар|купон)[ -]?код\\p{L}*",
      "код\\p{L}* (?:товара|города|страны|региона|цвета|скидки|купона|тнвэд|оквэд)",
      "дресс[ -]код\\p{L}*",
      "исходн\\p{L}* код\\p{L}*",
    ],
  },
  {
    reason: "Речь о переводе денег или данных карты: ответьте сами",
    signs: [
      "_(?:перевед|перевест|перешл|перечисл|скин|закин|отправ|вышл|пришл|кин)\\p{L}* (?:мне |нам |вам |тебе |ему |ей |срочно )*(?:\\d[\\d ]*\\p{L}{0,3} ?)?(?:денег|деньги|деньгами|руб|р_|₽|тыс|долл|евро|крипт|usdt|биткоин|предоплат|аванс|сумм)",
      "_(?:перевед|перевест|перешл|перечисл|скин|закин|кин)\\p{L}* (?:\\S+ ){0,4}(?:на карт[уы]|на счет|по номеру|на сбер|на тиньк|на кошел)",
      "_(?:займ|одолж|занять)\\p{L}* (?:\\S+ ){0,3}(?:денег|деньг|руб|₽|тыс|\\d{3,})|_в долг_",
      "_(?:номер\\p{L}*|данн\\p{L}*|фото) (?:\\p{L}+ )?(?:карт[ыу]|карточк\\p{L}*|счет\\p{L}?)_|_реквизит",
      "_(?:возврат|верн\\p{L}+) (?:\\S+ ){0,2}(?:денег|деньги)_",
      "_(?:send|wire|transfer|lend) (?:\\S+ ){0,3}(?:money|\\$|usd|eur|dollars|cash|bitcoin|btc|usdt)",
      "_(?:card|account|routing) number|_bank details|_iban_",
    ],
    harmless: [
      "карт[аыуе] (?:лояльности|сайта|проезда|мира|города|памяти)",
      "номер\\p{L}* (?:карт[ыу] лояльности|счета[- ]фактур\\p{L}*)",
    ],
  },
  {
    reason: "Речь о суде или претензии: ответьте сами",
    signs: [
      "_(?:подам|подаю|подадим|подать|подал|обращусь|обратиться|пойду|встретимся|увидимся) (?:на (?:вас|тебя) )?(?:заявлени\\p{L}* )?в (?:суд|полици|прокуратур|роспотребнадзор|полицию)",
      "_в суд_|_суд(?:ом|иться|ебн\\p{L}*)_|_досудебн|_исков|_иск(?:а|у|ом|и)?_",
      "_прокуратур|_роспотребнадзор|_адвокат|_мо(?:й|и|его) юрист|_юристы? (?:свяж|подготов)",
      "_претензи(?:я|ю|и|ей) (?:\\S+ ){0,2}(?:направ|отправ|подад|напиш|письменн|о возврат|по договор)|_(?:направ|подад|подам|напиш)\\p{L}* (?:\\S+ ){0,2}претензи",
      "_заявлени\\p{L}* в полици|_нарушени\\p{L}* (?:закона|прав_|договора)|_моральн\\p{L}* (?:вред|ущерб)",
      "_(?:sue_|suing|lawsuit|lawyer|attorney|legal action|take you to court|cease and desist)",
    ],
    harmless: ["как (?:найти|выбрать) адвоката"],
  },
  {
    reason: "Пишет несовершеннолетний: ответьте сами",
    signs: [
      "_несовершеннолетн",
      "_(?:мне|я) (?:всего |только |уже |еще )*(?:[7-9]|1[0-7]) ?(?:лет|год(?:а|иков)?)_|_мне (?:\\p{L}+ )?(?:семь|восемь|девять|десять|\\p{L}+надцать) лет_",
      "_я (?:еще |всего )*(?:школьни(?:к|ца)|ребенок|в \\d класс)|_учусь в (?:школе|\\d{1,2}[ -]?\\p{L}{0,2} классе)",
      "_(?:i am|i'?m|im) (?:only )?(?:[7-9]|1[0-7])(?: years old| ?yo|(?! ?[\\d%$]))|_i am a (?:minor|kid)_|_underage",
    ],
    harmless: ["мне \\d+ лет (?:опыт|стаж|работ)\\p{L}*", "я (?:\\d+) лет (?:\\p{L}+)"],
  },
  {
    reason: PROMISES,
    signs: [
      "_(?:встретимся|созвонимся|увидимся|пересечемся)_|_дава\\p{L}* (?:\\S+ ){0,2}(?:встретиться|созвонимся|встречу)",
      "_(?:назнач|организу|договор|запланиру|перенес|отмен)\\p{L}* (?:\\S+ ){0,3}(?:встреч|созвон|звонок|визит|прием)",
      "_(?:приед|придет|прид[еи]|зайд|подъед|сможе|будете|будешь)\\p{L}* (?:\\S+ ){0,3}(?:ко мне|к нам|на встреч|на созвон|приехать|встретиться|подъехать|созвониться)",
      "_запиши\\p{L}* (?:меня|нас|ребенка|маму)|_(?:жду|ждем) (?:вас|тебя) (?:сегодня|завтра|в \\d|в (?:понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье))",
      "_(?:let'?s|can we|could we|shall we) (?:meet|have a call|hop on a call|schedule)|_(?:schedule|book|set up|arrange) (?:a |an |the )?(?:\\w+ )?(?:call|meeting|appointment)|_are you (?:free|available) (?:on|at|tomorrow|today|this|next)",
    ],
    harmless: ["увидимся на (?:сайте|вебинаре)"],
  },
];

const EDGE = "(?<![\\p{L}\\p{N}])";
const END = "(?![\\p{L}\\p{N}])";

/** `_` before a sign is the beginning of a word, elsewhere the end of one. */
const compiled = TOPICS.map(({ reason, signs, harmless = [] }) => ({
  reason,
  signs: new RegExp(signs.map(patternOf).join("|"), "u"),
  harmless: harmless.length === 0 ? null : new RegExp(harmless.map((one) => patternOf(`_${one}`)).join("|"), "gu"),
}));

function patternOf(sign: string): string {
  return sign.replace(/_/g, (_, at: number) => (at === 0 || /[|(]/.test(sign[at - 1]!) ? EDGE : END));
}

/** Returns why the answer must wait for the owner, a Russian sentence; null if it need not. The text is a question or an answer. */
export function escalationTopic(text: string): string | null {
  const plain = text.toLowerCase().replaceAll("ё", "е").replace(/\s+/g, " ");
  for (const { reason, signs, harmless } of compiled) {
    const rest = harmless === null ? plain : plain.replace(harmless, " ");
    if (signs.test(rest)) return reason;
  }
  return holdsCardNumber(plain) ? MONEY : null;
}

const MONEY = TOPICS[2]!.reason;
