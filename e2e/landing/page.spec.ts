// The letter to the team, and the landing page as it comes from the server: before and without scripts, in another language.
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asDemoUser } from "../support/session.ts";
import { toast } from "../support/toast.ts";
import { dialogOf, H1, onMap, openLanding, pricesButton, pricesOf } from "./parts.ts";

test.describe("«Связаться с нами»", () => {
  test.use({ allowedConsoleErrors: [/net::ERR_FAILED/] });

  test("sends a letter, keeps it when that fails, and says where it went", async ({ page }) => {
    await openLanding(page, "/landing#pricing");
    const opener = page.getByRole("button", { name: "Связаться с нами" });
    await opener.click();
    const dialog = dialogOf(page, "Связаться с нами");
    await expect(dialog.getByLabel("Имя")).toBeFocused();
    await dialog.getByRole("button", { name: "Отправить" }).click();
    await expect(dialog.getByRole("alert")).toHaveText([
      "Укажите имя",
      "Введите email",
      "Расскажите о задаче: минимум 10 символов",
    ]);
    await expectAccessibleCrosswise(page, "contact, invalid");
    await expectFitsNarrowPhone(page, "contact");
    await page.route("**/api/contact", (route) => route.abort(), { times: 1 });
    await dialog.getByLabel("Имя").fill("Вера");
    await dialog.getByLabel("Email").fill("vera@example.com");
    await dialog.getByLabel("Сообщение").fill("Нужны двойники для трёх отделов");
    await dialog.getByRole("button", { name: "Отправить" }).click();
    await expect(toast(page)).toContainText("Ошибка сети");
    await expect(dialog.getByLabel("Сообщение")).toHaveValue("Нужны двойники для трёх отделов");
    await dialog.getByRole("button", { name: "Отправить" }).click();
    await expect(toast(page)).toContainText("Письмо сейчас отправить нельзя. Сообщение сохранено");
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  });
});

test.describe("the page as the server sends it", () => {
  test("keeps what was pressed before its code was there", async ({ page }) => {
    let release = () => {};
    const asked = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/*.js", async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto("/landing", { waitUntil: "commit" });
    await onMap(page, "Агент продаж").click();
    await expect(dialogOf(page, "Агент продаж")).toBeHidden();
    release();
    await expect(dialogOf(page, "Агент продаж")).toBeVisible();
  });

  test("has its head, its words and no inline code, at both addresses", async ({ request }) => {
    for (const address of ["/landing", "/"]) {
      const html = await (await request.get(address)).text();
      expect(html).toContain('<html lang="ru"');
      expect(html).toContain(`<title>${H1} · Цифровые двойники</title>`);
      expect(html).toMatch(/<meta name="description" content="[^"]{70,}"/);
      expect(html).toContain('<meta name="robots" content="index, follow" />');
      expect(html).toMatch(/<link rel="canonical" href="http:\/\/[^"]+\/landing"/);
      for (const property of ["title", "description", "url", "image", "locale"]) {
        expect(html).toMatch(new RegExp(`<meta property="og:${property}" content="[^"]+"`));
      }
      expect(html).not.toContain("origin.invalid");
      expect(html).toMatch(new RegExp(`<h1[^>]*>${H1}</h1>`));
      expect(html).toContain("₽4,999");
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+="/i);
      const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? "";
      expect(JSON.parse(data)).toMatchObject({ "@type": "SoftwareApplication", inLanguage: "ru" });
    }
    expect((await request.get("/landing.png")).headers()["content-type"]).toBe("image/png");
  });

  test("stays where it is when React takes it over", async ({ page }) => {
    await page.addInitScript(() => {
      let shift = 0;
      Object.assign(window, { shift });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shift += Reflect.get(entry, "value");
        Object.assign(window, { shift });
      }).observe({ type: "layout-shift", buffered: true });
      addEventListener("DOMContentLoaded", () => Object.assign(window, { drawn: document.querySelector("h1") }));
    });
    for (const address of ["/landing", "/"]) {
      await openLanding(page, address);
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate(() => Reflect.get(window, "shift"))).toBeLessThan(0.02);
      expect(await page.evaluate(() => Reflect.get(window, "drawn") === document.querySelector("h1"))).toBe(true);
    }
  });

  test("gives way to the dashboard for who is signed in, whatever brought them to /", async ({ page }) => {
    await asDemoUser(page);
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Панель управления");
    await expect(page.getByText(H1)).toHaveCount(0);
    await openLanding(page);
    await expect(page.getByRole("link", { name: "Панель управления" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Создать двойника" }).first()).toHaveAttribute("href", "/create-twin");
  });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the page can be read whole, prices included, and offers nothing that needs them", async ({ page }) => {
    await page.goto("/landing");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(H1);
    await expect(page.getByRole("heading", { name: "Enterprise-агент" })).toBeVisible();
    await expect(pricesOf(page)).toContainText("₽4,999");
    await expect(pricesButton(page)).toBeHidden();
    await expect(page.getByRole("button", { name: "Связаться с нами" })).toHaveCount(0);
  });
});

test.describe("in an English browser", () => {
  test.use({ locale: "en-US" });

  test("the switchers turn English after the page was taken over", async ({ page }) => {
    await openLanding(page);
    await expect(page.getByRole("button", { name: "Language: en" })).toHaveText("EN");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(H1);
  });
});
