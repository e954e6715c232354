/**
 * Finds unambiguous misspellings: common mistakes in Russian and English, by lists and by rules without exceptions. There is no
 * dictionary, because a word missing from one is more often a name, a term or slang than a mistake.
 */
const words = (text: string) => new Set(text.trim().split(/\s+/));

const MISSPELT = words(`
  незнаю нехочу немогу неможет небуду небудет небыло нехочет непонял непоняла непонимаю непомню неполучается неполучилось
  неработает неуспел неуспела неуспеваю незабудь непойду неприду незабыл незабыла нестоит невидел невидела недумаю нетак
  вобщем вообщем впринципе вкурсе всмысле потомучто врятли всетаки всеравно тоесть изза изпод помоему потвоему
  както чтото ктото гдето какойто какаято какието почемуто когдато зачемто кудато чтонибудь ктонибудь какнибудь гденибудь когданибудь
  извени извените извеняюсь извеняй здраствуйте здраствуй здравствуте спосибо спасиба пожалуйсто пожайлуста досвидание
  сдесь зделать зделаю зделал зделала зделаем зделали зделано здать здал здала здадим агенство програма програмист
  колличество расчитать расчитывать расчитываю росписание чуство чуствую учавствовать учавствую будующий будующем будующее следущий
  следущая следущую следущей следущем координально симпотичный прийдти прийду прийдет прийдешь сонце оффис всвязи
  шол пошол пришол ушол нашол зашол подошол жолтый чорный чорт девченка девченки мущина мущины щастье
  подьезд подьезде подьеду подьедет подьехал подьехала обьявление обьяснить обьясни обьясню обьясните обьект обьем обьеме сьездить сьезжу
  сьездил сьездили сьесть сьел сьела субьект имено ввиде наконецто тысечи скажеш напишеш пишеш хочеш можеш сможеш едеш идеш
  придеш приедеш видиш слышиш говориш помниш любиш смотриш пойдеш найдеш возьмеш позвониш успееш
  teh hte adn taht thier recieve recieved wierd untill tommorow tommorrow tomorow occured becuase becasue freind beleive belive
  neccessary neccesary seperate seperately definately definatly definitly alot wich sence goverment noone succesful successfull
  dont doesnt didnt isnt wasnt arent werent havent hasnt hadnt wouldnt couldnt shouldnt youre theyre thats whats`);

/** Texts without any of these need no check word by word. */
const SUSPICIOUS = /[жш]ы|[чщ][яю]|[аяую]еш|тся/iu;
/** Impossible letter pairs such as «жы», «чя», and second-person verbs without «ь» («знаеш»). */
const NEVER = /[жш]ы|[чщ][яю]|[аяую]еш$/u;
/** Words followed by an infinitive, so that «буду готовится» is a mistake. */
const INFINITIVE_FOLLOWS = words("надо нужно буду будет будем будут будешь будете хочу хочет хотим пора нельзя");
/** Parenthetical words after them: «надо, кажется, идти». */
const PUT_IN = words("кажется получается думается помнится");

/** @param words of the text, as returned by `wordsOf` */
export function misspellingsIn(text: string, words: readonly string[]): string[] {
  const suspicious = SUSPICIOUS.test(text);
  return words.filter((word, at) => MISSPELT.has(word) || (suspicious && breaksRule(word, words[at - 1] ?? "", text)));
}

const breaksRule = (word: string, before: string, text: string) =>
  NEVER.test(word) ||
  (word.endsWith("тся") &&
    INFINITIVE_FOLLOWS.has(before) &&
    !PUT_IN.has(word) &&
    // Adjacent words only: «Надо! Разумеется» is two sentences.
    text.toLowerCase().replaceAll("ё", "е").includes(`${before} ${word}`));

/** Whether the message only corrects the owner's previous one: «*привет», «привет*». */
export const isSelfCorrection = (text: string): boolean =>
  text.includes("*") && /^(?:\*\s?[\p{L}][\p{L}\p{N}\s'’,-]{1,39}|[\p{L}][\p{L}\p{N}\s'’,-]{1,39}\*)$/u.test(text);
