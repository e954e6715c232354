/** Frequent Russian first names in all cases, for finding names written without a capital. */

const split = (text: string) => text.split(/\s+/);

/** Names without a form that is another word. */
const PLAIN = split(
  `александр алексей андрей анатолий антон артем артур богдан борис валерий василий виктор виталий владимир владислав вячеслав геннадий георгий григорий
  данил данила даниил денис дмитрий евгений егор иван игорь илья кирилл константин максим матвей михаил никита николай олег павел петр руслан сергей станислав степан
  тимур тимофей федор юрий ярослав саша леха леша алеша алена андрюха андрюша тоха толик толян вася вова володя гена гоша гриша даня димон дима женя ваня миша
  колян олежка паша петя рома серега сережа стас степа федя юра ярик саня санек макс славик костя костян ильюха антоха жека витя витек
  алина анастасия анна валентина валерия варвара вероника галина дарья екатерина елена елизавета жанна зоя ирина карина кристина ксения лариса людмила маргарита мария марина
  наталья наталия ольга полина светлана софья софия татьяна ульяна юлия яна аня анька настя настюха варя вика галя даша катя катюха лена ленка лиза ира ирка ксюша оксана лара
  люба люда рита маша машка мариша наташа наташка оля олька поля сонька таня танька ульяша юля юлька инна нина тамара раиса эльвира эльмира диана милана василиса`,
);
/** Names that are also ordinary words; recognised only with a capital letter. */
const DOUBTFUL = split("вера надежда любовь света слава надя роман марк лев майя рая роза лия вита лада мила соня");
/** Single forms of unambiguous names that are also ordinary words. */
const OTHER_WORDS = new Set(
  split(
    `рому ромом роме лени леной лене лари ларе ларой ларе гены генов гене гена геной поле поля полю полей поли вити вике люди люде любой любе любы любу любую паши паше пашу пети петь
    юре ире иры ирой олей вов данилой макса жеку жеке жеки стаса дане даней дани ринат`,
  ),
);

function forms(name: string): string[] {
  const last = name.at(-1)!;
  const stem = name.slice(0, -1);
  if (last === "а") return ["а", "ы", "и", "е", "у", "ой", "ою"].map((ending) => stem + ending);
  if (last === "я") return ["я", "и", "е", "ю", "ей"].map((ending) => stem + ending);
  if (last === "й") return ["й", "я", "ю", "ем", "е", "и"].map((ending) => stem + ending);
  if (last === "ь") return ["ь", "я", "ю", "ем", "е", "и", "ью"].map((ending) => stem + ending);
  return ["", "а", "у", "ом", "е"].map((ending) => name + ending);
}

const plain = new Set(
  [...PLAIN.flatMap(forms), "павла", "павлу", "павлом", "петра", "петру"].filter((form) => !OTHER_WORDS.has(form)),
);
const withCapital = new Set([...PLAIN, ...DOUBTFUL].flatMap(forms));

/** Whether a lower-case word (ё as е) is a first name; `capital`: whether the text has it with a capital. */
export function isFirstName(word: string, capital: boolean): boolean {
  return capital ? withCapital.has(word) : plain.has(word);
}
