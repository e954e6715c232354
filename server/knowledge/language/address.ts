/** Detects ты and вы, and converts one to the other where that is safe without a grammar. */
import { wordsOf } from "./words/lexicon.ts";

export type Address = "ты" | "вы";

const FAMILIAR = new Map(
  Object.entries({
    вы: "ты",
    вас: "тебя",
    вам: "тебе",
    вами: "тобой",
    ваш: "твой",
    ваша: "твоя",
    ваше: "твое",
    ваши: "твои",
    вашего: "твоего",
    вашему: "твоему",
    вашим: "твоим",
    вашем: "твоем",
    вашей: "твоей",
    вашу: "твою",
    ваших: "твоих",
    вашими: "твоими",
  }),
);
const POLITE = new Map([...FAMILIAR].map(([polite, familiar]) => [familiar, polite]));
POLITE.set("тобою", "вами");

const words = (text: string) => new Set(text.split(/\s+/));

/** Nouns, and words like «пошлите», with the ending of a second-person verb. */
const NOT_PLURAL_VERBS = words(
  `сайте байте лайте кабинете билете пакете интернете инете ответе совете свете привете предмете бюджете комитете университете факультете портрете
  секрете планете карете газете анкете монете ракете диете смете лете конфете туалете паркете балете буфете сюжете авторитете иммунитете приоритете
  менталитете кредите лимите визите аппетите магните граните элите орбите свите защите счете отчете расчете учете зачете почете полете взлете перелете
  вертолете самолете налете цвете рассвете завете букете этикете макете пистолете скелете жилете браслете котлете эстафете комете кювете сигарете
  депозите дефиците транзите монолите сателлите асфальте вольте культе солите табурете рулете омлете ките дите сорите фаворите реквизите субъекте вете`,
);
const NOT_SINGULAR_VERBS = words("лишь тишь брешь плешь мышь финишь");

/** Returns how a text addresses its reader; both if it mixes ты and вы. Plural and polite вы are not distinguished. */
export function addressIn(textWords: readonly string[]): { familiar: boolean; polite: boolean } {
  let familiar = false;
  let polite = false;
  for (const word of textWords) {
    if (POLITE.has(word) || isSingularVerb(word) || IMPERATIVES.has(word)) familiar = true;
    else if (FAMILIAR.has(word) || isPluralVerb(word)) polite = true;
  }
  return { familiar, polite };
}

const isSingularVerb = (word: string) =>
  word.length > 3 && /[еи]шь(?:ся)?$/.test(word) && !NOT_SINGULAR_VERBS.has(word);
const isPluralVerb = (word: string) =>
  word.length > 4 &&
  /(?:[еийь]те|[еийь]тесь)$/.test(word) &&
  !NOT_PLURAL_VERBS.has(word) &&
  !/(?:ость|есть)те$/.test(word);

/** Imperatives to one familiar person. The list is closed, because the endings also occur in nouns («люди», «дорогой»). */
const IMPERATIVES = words(
  `смотри посмотри слушай послушай напиши пиши позвони звони перезвони скажи говори скинь кинь пришли отправь подожди жди погоди приходи заходи проходи
  приезжай подъезжай заезжай езжай поезжай иди уходи давай дай подай держи бери возьми забери положи поставь сделай делай попробуй пробуй проверь проверяй
  подскажи расскажи объясни покажи спроси спрашивай ответь отвечай помоги помогай прости извини думай подумай решай реши смотайся зайди подойди выйди
  обращайся пользуйся оставь оставайся открой закрой включи выключи нажми выбери выбирай закажи заказывай купи покупай оплати плати переведи верни
  возвращай заполни загрузи скачай установи обнови удали добавь найди ищи поищи читай почитай прочитай запиши записывай запомни помни забудь знай учти
  учитывай имей будь бойся волнуйся переживай беспокойся радуйся отдыхай отдохни спи поспи ешь поешь пей береги беги собирайся готовься жми лови`,
);

const INDICATIVE_AFTER = words(
  "если когда что чего где как куда почему зачем пока кого кому чем сколько какой какую какие который которую которые",
);
const IRREGULAR_FAMILIAR = new Map(
  Object.entries({
    хотите: "хочешь",
    захотите: "захочешь",
    дадите: "дашь",
    передадите: "передашь",
    создадите: "создашь",
    продадите: "продашь",
    отдадите: "отдашь",
    зададите: "задашь",
    сдадите: "сдашь",
  }),
);
const IRREGULAR_POLITE = new Map([...IRREGULAR_FAMILIAR].map(([polite, familiar]) => [familiar, polite]));
const AFTER_TY = new Map(
  Object.entries({
    шел: "шли",
    пришел: "пришли",
    нашел: "нашли",
    пошел: "пошли",
    ушел: "ушли",
    зашел: "зашли",
    дошел: "дошли",
    мог: "могли",
    смог: "смогли",
    помог: "помогли",
    готов: "готовы",
    готова: "готовы",
    должен: "должны",
    должна: "должны",
    сам: "сами",
    сама: "сами",
    прав: "правы",
    права: "правы",
    уверен: "уверены",
    уверена: "уверены",
    согласен: "согласны",
    согласна: "согласны",
    рад: "рады",
    рада: "рады",
    занят: "заняты",
    занята: "заняты",
    свободен: "свободны",
    свободна: "свободны",
  }),
);
const AGREES_IN_NUMBER = words(
  "должны готовы согласны уверены правы рады обязаны вынуждены сами одни заняты свободны знакомы довольны",
);
const NOT_PAST = words("если или ли");

/**
 * Converts the text to the given form of address; null where that needs grammar that is not implemented (the gender of «вы готовы»,
 * unlisted forms). A text without an address is returned unchanged.
 */
export function agreeAddress(text: string, address: Address): string | null {
  const said = addressIn(wordsOf(text));
  if (address === "ты" ? !said.polite : !said.familiar) return text;
  const convert = address === "ты" ? familiarForm : politeForm;
  let unsafe = false;
  const before: string[] = [];
  const converted = text.replace(/\p{L}+/gu, (word, at: number) => {
    if (/[.!?\n]/.test(text.slice(Math.max(0, at - 2), at))) before.length = 0;
    const plain = word.toLowerCase().replaceAll("ё", "е");
    const form = convert(plain, before);
    before.push(plain);
    if (form === null) unsafe = true;
    return form === null || form === plain ? word : sameCase(word, form, at === 0 || before.length === 1);
  });
  return unsafe ? null : converted;
}

/** Returns the familiar form of a word; null when unknown. `before` are the preceding words of the sentence. */
function familiarForm(word: string, before: readonly string[]): string | null {
  const pronoun = FAMILIAR.get(word);
  if (pronoun !== undefined) return pronoun;
  const subject = before.includes("вы");
  if (subject && (AGREES_IN_NUMBER.has(word) || (/ли(?:сь)?$/.test(word) && !NOT_PAST.has(word)))) return null;
  if (!isPluralVerb(word)) return word;
  const irregular = IRREGULAR_FAMILIAR.get(word);
  if (irregular !== undefined) return irregular;
  if (/[йь]те$/.test(word)) return word.slice(0, -2);
  if (/[йь]тесь$/.test(word)) return `${word.slice(0, -4)}ся`;
  const reflexive = word.endsWith("сь");
  const stem = word.slice(0, reflexive ? -4 : -2);
  const indicative = stem.endsWith("е") || before.slice(-3).includes("вы") || INDICATIVE_AFTER.has(before.at(-1) ?? "");
  if (indicative) return `${stem}шь${reflexive ? "ся" : ""}`;
  return reflexive ? `${stem}сь` : stem;
}

function politeForm(word: string, before: readonly string[]): string | null {
  const pronoun = POLITE.get(word);
  if (pronoun !== undefined) return pronoun;
  if (word === "ешь" || word === "поешь") return null;
  const irregular = IRREGULAR_POLITE.get(word);
  if (irregular !== undefined) return irregular;
  if (isSingularVerb(word)) {
    return word.endsWith("ся") ? `${word.slice(0, -4)}тесь` : `${word.slice(0, -2)}те`;
  }
  if (IMPERATIVES.has(word)) {
    if (word.endsWith("ся")) return `${word.slice(0, -2)}тесь`;
    return word.endsWith("сь") ? `${word.slice(0, -2)}тесь` : `${word}те`;
  }
  if (!before.slice(-4).includes("ты")) return word;
  const agreed = AFTER_TY.get(word);
  if (agreed !== undefined) return agreed;
  if (/(?:[ыио]й|ая|яя)$/.test(word)) return null;
  if (/[аяеиоыу]ла?$/.test(word)) return word.replace(/ла?$/, "ли");
  if (/[аяеиоыу]л(?:ся|ась)$/.test(word)) return word.replace(/л(?:ся|ась)$/, "лись");
  return word;
}

/** «Вы» inside a sentence becomes «ты»: its capital expresses respect, not the start of a sentence. */
function sameCase(original: string, form: string, startsSentence: boolean): string {
  const capital = original[0] !== original[0]!.toLowerCase();
  return capital && startsSentence ? form[0]!.toUpperCase() + form.slice(1) : form;
}
