/**
 * A local Telegram as a process of its own, for browser tests: one account with a password and some dialogs. The first page of the history is
 * held back until a line arrives on stdin. Prints its address as a line of JSON and ends when stdin ends.
 */
import { createInterface } from "node:readline";
import {
  API_HASH,
  LOGIN_CODE,
  startTelegramAccountServer,
} from "#packages/mtproto-test-server/telegram-account-server.ts";

const telegram = await startTelegramAccountServer();
const account = telegram.person("79004440001", { name: "Вера", password: "облачный пароль" });
const talk = (about: string) => [
  `Здравствуйте! ${about}: подскажете?`,
  "Добрый день! Конечно, подскажу :)",
  "А сколько это стоит?",
  "Триста рублей, привезём завтра.",
];
["Иван", "Олег", "Мария"].forEach((name, place) => {
  telegram.addDialog(account, 501 + place, name, [...talk("Доставка"), ...talk("Возврат")]);
});
telegram.addDialog(account, 900, "Чат дома", talk("Уборка"), "group");
const release = telegram.hold("messages.getHistory");
const { address, publicKey } = telegram;
const login = { phoneNumber: `+${account.phone}`, password: account.password, apiHash: API_HASH, code: LOGIN_CODE };
process.stdout.write(`${JSON.stringify({ address, publicKey, login })}\n`);
for await (const _line of createInterface({ input: process.stdin })) release();
await telegram.close();
process.exit(0);
