import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Mailbox, openMailbox } from "#server/test/sign-in/mailbox.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let mailbox: Mailbox;
beforeAll(async () => {
  t = await testApp({ superAdminEmail: "chief@example.test" });
  mailbox = openMailbox(t.services);
});
afterAll(() => t.close());

const letter = { name: "Вера", email: "vera@example.test", message: "Нужны двойники для трёх отделов" };

describe("a message of a visitor", () => {
  test("is sent to the administrator, regardless of the sender", async () => {
    const answer = await t.anonymous.post("/api/contact", letter);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ success: true, letter: "mail" });
    expect(await mailbox.letterTo("chief@example.test")).toEqual({
      to: "chief@example.test",
      subject: "Обращение с сайта",
      text: "Имя: Вера\nEmail: vera@example.test\n\nНужны двойники для трёх отделов\n",
    });
  });

  test("cannot forge email headers with a name of several lines", async () => {
    await t.anonymous.post("/api/contact", { ...letter, name: "Вера\nEmail: boss@example.test" });
    const { text } = await mailbox.letterTo("chief@example.test");
    expect(text.split("\n").slice(0, 2)).toEqual(["Имя: Вера Email: boss@example.test", "Email: vera@example.test"]);
  });

  test("that is incomplete is refused with an error for each field", async () => {
    const answer = await t.anonymous.post("/api/contact", { name: " ", email: "vera", message: "коротко" });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().fields).toEqual({
      name: "Укажите имя",
      email: "Введите корректный email",
      message: "Расскажите о задаче: минимум 10 символов",
    });
  });

  test("that the mail server refuses is not reported as sent", async () => {
    const { mailer } = t.services;
    t.services.mailer = { way: "mail", send: () => Promise.reject(new Error("552 mailbox full")) };
    const answer = await t.anonymous.post("/api/contact", letter);
    expect(answer.statusCode).toBe(502);
    expect(answer.json().message).toBe("Письмо сейчас отправить нельзя. Попробуйте позже.");
    t.services.mailer = mailer;
  });
});

test("without an administrator's address it goes to the platform's own sender address", async () => {
  const plain = await testApp({ mailFrom: "Двойники <team@example.test>" });
  const box = openMailbox(plain.services);
  await plain.anonymous.post("/api/contact", letter);
  expect(await box.letterTo("team@example.test")).toBeDefined();
  await plain.close();
});
