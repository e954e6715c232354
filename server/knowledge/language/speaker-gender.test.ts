import { expect, test } from "vitest";
import { type SpeakerGender, speakerGender } from "./speaker-gender.ts";

test.each<[text: string, gender: SpeakerGender | null]>([
  ["я сделал", "male"],
  ["Я вчера отправила вам счёт", "female"],
  ["я бы хотела уточнить", "female"],
  ["я не смог", "male"],
  ["я шёл домой", "male"],
  ["забыла я совсем", "female"],
  ["сама я не местная", "female"],
  ["я пришла и сделала", "female"],
  ["я дела доделал", "male"],
  ["я купила стол", "female"],
  ["я согласна", "female"],
  ["я на неделе свободен", "male"],
  ["рада помочь!", "female"],
  ["не уверен", "male"],
  ["поняла, спасибо", "female"],
  ["отправил вам на почту", "male"],
])("«%s» is said by one who is %s", (text, gender) => {
  expect(speakerGender(text)).toBe(gender);
});

test.each([
  "я думаю, она пришла",
  "я думаю маша пришла",
  "я по поводу стола",
  "мама пришла",
  "пришла, забирайте",
  "готова, можете забирать",
  "поняла?",
  "прислала тебе Маша?",
  "мы сделали",
  "я ещё не успел(а)",
  "школа у нас хорошая, я рядом",
])("«%s» shows nothing, for another is the subject, or nobody", (text) => {
  expect(speakerGender(text)).toBeNull();
});

test.each([
  "«я сделала», написала мама",
  "она пишет: я пришла",
  "> я уже оплатила\nхорошо, жду",
  'ответила "я устала" и ушла',
])("the words of somebody else are not the author's: %s", (text) => {
  expect(speakerGender(text)).toBeNull();
});

test("a text of both genders shows neither", () => {
  expect(speakerGender("я сказал, а потом я сказала")).toBeNull();
});
