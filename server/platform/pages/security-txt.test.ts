import fastify from "fastify";
import { expect, test } from "vitest";
import { testApp } from "#server/test/test-app.ts";
import { mountSecurityTxt } from "./security-txt.ts";

const PATH = "/.well-known/security.txt";

const settings = (contact: string | null) => ({
  operator: contact === null ? null : { name: "ООО «Пример»", contact },
  publicUrl: "https://twins.example.ru",
});

/** Sends a request to the whole app and not only the route, because unknown paths are answered with the application's page. */
async function answer(contact: string | null) {
  const t = await testApp(settings(contact));
  try {
    return await t.anonymous.inject({ method: "GET", url: PATH });
  } finally {
    await t.close();
  }
}

async function routesAnswer(contact: string | null) {
  const app = fastify();
  mountSecurityTxt(app, settings(contact));
  return app.inject({ method: "GET", url: PATH });
}

const fieldsOf = (body: string) =>
  Object.fromEntries(
    body
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split(": ") as [string, string]),
  );

test("security.txt has the fields of RFC 9116, each once, and expires within a year", async () => {
  const { statusCode, headers, body } = await answer("privacy@example.ru");
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  const fields = fieldsOf(body);
  expect(fields).toEqual({
    Contact: "mailto:privacy@example.ru",
    Expires: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/),
    "Preferred-Languages": "ru, en",
    Canonical: `https://twins.example.ru${PATH}`,
  });
  const days = (Date.parse(fields.Expires!) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(100);
  expect(days).toBeLessThan(365);
  expect(body).toMatch(/^# Нашли уязвимость/);
  expect(body).toMatch(/^# Found a weakness/m);
});

test.each([
  ["Иван Петров <security@example.ru>, +7 495 000-00-00", "mailto:security@example.ru"],
  ["https://example.ru/contact (форма)", "https://example.ru/contact"],
])("of «%s» it names what can be opened", async (contact, uri) => {
  expect(fieldsOf((await routesAnswer(contact)).body).Contact).toBe(uri);
});

test.each(["Москва, Тверская, 1", "+7 495 000-00-00", "javascript:alert(1)"])(
  "there is none when the settings name no contact: %s",
  async (contact) => {
    expect((await routesAnswer(contact)).body).not.toContain("Contact:");
  },
);

test("without an operator the address is not found", async () => {
  expect((await answer(null)).statusCode).toBe(404);
});
