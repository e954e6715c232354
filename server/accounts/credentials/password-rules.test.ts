import { expect, test } from "vitest";
import { startCpuTime } from "#server/test/cpu-time.ts";
import { requireGoodPassword } from "./password-rules.ts";

const ANNA = { email: "anna.petrova@romashka.ru", firstName: "Анна", lastName: "Петрова" };
/** Returns the sentence for the form's field; "" for an accepted password. */
async function said(password: string, owner = ANNA): Promise<string> {
  try {
    await requireGoodPassword(password, owner);
    return "";
  } catch (error) {
    return (error as { fields: { password: string } }).fields.password;
  }
}

test.each([
  "password",
  "Password1!",
  "P@ssw0rd2024",
  "12345678",
  "87654321",
  "qwertyui",
  "йцукенгш",
  "ЙЦУКЕН123",
  "qwerty12345",
  "пароль123",
  "Пароль2026!",
  "gfhjkm123",
  "parolparol",
  "любовь2020",
  "k.,jdm2020",
  "sunshine",
  "!Marina1987",
  "aaaaaaaa",
  "abababab",
  "abcdefgh",
  "абвгдежз",
  "1qaz2wsx",
  "zaq12wsx",
  "ｐａｓｓｗｏｒｄ",
  "pass-word",
])("«%s» is refused: it is among the first that are tried", async (password) => {
  expect(await said(password)).toContain("подберут одним из первых");
});

test.each([
  "anna.petrova@romashka.ru",
  "annapetrova",
  "AnnaPetrova2024",
  "petrova_anna",
  "Анна Петрова",
  "петрова123",
  "romashka1",
  "цифровые двойники",
  "Digital-Twins1",
  "двойник2026",
])("«%s» is refused: it is the person's own or the product's name", async (password) => {
  expect(await said(password)).toContain("ваш email, имя или название");
});

test.each([
  "copper and patina",
  "длинный пароль 1",
  "четыре сойки у окна",
  "kX9#mQ2v",
  "анна любит кофе по утрам",
  "7194028365110",
])("«%s» is taken: nothing is asked of its composition", async (password) => {
  expect(await said(password)).toBe("");
});

test("a user without a name or an e-mail may choose any password that is not common", async () => {
  await expect(requireGoodPassword("длинный пароль 1", {})).resolves.toBeUndefined();
  await expect(
    requireGoodPassword("длинный пароль 1", { email: null, firstName: "", lastName: "А" }),
  ).resolves.toBeUndefined();
});

test("the longest password is checked at once, whatever it consists of", async () => {
  await said("x");
  for (const unit of ["a", "ab", "1", "@1", "йц", " .", "anna", "é\u0301"]) {
    const cpuMs = startCpuTime();
    await said(unit.repeat(256).slice(0, 256));
    expect(cpuMs(), unit).toBeLessThan(100);
  }
});
