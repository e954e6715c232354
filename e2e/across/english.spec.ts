// Every screen in English: chosen in the switcher, served as pages of their own, with no Russian but what people have written.
import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "@playwright/test";
import { expectAccessible, FULL, wearTheme } from "../support/accessibility.ts";
import { currentServer, expect, test } from "../support/fixtures.ts";
import { openInside } from "../support/open-inside.ts";
import { callsOf } from "../support/owner.ts";
import { SCREENS } from "../support/screens.ts";
import { asNewUser, enter, newAccount } from "../support/session.ts";
import { asSuperAdmin } from "../support/super-admin.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";

/** As the switcher leaves it behind. */
async function inEnglish(page: Page) {
  await choose(page.context());
  await page.addInitScript(() => localStorage.setItem("language", "en"));
}

const choose = (context: BrowserContext) =>
  context.addCookies([{ name: "language", value: "en", url: currentServer().url, sameSite: "Lax" }]);

/** What of the page is read, shown or told to a screen reader, and is Russian without being marked so. */
const russianIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const note = (text: string | null, element: Element) => {
      if (text && /[а-яё]/i.test(text) && element.closest('[lang="ru"]') === null) found.push(text.trim());
    };
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ["aria-label", "aria-description", "aria-valuetext", "title", "placeholder", "alt"]) {
          note(node.getAttribute(name), node);
        }
        for (const side of ["::before", "::after"]) note(getComputedStyle(node, side).content, node);
      } else note(node.textContent, node.parentElement!);
    }
    return [...new Set(found)];
  });

/** Fields of answers in which people's own texts come, beside all that end in «Name». */
const OWN = /^(name|text|content|question|answer|reply|title|host|lastMessage)$|Name$/;

/** What people have written, as the answers of the server bring it: it stays as it is in every language. */
function watchOwnTexts(page: Page): (texts: string[]) => string[] {
  const own = new Set<string>();
  const note = (value: unknown, key = "") => {
    if (typeof value === "string") {
      if (OWN.test(key) && /[а-яё]/i.test(value)) own.add(value.trim());
    } else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) note(each, Array.isArray(value) ? key : name);
    }
  };
  // An answer of the demo's twin, which stands in the landing page before anybody asks.
  note(JSON.parse(readFileSync(new URL("../../web/landing/talk/example.json", import.meta.url), "utf8")));
  page.on("response", async (response) => {
    if (new URL(response.url()).pathname.startsWith("/api/")) note(await response.json().catch(() => null));
  });
  return (texts) =>
    texts.filter((text) => {
      let rest = text;
      for (const each of [...own].sort((one, other) => other.length - one.length)) rest = rest.replaceAll(each, "");
      // A contact without a picture has the first letter of the name.
      return /[а-яё]/i.test(rest) && text.length > 1;
    });
}

async function expectEnglish(page: Page, what: string, without = (texts: string[]) => texts) {
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(page.getByRole("heading", { level: 1 }).first(), what).toBeVisible();
  // What stands in for a part that is loading says nothing of its texts.
  await expect(page.locator(".animate-pulse, .animate-spin"), what).toHaveCount(0);
  await expect.soft(async () => expect(without(await russianIn(page)), what).toEqual([])).toPass({ timeout: 8000 });
  // The Russian screen has the same parts and colours (e2e/shell/addresses.spec.ts).
  if (FULL) await expectAccessible(page, what);
  expect
    .soft(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${what}: beside the screen`)
    .toBeLessThanOrEqual(0);
}

const WIDE = { ...DESKTOP, theme: "light" } as const;
const NARROW = { ...PHONE, theme: "dark" } as const;

/** At the sizes that are given; with TEST_FULL=1 wide and light, narrow and dark. */
async function walk(page: Page, addresses: readonly string[], sizes: readonly (typeof WIDE | typeof NARROW)[]) {
  const withoutOwn = watchOwnTexts(page);
  const looks = FULL ? [WIDE, NARROW] : sizes;
  for (const [n, address] of addresses.entries()) {
    await page.setViewportSize(looks[0]!);
    if (n === 0) await page.goto(address);
    else await openInside(page, address);
    for (const { theme, ...size } of looks) {
      await page.setViewportSize(size);
      // No text differs between the themes.
      if (FULL) await wearTheme(page, theme);
      await expectEnglish(page, `${address}, ${size.width} px`, withoutOwn);
    }
  }
}

test.setTimeout(480_000);

test("the switcher brings the English page, which stays until Russian is chosen, and forgets no place", async ({
  page,
}) => {
  await page.goto("/login?return=%2Ftwins");
  await page.getByRole("button", { name: "Язык: ru" }).click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
  await expect(page.getByText("Choose a sign-in method")).toBeVisible();
  await expect(page).toHaveURL(/return=%2Ftwins/);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await page.getByRole("button", { name: "Language: en" }).click();
  await page.getByRole("menuitemradio", { name: "Русский" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "ru");
  await expect(page.getByRole("button", { name: "Язык: ru" })).toBeVisible();
});

test("a browser that has lost the cookie and not the choice asks for its language again", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("language", "en"));
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "Language: en" })).toBeVisible();
  expect(await russianIn(page)).toEqual([]);
});

test("the stored language outranks a cookie of an earlier choice", async ({ page }) => {
  await choose(page.context());
  await page.addInitScript(() => localStorage.setItem("language", "ru"));
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "Язык: ru" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "ru");
});

test("visitors' screens hold no Russian", async ({ page }) => {
  await inEnglish(page);
  await walk(
    page,
    ["/landing", "/login", "/register", "/forgot-password", "/confirm-email", "/nowhere"],
    [WIDE, NARROW],
  );
});

test("the legal texts say in English that they are Russian", async ({ page }) => {
  await inEnglish(page);
  await page.goto("/legal/privacy");
  await expect(page.getByText("This document is available only in Russian.")).toBeVisible();
  await expectEnglish(page, "privacy", (texts) => texts.filter((text) => !text.endsWith(" · Digital Twins")));
  await expect(page.getByRole("article")).toHaveAttribute("lang", "ru");
});

test("the screens of a newcomer hold no Russian, filled with samples as they are", async ({ page }) => {
  await inEnglish(page);
  await asNewUser(page);
  await walk(
    page,
    [
      "/dashboard",
      "/onboarding",
      "/create-twin",
      "/conversations",
      "/analytics",
      "/integrations",
      "/add-integration",
      "/add-integration?platform=telegram",
      "/add-integration?platform=email",
      "/crm",
      "/model",
    ],
    [NARROW],
  );
});

test("the screens of a user with a twin hold no Russian", async ({ page }) => {
  await inEnglish(page);
  const email = `english-${Date.now()}@example.com`;
  const session = await newAccount(page.request, { email, password: "copper and patina", firstName: "Vera" });
  await enter(page, session);
  const { post, put } = callsOf(page, { authorization: `Bearer ${session.token}` });
  const { id } = await post("/api/digital-twins", {
    name: "Anna",
    description: "Answers customers of a bakery",
    personality: "Calm and attentive, jokes where it fits",
    communicationStyle: "Brief, friendly and polite with everybody",
    knowledgeArea: "Bakery",
  });
  const { id: widget } = await put(`/api/digital-twins/${id}/widget`, {
    enabled: true,
    allowedSites: [],
    title: "Ask the bakery",
    greeting: "Hello!",
    color: "#0f5f63",
    autonomy: "auto",
    dailyMessages: 100,
  });
  await page.goto(`/widget/${widget}?language=en`);
  await expect(page.getByRole("heading", { name: "Ask the bakery" })).toBeVisible();
  expect(await russianIn(page), "the chat on sites").toEqual([]);
  await walk(
    page,
    [
      "/dashboard",
      "/twins",
      ...SCREENS.filter(({ at }) => at.includes("{id}")).map(({ at }) => at.replace("{id}", id)),
      "/train-ai",
      "/train-ai?tab=dialogues",
      "/knowledge",
      "/conversations",
      "/conversations?tab=approval",
      "/analytics",
      "/integrations",
      "/org-admin",
      "/organization-audit",
      "/organization-data",
      "/account",
    ],
    [WIDE],
  );
});

test("a refusal of the server is shown in English", async ({ page }) => {
  await inEnglish(page);
  await page.goto("/login");
  await page.getByRole("button", { name: "Sign in with email" }).click();
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByLabel("Password", { exact: true }).fill("wrong password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("Invalid email or password").first()).toBeVisible();
  expect(await russianIn(page)).toEqual([]);
});

test("the screens of the platform's administrator hold no Russian", async ({ page }) => {
  await inEnglish(page);
  await asSuperAdmin(page);
  await walk(page, ["/admin", "/platform-health", "/model"], [WIDE]);
});
