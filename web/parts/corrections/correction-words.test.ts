import { expect, test } from "vitest";
import { askedAlreadyInWords, sharedWithEveryoneText } from "./correction-words.ts";

const spaced = (text: string) => text.replaceAll("\u00a0", " ");

test.each([
  [undefined, ""],
  [0, ""],
  [1, "Пока об этом спросил один человек."],
  [2, "Об этом уже спрашивали: 2 человека."],
  [5, "Об этом уже спрашивали: 5 человек."],
  [21, "Об этом уже спрашивали: 21 человек."],
])("that %s people have asked the same is said in a number, never in names", (people, words) => {
  expect(spaced(askedAlreadyInWords(people))).toBe(words);
});

test("publishing says who gets the answer, also where no contact has asked yet", () => {
  expect(sharedWithEveryoneText("Ответить всем", 0)).toBe("Ответить всем: ответ увидят все, кто спросит похожее.");
});
