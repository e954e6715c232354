/** Which of a twin's tools a message asks for without a model, whatever the order in which they were made. */
import { describe, expect, test } from "vitest";
import type { ToolField } from "#contract/actions/tool-settings.ts";
import type { ToolRow } from "#server/platform/db/schema/tools.ts";
import { askedTools, chooseForm, recognisedExample, takenExamples } from "./forms.ts";

type Row = Pick<ToolRow, "title" | "settings" | "examples" | "changes" | "proof">;

const field = (label: string, name = "number"): ToolField => ({
  ...{ name, label, type: "text", required: true, description: "", choices: [] },
});
const proof = { everybody: true, channelPhone: null, asked: [] };

const call = (title: string, changes: boolean, examples: string[], fields = [field("Номер")]): Row => ({
  ...{ title, changes, examples, proof },
  settings: {
    ...{ kind: "http", method: changes ? "PUT" : "GET", url: "https://shop.example/a", fields, headers: [] },
    ...{ resultPath: "", shown: [], idempotent: false },
  },
});
const read = (title: string, ...examples: string[]) => call(title, false, examples);
const change = (title: string, ...examples: string[]) => call(title, true, examples);
const table = (title: string, ...examples: string[]): Row => ({
  ...{ title, changes: false, examples, proof },
  settings: { kind: "table", tableId: "1", keyColumn: "Номер", shown: ["Статус"] },
});
const question = (title: string, ...examples: string[]): Row => ({
  ...{ title, changes: false, examples, proof },
  settings: { kind: "question", fields: [field("Номер")], question: "Можно?" },
});

/** The title of the tool that is called; null: none. The same in each order. */
function called(tools: readonly Row[], message: string): string | null {
  const titles = [tools, tools.toReversed(), [...tools.slice(1), tools[0]!]].map(
    (ordered) => chooseForm(ordered, message)?.tool.title ?? null,
  );
  expect(new Set(titles).size).toBe(1);
  return titles[0]!;
}

const SHOP = [
  table("Статус", "что с заказом № 77-12", "где мой заказ 41915", "статус заказа 1042"),
  read("Состав", "что в заказе 1042", "состав заказа 1042"),
  change("Новый адрес", "поменять адрес заказа 1042 на новый", "поменять адрес у заказа 1042", "сменить адрес 1042"),
  question("Можно ли сменить адрес", "можно поменять адрес у заказа 1042?", "можно сменить адрес доставки 1042"),
  change("Отмена", "отменить заказ 1042", "отмените мой заказ 1042"),
];
const CLINIC = [
  read("Готовность анализов", "готовы ли анализы по заявке 512", "анализы готовы 512"),
  read("Цена анализов", "сколько стоят анализы по коду 512", "цена анализов 512"),
  question("Расшифровка", "что значат анализы по заявке 512", "расшифруйте анализы 512"),
  change("Перенос приёма", "перенесите приём 512", "перенести запись на приём 512"),
  change("Отмена приёма", "отмените приём 512", "отменить запись на приём 512"),
  read("Приём", "приём 512", "когда мой приём 512"),
];
const SERVICE = [
  read("Мастер едет", "где мастер по заявке 7", "мастер по заявке 7"),
  read("Мастер по имени", "какой мастер по заявке 7"),
  read("Туда", "билет Москва Тверь на поезд 7"),
  read("Обратно", "билет Тверь Москва на поезд 7"),
  read("Без сборки", "доставка без сборки 7"),
  read("Без доставки", "сборка без доставки 7"),
];

describe.each([
  ["a shop", SHOP],
  ["a clinic", CLINIC],
  ["a service", SERVICE],
])("of %s", (_, tools) => {
  test.each(tools.flatMap(({ title, examples }) => examples.map((example) => [example, title])))(
    "the example «%s» calls its own tool, with another number and courtesy as well",
    (example, title) => {
      const courteous = `Здравствуйте! ${example.replace(/\d[\d-]*/, "9001")}, пожалуйста`;
      expect([called(tools, example), called(tools, courteous)]).toEqual([title, title]);
    },
  );
});

test.each([
  [SHOP, "А что там в моём заказе 1042?", "Состав"],
  [SHOP, "Скажите, что всё-таки с заказом 1042", "Статус"],
  [SHOP, "Напомните состав моего заказа 1042", "Состав"],
  [SHOP, "где сейчас заказ 1042, мой, вчерашний", "Статус"],
  [SHOP, "А можно ли поменять адрес у моего заказа 1042?", "Можно ли сменить адрес"],
  [SHOP, "отмените уже наконец этот мой заказ 1042", "Отмена"],
  [CLINIC, "Девочки, анализы готовы уже по моей заявке 512?", "Готовность анализов"],
  [CLINIC, "сколько у вас стоят эти анализы по коду 512", "Цена анализов"],
  [CLINIC, "расшифруйте мне анализы крови 512", "Расшифровка"],
  [CLINIC, "когда у меня приём 512?", "Приём"],
  [SERVICE, "Ну и где же наш мастер по заявке 7?", "Мастер едет"],
  [SERVICE, "какой у нас мастер по заявке 7", "Мастер по имени"],
  [SERVICE, "нужен билет Тверь Москва на ночной поезд 7", "Обратно"],
  [SERVICE, "интересует сборка, но без доставки 7", "Без доставки"],
])("%#: in other words the nearest form wins: «%s» asks for %s", (tools, message, title) => {
  expect(called(tools as Row[], message as string)).toBe(title);
});

test.each([
  ["equally near to two", SHOP, "Что с заказом 1042 и что в заказе 1042?"],
  ["a change in other words, where a read is asked for as well", CLINIC, "отмените, наверное, мой приём 512"],
  ["neither", SHOP, "сколько стоит доставка 1042"],
])("nothing is called for what is %s", (_, tools, message) => {
  expect(called(tools, message)).toBeNull();
});

test("a tool that only a model can call keeps its own words from the others", () => {
  const booking = call(
    "Запись",
    true,
    ["запишите на приём на завтра на 15:00"],
    [field("Дата", "a"), field("Час", "b")],
  );
  const tools = [...CLINIC, booking];
  const message = "запишите на приём на завтра на 10:00";
  expect(called(tools, message)).toBeNull();
  expect(askedTools(tools, message)).toEqual([booking]);
});

test("the same words in two tools call neither, and each names the other", () => {
  const [status, twin] = [
    read("Статус", "где мой заказ 1042"),
    read("Доставка", "Где мой заказ № 77-12?", "доставка 5"),
  ];
  expect(called([status, twin], "где мой заказ 5")).toBeNull();
  expect(takenExamples(status, [twin])).toEqual([{ example: "где мой заказ 1042", by: ["Доставка"] }]);
  expect(takenExamples(twin, [status])).toEqual([{ example: "Где мой заказ № 77-12?", by: ["Статус"] }]);
  expect([recognisedExample(status, [twin]), recognisedExample(twin, [status])]).toEqual([null, "доставка 5"]);
  const others = (tool: Row) => SHOP.filter((other) => other !== tool);
  expect(SHOP.flatMap((tool) => takenExamples(tool, others(tool)))).toEqual([]);
  expect(SHOP.map((tool) => recognisedExample(tool, others(tool)))).toEqual(SHOP.map(({ examples }) => examples[0]));
});
