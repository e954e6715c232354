/** Addresses written apart, and platform-specific notations of links and mentions. */
import { describe, expect, test } from "vitest";
import { guardOutput, outputGuard } from "./guard-output.ts";

const SOURCES = [
  "Наша группа: [club77|Лавка], пишите @shop_helper или *id42 (Анне). Сайт shop.example, канал https://t.me/lavka",
  "Мы ВКонтакте: vk.com/lavka_chai",
];

/** Returns the shown text; letter by letter it must be the same as in one piece. */
function shown(text: string): string {
  const guard = outputGuard(SOURCES);
  const streamed = [...text].map((char) => guard.push(char)).join("") + guard.end();
  expect(streamed).toBe(guardOutput(text, SOURCES));
  return streamed;
}

const APART = `evil-shop . com
evil-shop .com
evil-shop. com
EVIL-SHOP . COM
evil-shop [точка] com
evil-shop [.] com
evil-shop ( . ) com
evil-shop { dot } com
evil-shop(.)com
evil-shop точка com
evil shop точка ком
evil-shop точка ру
evil-shop dot com
evil точка shop
злой-магазин точка рф
злой-магазин . рф
злой-магазин. рф
магазин . com
evil-shop . co . uk
www . evil-shop . com
evil-shop.co . uk
t . me / evil
t . me/evil
t. me / evil
vk . com / evil
vk.cc / evil
vk . cc / evil
wa . me / 79991234567
evil-shop．com
evil-shop ． com
evil-shop。com
evil-shop ｡ com
evil-shop․com
evil-shop﹒com
evil-shop·com
evil-shop • com
evil-shop∙com
evil-shop \u200b.\u200b com
evil-shop\u2060.\u2060com
evil-shop\u00a0.\u00a0com
evil\u00ad-shop . com
еvil-shop.com
evil-shop.соm
evil-shop.сом
evil-shop . сом
evil-shop . xn--p1ai
xn--e1awg7f . com
185 . 12 . 33 . 4
185. 12. 33. 4
185.12.33.4
185.12.33.4:8080/x
185 [.] 12 [.] 33 [.] 4
[2001:db8::1]
hxxp://evil-shop.com
hxxps : // evil-shop . com
http : // evil-shop . com / x
h\u200bttps://evil-shop.com
evil-shop . com / path ? q=1
evil_bot@mail . com
ivan собака mail точка ру
evil-shop . store
evil_._com
evil**.**com
evil\`.\`ru
evil-shop . wtf`.split("\n");

test.each(APART)("an address that is written apart is removed where no source holds it: %j", (form) => {
  const left = shown(`Смотри ${form} там`);
  expect(left).toMatch(/^Смотри .*там$/u);
  expect(left).not.toMatch(/com|сом|соm|\bме?e?\b|рф|ру\b|ком\b|\bcc\b|\buk\b|store|wtf|xn--|\d{2,3}\D{1,5}\d{2,3}/iu);
});

test.each(["shop . example", "shop [точка] example", "t . me / lavka", "shop.example"])(
  "an address that a source holds may be said however it is written: %s",
  (form) => expect(shown(`Смотри ${form} там`)).toBe(`Смотри ${form} там`),
);

describe("a notation of a platform", () => {
  test.each([
    // VK
    ["Пишите [club500|нашей группе] сюда", "Пишите нашей группе сюда"],
    ["Пишите [id1|Анне] сюда", "Пишите Анне сюда"],
    ["Пишите [public9|сюда], [event3|там]", "Пишите сюда, там"],
    ["Пишите [https://vk.com/evil|нам] сюда", "Пишите нам сюда"],
    ["Пишите [https://evil.com/?q=1|нам] сюда", "Пишите нам сюда"],
    ["Пишите [vk.cc/abc|нам] сюда", "Пишите нам сюда"],
    ["Пишите [evil_shop|нам] сюда", "Пишите нам сюда"],
    ["Пишите [evilshop|нам] сюда", "Пишите [evilshop | нам] сюда"],
    [`Пишите [id1|${"нам ".repeat(100)}] сюда`, `Пишите [${"нам ".repeat(100)}] сюда`],
    ["Пишите [id1|[нам]\nсюда]", "Пишите [[нам]\nсюда]"],
    ["Пишите @club500 (нашей группе) сюда", "Пишите (нашей группе) сюда"],
    ["Пишите @id1 сюда", "Пишите сюда"],
    ["Пишите *id1 (Анне) сюда", "Пишите (Анне) сюда"],
    ["Пишите *club500 сюда", "Пишите сюда"],
    ["Пишите *evil_shop (нам) сюда", "Пишите evil_shop (нам) сюда"],
    ["Пишите (*id1 (Анне)) сюда", "Пишите ( (Анне)) сюда"],
    // Slack
    ["Пишите <https://evil.com/x|нам> сюда", "Пишите нам сюда"],
    ["Пишите <https://evil.com/x|нам в чат> сюда", "Пишите нам в чат сюда"],
    ["Пишите <mailto:a@evil.com|нам> сюда", "Пишите нам сюда"],
    ["Пишите <@U1> сюда", "Пишите сюда"],
    ["Пишите <@U012AB3CD|ivan> сюда", "Пишите ivan сюда"],
    ["Всем <!channel> и <!here> привет", "Всем и привет"],
    ["Всем <!subteam^S1|отделу> привет", "Всем отделу привет"],
    ["В <#C1|общем> и <#C2> канале", "В общем и канале"],
    // Discord
    ["Пишите <@1> и <@!1>, <@&2> сюда", "Пишите и , сюда"],
    ["В канале <#1> и <id:customize>", "В канале и"],
    ["Всем @everyone и @here привет", "Всем и привет"],
    ["Жми [сюда](https://evil.com)", "Жми сюда"],
    ["Жми [сюда](<https://evil.com>)", "Жми сюда"],
    // Telegram, WhatsApp, mail, HTML
    ["Жми tg://resolve?domain=evil там", "Жми там"],
    ["Жми [сюда](tg://user?id=1) там", "Жми сюда там"],
    ["Жми <a href='tg://user?id=1'>сюда</a> там", "Жми сюда там"],
    ["Жми https://wa.me/79991234567?text=x там", "Жми там"],
    ["Пиши mailto:evil@evil.com там", "Пиши там"],
    ["Пиши ..@evil_bot там", "Пиши .. там"],
    ["Пиши /@evil_bot там", "Пиши там"],
    ["Пиши @@evil_bot там", "Пиши там"],
  ])("of nobody whom a source names loses its target: %s", (text, expected) => expect(shown(text)).toBe(expected));

  test.each([
    "Пишите [club77|Лавке] сюда",
    "Пишите @club77 (в Лавку) сюда",
    "Пишите *id42 (Анне) сюда",
    "Пишите @shop_helper сюда",
    "Пишите @lavka_chai сюда",
    "Пишите [lavka_chai|Лавке] сюда",
    "Канал https://t.me/lavka ждёт",
  ])("that a source holds is said: %s", (text) => expect(shown(text)).toBe(text));
});

test("an address that is taken out leaves the rest of its sentence as it was", () => {
  expect(shown("Смотри evil-shop . com или 1 . 5 кг, точка зрения своя.")).toBe(
    "Смотри или 1 . 5 кг, точка зрения своя.",
  );
});
