import { expect, test } from "vitest";
import { type EverydayAct, everydayAct } from "./everyday.ts";

test.each<[EverydayAct, string[]]>([
  ["plan", ["поехали в лес в субботу", "придёшь к нам на ужин?", "Может, в театр сходим?", "го в бассейн"]],
  [
    "favour",
    ["займи до пятницы", "поможешь мне с переездом?", "Скинь, пожалуйста, ту статью", "заберёшь посылку на почте?"],
  ],
  ["aboutOwner", ["что делаешь?", "ты где?", "Как прошёл отпуск?"]],
  ["grief", ["мне сегодня очень плохо", "Бабушка в больнице", "не сплю вторую ночь", "у меня опять не взяли статью"]],
  ["reproach", ["ты опять меня не слышишь", "мне обидно, что ты забыл", "Мог бы и предупредить"]],
  ["congratulation", ["с днём рождения!", "Поздравляю тебя с защитой", "с новым годом, дорогой"]],
  ["joke", ["ахахаха кот упал с дивана", "я сегодня гений 😂"]],
  ["news", ["прикинь, Колька развёлся", "Знаешь, кто приехал? Серый!", "говорят, школу закрывают"]],
  ["joy", ["я сдала экзамен", "мы купили дом!", "сына приняли в школу"]],
  ["question", ["какой фильм лучше?", "Почему небо синее?"]],
  ["telling", ["еду в автобусе", "сосед красит забор"]],
])("a friend's message is classified by its form: %s", (act, messages) => {
  for (const message of messages) expect([message, everydayAct(message)]).toEqual([message, act]);
});

test("failed plans and sad news are not met with joy", () => {
  for (const message of ["не сдала экзамен", "так и не купили дом", "купила машину и разбила", "наконец-то я заболел"])
    expect([message, everydayAct(message) === "joy"]).toEqual([message, false]);
});
