/**
 * Classifies everyday messages by their form: sad news, invitations, jokes and so on. Only the choice of a kind phrase depends on it, so
 * an error never leads to a wrong fact.
 */

import { wantOf } from "./question/question.ts";
import { wordsOf } from "./words/lexicon.ts";

export type EverydayAct =
  | "congratulation"
  | "thanks"
  /** The message reproaches the owner. */
  | "reproach"
  | "grief"
  | "joke"
  /** The message proposes to meet, to come or to do something together. */
  | "plan"
  | "favour"
  /** The message asks what the owner is doing or how he is. */
  | "aboutOwner"
  | "joy"
  /** The message tells gossip or surprising news. */
  | "news"
  | "question"
  | "telling";

/** Acts that only the owner can decide on or answer; the twin replies that he will do so later. */
export const DEFERRED_ACTS: ReadonlySet<EverydayAct> = new Set(["plan", "favour", "aboutOwner", "question"]);
/** Acts that need the owner himself, even if the twin replies kindly. */
export const NEEDS_OWNER: ReadonlySet<EverydayAct> = new Set([...DEFERRED_ACTS, "grief", "reproach"]);

const at = (source: string) => new RegExp(String.raw`(?<!\p{L})(?:${source})`, "iu");
const word = (source: string) => new RegExp(String.raw`(?<!\p{L})(?:${source})(?!\p{L})`, "iu");

const CONGRATULATES = at(
  String.raw`поздравля|с (?:др|днюхой|днем|праздник|наступ|новым|рождеств|юбиле|новосел|повышени|преми|побед|пасх|масленич|почином|выпуск|\d{1,2} (?:март|феврал|ма[яй]))|happy birthday|congrat`,
);
const THANKS = at("спасибо|спасиб|благодар|спс(?!\\p{L})|thank");
const LAUGHS =
  /(?:ах|ха|хе){2,}|[😂🤣😆😹]|\){3}|(?<!\p{L})(?:лол|ржу|ору|ржака|анекдот|угар|lol|haha\p{L}{0,9})(?!\p{L})|(?<!\p{L})заходит\s.{1,60}\sв\s+бар/iu;
const SMILES = /\)\)|[:;]-?\)|[😁😄😅😜😉🙃]/u;
/** Openers of a story rather than a question: «прикинь», «знаешь, кто …». */
const TELLS = word(
  `прикинь(?:те)?|представь(?:те)?|представляешь|представляете|не поверишь|слышал[аи]?|видел[аи]? (?:что|как|кого)|знаешь,? (?:кто|кого|что)|угадай|говорят|оказывается|по слухам|кстати говоря`,
);
const YOU = word("ты|тебе|тебя|тобой|твой|твоя|твое|твои|твоих|твоим|твоего|тебе-то");
const REPROACHES = at(
  String.raw`обид|обижа|сколько можно|некрасив|достал[аи]?(?!\p{L})|надоел[аи]?(?!\p{L})|(?:мог|могла) бы|не слыш|не отвеч|не звон|не пиш|молчи|не приш|не приех|забыл|наплевать|пофиг|плевать|все равно|подвел|предал|обещал|бросил[аи]? меня|никогда не|вечно|ты опять|ты снова|ты всегда|ты вообще|ты серьезно|просил[аи]? же|же просил|дураком|из-за тебя|почему я (?:од[ин]|долж|всегда|вечно)|не доверя|врал|врешь|соврал|верни уже|где ты был|зачем ты|как ты мог`,
);
const GRIEVES = at(
  String.raw`плох|плач|плак|рыда|слез|груст|тоск|тревож|трево[гж]|бою[сь]|боимся|страх|страшн|пуга|уста[лю]|замота|сил (?:уже |больше )?нет|нет сил|выгор|бол(?:ит|ят|ею|еет|еют|ел|ьн)|заболе|температур|тошн|грипп|ангин|перелом|сломал|разбил|развод|развож|расста[лю]|бросил|изменил|усыпи|умер|умир|помер|погиб|похорон|больниц|реанимац|скор(?:ая|ую)(?!\p{L})|операц|инфаркт|инсульт|давлени|одинок|одиноч|скуч(?:но|аю)|тяжел|тяжк|трудно|сложно мне|не справ|не вывож|не вывез|провал|завал|уволи|поперли|сократил|лишил|украл|обокра|потеря|депресс|панич|паник|хренов|паршив|хуже|кошмар|ужас|жуть|жалк|жаль|ненавиж|бесит|бешу|раздраж|не могу|опуска|вой(?:!|\.|$)|выть|пусто|стыдно|обидно|больно|неприятн|не спал|не сплю|бессон|не спится|кризис|долг|штраф|авари|затопи|залил|сгорел|отказа|не взял|не повыс|без работ|в шоке|наора|накрич|нахами|предал|обману|поруга|поссор|ссор|температ|простуд|кашл|ногу|руку сл|плохо|no one|tired|sad|sick|died`,
);
const REJOICES = at(
  String.raw`ур+а|сда(?:л|ла|ли)(?!\p{L})|взяли|приняли|поступи|выигра|победи|купил|родил|беременн|ждем (?:ребен|малыш|двойн)|повысили|одобрил|защити|переех|переезж|новосел|выздор|поправи|достро|постро|дострои|перв(?:ый|ая|ое|ые) раз|влюб|наконец|сбыл|счастлив|женю|женим|женюсь|замуж|свадьб|предложени|прибави|похуд|закончи|доделал|дописал|получил|получилось|летим|премию|наград|грант|похвал|научи|поехал[аи]? без|без колес|зацвел|поймал|набрал|испек|классно|круто|супер|отлично|здорово|кайф|бомба|огонь|красот|обожаю|радост|рад(?:а|уюсь)?(?!\p{L})|passed|got the job|married`,
);
const NOT_SO = word("не|ни|нет|никак|нету");
const PLANS =
  /(?<!\p{L})(?:го|айда|погнали|поехали|пошли|пойд[её]м|идем|идём|едем|сходим|съездим|махн[её]м|рван[её]м|заедем|зайд[её]м|встретимся|увидимся|созвонимся|пересеч[её]мся|посидим|погуляем|сгоняем|приедешь|придешь|зайдешь|заедешь|заскочишь|приезжай(?:те)?|приходи(?:те)?|заходи(?:те)?|заезжай(?:те)?|присоединяйся|собираемся|ты (?:ид[её]шь|едешь|будешь|с нами|свобод\p{L}{1,3})|будешь (?:на|в|с|у|к)|с нами|в гости|ко мне|к нам|может,? (?:быть )?(?:в|на|по|за|к|кофе|кино|чаю|пива))(?!\p{L})|(?<!\p{L})(?:по|с|за|при|вы)\p{L}{2,12}(?:ем|ём|им)(?:ся)?(?=\s{0,2}\?|\s{0,2}$)/iu;
const FAVOURS =
  /(?<!\p{L})(?:с?можешь|с?можете|поможешь|помоги(?:те)?|выручай|выручи|одолжи(?:шь)?|займ[иё]\p{L}{0,2}|дай(?:шь)?|скинь|кинь|пришли|вышли|отправь|напомни|передай|привези|принеси|купи|захвати|забери|отвези|подвези|подбрось|посиди|полей|покорми|присмотри|поговори|позвони|набери|посмотри|глянь|подскажи|посоветуй|научи|найди|узнай|спроси|скажи|запиши|переведи|верни|подержи|поставь|сделай|напиши|нарисуй|проверь|\p{L}{3,14}(?:[еёи]шь)(?=\s[^?]{1,90}\?))(?!\p{L})/iu;
const ABOUT_OWNER =
  /(?<!\p{L})(?:где ты|ты где|ты (?:дома|спишь|на работе|куда|жив\p{L}?|занят\p{L}?|тут|еще|уже)|(?:что|че|чё|чего|шо) делаешь|чем зан\p{L}{1,8}|как (?:ты|сам\p{L}?|дела|жизнь|настроение|прош\p{L}{1,4}|съезди\p{L}{1,3}|сходи\p{L}{1,3}|отдохну\p{L}{1,4}|поработа\p{L}{1,4}|день|выходн\p{L}{1,4}|отпуск|поездк\p{L}|работа)|выходн\p{L}{1,4} (?:как|прошл\p{L}{1,2})|когда (?:ты|приедешь|будешь|вернешься|освободишься))(?!\p{L})/iu;

const OF_ONESELF = word("я|мне|меня|мной|мы|нас|нам|у меня|у нас|мой|моя|мое|мои|моего|мою");

export function everydayAct(message: string): EverydayAct {
  const plain = message.replaceAll("ё", "е").replaceAll("Ё", "Е");
  const want = wantOf(plain);
  const asks = want !== "statement" || plain.includes("?");
  const told = TELLS.test(plain) && !OF_ONESELF.test(plain);
  if (CONGRATULATES.test(plain) && !asks) return "congratulation";
  if (told) return "news";
  if (THANKS.test(plain) && !asks) return "thanks";
  if (LAUGHS.test(plain)) return "joke";
  const grieves = GRIEVES.test(plain);
  if (REPROACHES.test(plain) && (YOU.test(plain) || spokenTo(plain))) return "reproach";
  // A request takes precedence: «польешь цветы, пока я болею?».
  if (!grieves || asks) {
    if (PLANS.test(plain)) return "plan";
    if (want === "request" || FAVOURS.test(plain)) return "favour";
    if (asks && ABOUT_OWNER.test(plain)) return "aboutOwner";
  }
  if (grieves) return "grief";
  if (asks) return "question";
  if (REJOICES.test(plain) && !NOT_SO.test(plain)) return "joy";
  if (SMILES.test(plain)) return "joke";
  return plain.includes("!") ? "news" : "telling";
}

/** Recognises reproaches without «ты» by the verb's person: «могла бы и написать», «молчишь». */
const spokenTo = (plain: string): boolean =>
  wordsOf(plain).some((one) => one.length > 3 && /[еи]шь(?:ся)?$/.test(one)) ||
  /(?<!\p{L})(?:мог|могла) бы/iu.test(plain);
