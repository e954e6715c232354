/**
 * Words that are misspelt whatever was meant: the usual mistakes of Russian and English, by list and by the rules that have no
 * exception. No dictionary: a word that it lacks is a name, a term or slang more often than a mistake.
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

/** «жы», «чя» and the like; «знаеш» of the second person. */
const NEVER = /[жш]ы|[чщ][яю]|[аяую]еш$/u;
/** «буду готовится»: behind these a verb stands in the infinitive. */
const INFINITIVE_FOLLOWS = words("надо нужно буду будет будем будут будешь будете хочу хочет хотим пора нельзя");
/** «надо, кажется, идти» */
const PUT_IN = words("кажется получается думается помнится");

/** The misspelt ones of a text's words, as `wordsOf` gives them. */
export function misspellingsIn(words: readonly string[]): string[] {
  return words.filter(
    (word, at) =>
      MISSPELT.has(word) ||
      NEVER.test(word) ||
      (word.endsWith("тся") && INFINITIVE_FOLLOWS.has(words[at - 1] ?? "") && !PUT_IN.has(word)),
  );
}

/** «*привет», «привет*»: the owner mends the message before. */
export const mends = (text: string): boolean => /^(?:\*\s?[^*\n]{2,40}|[^*\n]{2,40}\s?\*)$/u.test(text);
