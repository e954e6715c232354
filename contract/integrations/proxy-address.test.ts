import { expect, test } from "vitest";
import { proxyLabel, proxyTrouble, readProxy } from "./proxy-address.ts";

const SECRET = "00112233445566778899aabbccddeeff";

test.each([
  ["socks5://proxy.example.com:1080", { kind: "socks5", host: "proxy.example.com", port: 1080, user: null }],
  ["SOCKS5H://shop:word@proxy.example.com:1080/", { kind: "socks5", user: "shop", password: "word" }],
  ["socks5://shop:p@ss:w%2Frd@[2a02:6b8::1]:1080", { host: "2a02:6b8::1", user: "shop", password: "p@ss:w/rd" }],
  ["http://shop:100%@77.88.21.1:8080", { kind: "http", host: "77.88.21.1", password: "100%" }],
  ["https://прокси.рф:443", { kind: "https", host: "прокси.рф", port: 443 }],
  [
    `tg://proxy?server=mt.example.com&port=443&secret=${SECRET}`,
    { kind: "mtproxy", host: "mt.example.com", port: 443, secret: SECRET },
  ],
  [`https://t.me/proxy?server=mt.example.com&port=443&secret=dd${SECRET}`, { kind: "mtproxy", secret: `dd${SECRET}` }],
  [
    "t.me/proxy?port=443&server=a.example&secret=7gARIjNEVWZ3iJmqu8zd7v9leGFtcGxlLmNvbQ",
    { kind: "mtproxy", host: "a.example" },
  ],
  [
    "https://t.me/socks?server=1.2.3.4&port=1080&user=shop&pass=word",
    { kind: "socks5", user: "shop", password: "word" },
  ],
])("«%s» is read", (text, expected) => {
  expect(readProxy(text)).toEqual({ proxy: expect.objectContaining(expected) });
});

test.each([
  ["proxy.example.com:1080", "Начните с вида прокси"],
  ["socks4://proxy.example.com:1080", "SOCKS4 не подойдёт"],
  ["socks://proxy.example.com:1080", "Уточните вид"],
  ["vless://id@host:443?security=reality", "это VPN, а не прокси"],
  ["ftp://proxy.example.com:21", "не поддерживается"],
  ["socks5://proxy.example.com", "Укажите порт"],
  ["socks5://proxy.example.com:0", "число от 1 до 65535"],
  ["socks5://proxy.example.com:70000", "число от 1 до 65535"],
  ["socks5://1.2.3.4:1080:shop:word", "Запишите имя и пароль перед сервером"],
  ["socks5://shop@proxy.example.com:1080", "нужен пароль"],
  ["socks5://:word@proxy.example.com:1080", "нужно имя"],
  ["socks5://shop:word@proxy example.com:1080", "Уберите пробелы"],
  ["socks5://shop:word@-:1080", "опечатка"],
  ["socks5://", "Проверьте сервер прокси"],
  [`socks5://shop:${"w".repeat(256)}@proxy.example.com:1080`, "не длиннее 255"],
  ["http://sh%3Aop:word@proxy.example.com:1080", "недопустимые знаки"],
  ["http://shop:wo%0Ard@proxy.example.com:1080", "недопустимые знаки"],
  ["tg://proxy?server=mt.example.com&port=443", "нужны server, port и secret"],
  [`tg://proxy?server=mt.example.com&port=443&secret=${SECRET.slice(2)}`, "secret в ссылке неполный"],
  ["tg://proxy?server=mt.example.com&port=443&secret=<script>", "secret в ссылке неполный"],
])("«%s» is reported with what is wrong with it", (text, sentence) => {
  expect(readProxy(text).trouble).toContain(sentence);
});

test("an account takes SOCKS5 and MTProxy, everything else SOCKS5 and HTTP", () => {
  const mtproxy = `tg://proxy?server=mt.example.com&port=443&secret=${SECRET}`;
  expect(proxyTrouble(mtproxy, true)).toBeNull();
  expect(proxyTrouble(mtproxy)).toContain("только аккаунты Telegram");
  expect(proxyTrouble("http://a.example:80", true)).toBe("Для аккаунта Telegram нужен SOCKS5 или MTProxy");
  expect(proxyTrouble("http://a.example:80")).toBeNull();
});

test("its label names neither user, password nor secret", () => {
  const label = (text: string) => proxyLabel(readProxy(text).proxy!);
  expect(label("socks5://shop:word@proxy.example.com:1080")).toBe("SOCKS5 proxy.example.com:1080");
  expect(label(`tg://proxy?server=mt.example.com&port=443&secret=${SECRET}`)).toBe("MTProxy mt.example.com:443");
});
