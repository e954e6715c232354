/** What stands on the pages of pages/, and how they were taken. */
export interface Page {
  /** Markup of the page. */
  body: string;
  /** What is to be read, in order. */
  text: string;
  /** Degrees. */
  turn: number;
  width: number;
  /** Pixels of the picture to one of the page. */
  scale: number;
  /** Of the JPEG, 1 to 100. */
  quality: number;
}

const rows = (lines: readonly (readonly [string, string])[]) =>
  lines.map(([what, price]) => `<div class="row"><span>${what}</span><span>${price}</span></div>`).join("");
const textOf = (lines: readonly (readonly [string, string])[]) => lines.map((line) => line.join(" ")).join("\n");

const PRICES = [
  ["Замена розетки", "450 руб."],
  ["Монтаж люстры", "1 200 руб."],
  ["Проводка, за метр", "180 руб."],
  ["Выезд мастера в выходной", "900 руб."],
  ["Щиток на 12 модулей", "5 600 руб."],
] as const;
const HOURS = "Работаем с 9 до 21 без выходных. Гарантия 12 месяцев.";

const BOUGHT = [
  ["Хлеб ржаной", "64.90"],
  ["Молоко 3,2% 1 л", "98.50"],
  ["Сыр российский 0,350", "287.00"],
  ["Яблоки 1,214 кг", "158.20"],
  ["ИТОГО", "608.60"],
] as const;

const CHAT = [
  ["Добрый день! Сколько стоит доставка до Химок?", false],
  ["Здравствуйте! Доставка 350 рублей, завтра с 10 до 18.", true],
  ["А можно оплатить картой при получении?", false],
  ["Да, курьер принимает карты. Номер заказа 48213.", true],
] as const;

export const PAGES: Record<"price-list" | "receipt" | "chat", Page> = {
  "price-list": {
    body: `<main><h1>Прайс-лист мастерской «Лампа»</h1>${rows(PRICES)}<p>${HOURS}</p></main>`,
    text: `Прайс-лист мастерской «Лампа»\n${textOf(PRICES)}\n${HOURS}`,
    ...{ turn: -1.4, width: 760, scale: 1.4, quality: 55 },
  },
  receipt: {
    body: `<main class="mono"><p>ООО «Ромашка» ИНН 7701234567</p><p>Кассовый чек № 0148 от 14.11.2026</p>${rows(BOUGHT)}<p>Спасибо за покупку!</p></main>`,
    text: `ООО «Ромашка» ИНН 7701234567\nКассовый чек № 0148 от 14.11.2026\n${textOf(BOUGHT)}\nСпасибо за покупку!`,
    ...{ turn: 1.8, width: 560, scale: 1.2, quality: 45 },
  },
  chat: {
    body: `<main>${CHAT.map(([said, mine]) => `<div class="bubble${mine ? " mine" : ""}">${said}</div>`).join("")}</main>`,
    text: CHAT.map(([said]) => said).join("\n"),
    // A small preview, as messengers make them.
    ...{ turn: 0.6, width: 700, scale: 0.6, quality: 60 },
  },
};
