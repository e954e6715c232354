import { expect, test } from "vitest";
import { guardOutput, outputGuard } from "./guard-output.ts";

const SOURCES = [
  "Прайс: https://shop.example/price?id=1 и сайт example.ru. Пишите anna@shop.example или @anna_shop, ещё есть пример.рф",
];
/** Returns what the guard leaves between the two words, reduced to letters and digits. */
const leftOf = (address: string) =>
  guardOutput(`Смотри ${address} там`, SOURCES)
    .replace(/^Смотри/, "")
    .replace(/там$/, "")
    .trim();

const HOSTS = `evil.com EVIL.COM Evil.Com evil.pizza evil.xn--p1ai xn--80ak6aa92e.com злой.рф злой.москва evil.co.uk a.b.c.evil.dev
  sub_domain.evil.io evil.zip ftp.evil.net münchen.de 例子.中国 t.me/evil evil.com:8080 evil.com/path?q=секрет evil.com#x evil.com.
  (evil.com) «evil.com» *evil.com* \`evil.com\` evil.com,evil.org да.нет/путь злой.рф/путь shop.example/other
  https://shop.example/price?id=2 localhost:3000`;
const SCHEMES = `https://evil.com hxxp://evil.com hxxps://evil[.]com HtTp://EvIl.com //evil.com/x http:\\\\evil.com \\\\evil.com\\share
  smb://evil file:///etc/passwd tg://resolve?domain=evil tg:resolve mailto:x@evil.com tel:+79991234567 whatsapp://send?x viber://x
  data:text/html,x <https://evil.com>`;
const NUMBERS = `1.2.3.4 http://2130706433/ 0x7f.0.0.1 0177.0.0.01 0x7f000001.com 2001:db8::1 fe80::1 [::1] 127.1:8080/x`;
const PEOPLE = `user@evil.com user@localhost user:pass@evil.com root@1.2.3.4 @evil_bot1`;
const DISGUISED = [
  "evil[.]com",
  "evil(dot)com",
  "evil (точка) com",
  "evil точка ру",
  "evil dot com",
  "evil。com",
  "evil．com",
  "evil｡com",
  "ｅｖｉｌ.com",
  "evil․com",
  "𝐞𝐯𝐢𝐥.com",
  "ev\u200bil.com",
  "evil\ufeff.com",
  "evil.c\u00adom",
  "ev<b></b>il.com",
];
const FORMS = [...`${HOSTS} ${SCHEMES} ${NUMBERS} ${PEOPLE}`.split(/\s+/), ...DISGUISED];

test("the table of forms is no small one", () => expect(FORMS.length).toBeGreaterThanOrEqual(70));

test.each(FORMS)("%s is removed where no source holds it", (form) => {
  expect(leftOf(form)).not.toMatch(/[\p{L}\p{N}]/u);
  const cut = outputGuard(SOURCES);
  const pieces = [...`Смотри ${form} там`].map((char) => cut.push(char)).join("") + cut.end();
  expect(pieces).toBe(guardOutput(`Смотри ${form} там`, SOURCES));
});

test.each([
  ["[прайс](http://evil.com)", "прайс"],
  ["[прайс](//evil.com)", "прайс"],
  ["[прайс](https://shop.example/price?id=1)", "прайс (https://shop.example/price?id=1)"],
  ["![кот](https://evil.com/a.png)", ""],
  ["<a href='https://evil.com'>сюда</a>", "сюда"],
])("%s says %j", (link, said) => expect(leftOf(link)).toBe(said));

test.each(
  "example.ru EXAMPLE.RU https://example.ru/ shop.example https://shop.example/price?id=1. anna@shop.example @anna_shop пример.рф".split(
    " ",
  ),
)("%s, which a source holds, is said again", (form) => expect(leftOf(form)).toBe(form));

test.each([
  "т.е. и т.д., и т.п., и др.",
  "Версия v1.2.3, потом 1.2.3.",
  "10.05.2026 в 12:30:45, с 9:00 до 18:00",
  "файл.pdf и прайс.xlsx лежат в почте",
  "Посмотри Xorg.0.log и /etc/lightdm/lightdm.conf",
  "Пишем на Node.js и C++, std::vector",
  "и.о. директора, кв.м, руб./шт., 2.5кг, 2,5 кг, 10.000 р.",
  "А.С. Пушкин, ул. Мира, д.5, п.1.2",
  "Цена:300, ID:12345, PS:потом, 24/7, и/или, 20%",
  "+7 999 123-45-67, №5, 25°C, ну...да, да…нет",
  "a.m. и p.m., e.g. this, i.e. that, Ph.D.",
  "Пишите @Ивану, 5@ не адрес",
])("ordinary text stays as it is: %s", (text) => expect(guardOutput(text, [])).toBe(text));

test.each([
  ["да.Привет", "да. Привет"],
  ["Готово.Пишите завтра", "Готово. Пишите завтра"],
  ["г.Москва, ул.Мира", "г. Москва, ул. Мира"],
  ["done.Next step", "done. Next step"],
])("a full stop without its space gets one, and is no address then: %s", (text, expected) => {
  expect(guardOutput(text, [])).toBe(expected);
});
