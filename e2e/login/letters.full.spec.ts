// Registering, confirming an address and replacing a forgotten password, by the links of letters on the real server.
// What letters.spec.ts leaves to test:full.
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectDashboard, signIn } from "../support/sign-in-form.ts";
import { expectWholeToast } from "../support/toast.ts";
import { linkInLog, unconfirmedAccount } from "./accounts.ts";

test("another confirmation letter is requested, and the page says where it went", async ({ page, request }) => {
  const email = await unconfirmedAccount(request);
  await page.goto("/login");
  await signIn(page, email);
  await page.getByRole("button", { name: `Меню пользователя: ${email}` }).click();
  await page.getByRole("menuitem", { name: "Подтвердить email" }).click();
  await expect(page).toHaveURL("/confirm-email");
  await expect(page.getByText(`Адрес ${email} ещё не подтверждён`)).toBeVisible();
  await expectAccessibleCrosswise(page, "an address that waits for its confirmation");

  const resend = page.getByRole("button", { name: "Отправить письмо ещё раз" });
  await resend.click();
  // The registration's own letter is not a minute old.
  const early = "Письмо отправлено только что. Новое можно запросить через минуту.";
  await expectWholeToast(page, "Не удалось отправить письмо", early);
  for (const [letter, said] of [
    ["mail", `Новое письмо отправлено на ${email}`],
    ["log", "Письмо сейчас отправить нельзя. Новую ссылку для подтверждения передаст администратор платформы"],
  ] as const) {
    const answer = { success: true, letter };
    await page.route("**/api/auth/email/confirmation", (route) => route.fulfill({ json: answer }), { times: 1 });
    await resend.click();
    await expect(page.getByRole("status").filter({ hasText: said })).toBeVisible();
  }

  // A link that has had its time leads to the same place.
  await page.goto(`/confirm-email?token=${"x".repeat(43)}`);
  await expect(page.getByRole("alert")).toContainText("Ссылка недействительна или устарела");
  await expect(resend).toBeVisible();
});

test("until the e-mail is confirmed a banner says what has to wait; the link alone confirms nothing", async ({
  page,
  request,
  server,
}) => {
  const email = await unconfirmedAccount(request, "Вера");
  const link = await linkInLog(server, "confirm-email", email);
  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("войдите в аккаунт, который вы регистрировали");
  await expectAccessibleCrosswise(page, "a confirmation link that nobody is signed in for");
  await page.getByRole("link", { name: "задайте свой пароль" }).focus();

  await page.goto("/login");
  await signIn(page, email);
  const banner = page.getByRole("region", { name: "Подтверждение email" });
  await expect(banner).toContainText("Письмо отправить нельзя");
  await expectAccessibleCrosswise(page, "the banner of an address that is not confirmed");
  await expect(banner.getByRole("button")).toHaveText(["Подробнее"]);
  await banner.getByRole("button", { name: "Подробнее" }).click();
  await expect(banner).toContainText("нельзя приглашать людей");
  // No letter can be sent, but a link is created to be handed over.
  await expect(banner.getByRole("button")).toHaveText(["Свернуть", "Запросить новую ссылку"]);
  await banner.getByRole("button", { name: "Запросить новую ссылку" }).click();
  const early = "Письмо отправлено только что. Новое можно запросить через минуту.";
  await expectWholeToast(page, "Не удалось отправить письмо", early);

  await page.goto(link);
  await expect(page.getByText("Адрес подтверждён")).toBeVisible();
  await page.goto("/dashboard");
  await expectDashboard(page);
  await expect(banner).toHaveCount(0);
});
