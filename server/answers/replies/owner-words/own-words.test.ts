import { expect, test } from "vitest";
import { type FriendlyKind, friendlyKind } from "./own-words.ts";

test.each<[FriendlyKind, string[]]>([
  ["sympathy", ["держись, всё будет хорошо", "ох, бедная ты", "Сочувствую, правда.", "обнимаю крепко"]],
  ["joy", ["урааа поздравляю", "Так держать, молодец!", "я так рада за тебя"]],
  ["laughter", ["ахахаха", "ору", "смешно))"]],
  ["surprise", ["да ладно!!", "Ничего себе.", "вот это поворот", "Серьёзно?"]],
  ["peace", ["прости, не злись", "Не обижайся."]],
  ["later", ["надо подумать", "Ближе к делу спишемся.", "напишу попозже))", "не обещаю, отпишусь"]],
  ["ask", ["что случилось?", "рассказывай!!", "и как?"]],
  ["thanks", ["спасибо большое!"]],
])("a line of nothing but such words may be said again: %s", (kind, lines) => {
  for (const line of lines) expect([line, friendlyKind(line)]).toEqual([line, kind]);
});

test.each([
  ["agrees or promises", ["давай", "обещаю", "хорошо, приду", "договорились", "напишу в пятницу", "ладно"]],
  ["states something", ["работаю на даче", "у меня температура", "кот у мамы", "Виноват, был на объекте"]],
  ["names somebody or something", ["поздравляю Аню", "держись, Дим", "обними маму", "сочувствую насчёт машины"]],
  ["is half a word", ["ну", "и", "да", "потом", "ой"]],
  ["says that a human writes", ["правда, я живой человек"]],
])("a line that %s is never said again", (_, lines) => {
  for (const line of lines) expect([line, friendlyKind(line)]).toEqual([line, null]);
});
