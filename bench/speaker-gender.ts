// Whether the gender of a writer is read right from his own words, on the speakers of Russian plays whose first names
// tell it (RusDraCor, CC0).
import { speakerGender } from "#server/knowledge/language/speaker-gender.ts";
import { readPlays } from "./material/public-data.ts";

const names = (text: string) => new Set(text.split(" "));
const FEMALE = names(
  "anna marija masha katja ekaterina sonja nina elena tatjana natalja olga varja varvara darja liza lizaveta praskovja agafja fekla pelageja nadezhda ljubov sofja aleksandra irina ljudmila mashenka dunjasha anja glafira larisa",
);
const MALE = names(
  "ivan petr nikolaj aleksej mihail andrej sergej pavel aleksandr dmitrij vasilij stepan grigorij semen fedor maksim boris viktor kirill gleb egor ilja jakov matvej foma osip",
);

const speakers = new Map<string, { name: string; female: number; male: number }>();
for (const { speaker, text } of readPlays()) {
  const name = speaker.replace(/^[^#]*#/, "").replace(/_.*/, "");
  if (!FEMALE.has(name) && !MALE.has(name)) continue;
  const counts = speakers.get(speaker) ?? { name, female: 0, male: 0 };
  speakers.set(speaker, counts);
  const gender = speakerGender(text);
  if (gender !== null) counts[gender]++;
}

let [right, wrong] = [0, 0];
const rows = [3, 5, 8].map((signs) => ({ signs, right: 0, wrong: 0, unknown: 0 }));
for (const { name, female, male } of speakers.values()) {
  const isFemale = FEMALE.has(name);
  right += isFemale ? female : male;
  wrong += isFemale ? male : female;
  for (const row of rows) {
    const most = Math.max(female, male);
    if (most < row.signs || most < 0.85 * (female + male)) row.unknown++;
    else if (female > male === isFemale) row.right++;
    else row.wrong++;
  }
}
console.log(`${speakers.size} speakers; single signs: ${right} right, ${wrong} wrong`);
console.table(rows);
