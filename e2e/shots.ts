// Every screen in both themes at 1440 and 390 px, with a page to leaf through them: `npm run shots [FOLDER] [NAME …]`.
// The pictures lie in .cache/shots unless a folder is named; they are not committed.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import config from "../playwright.config.ts";
import { startServer } from "./servers/server.ts";
import { SUPER_ADMIN_EMAIL } from "./servers/server-pool.ts";
import { choosePlatform, takeWay } from "./support/choose-platform.ts";
import { SCREENS, type Screen } from "./support/screens.ts";
import { asDemoUser, asNewUser, enter, newAccount } from "./support/session.ts";
import { DESKTOP, PHONE } from "./support/viewports.ts";

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../.cache/shots"));
/** All unless some are named by their beginnings. */
const wanted = process.argv.slice(3);
const widths = { d: DESKTOP, m: PHONE };
const themes = ["light", "dark"] as const;

interface Shot extends Pick<Screen, "name" | "at" | "as"> {
  /** What is done before the picture is taken. */
  before?: (page: Page) => Promise<unknown>;
}

const click = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

const SHOTS: Shot[] = [
  ...SCREENS,
  { name: "landing-prices", at: "/landing", as: "nobody", before: click("Посмотреть тарифы") },
  { name: "landing-agent", at: "/landing", as: "nobody", before: click(/^Агент продаж/) },
  { name: "login-email", at: "/login", as: "nobody", before: click("Войти по email") },
  { name: "404", at: "/no-such-page", as: "nobody" },
  { name: "palette", at: "/dashboard", as: "demo", before: (page) => page.keyboard.press("Control+KeyK") },
  {
    name: "palette-found",
    at: "/dashboard",
    as: "demo",
    before: async (page) => {
      await page.keyboard.press("Control+KeyK");
      await page.getByRole("combobox").fill("доставк");
      await page.getByRole("group", { name: "Документы" }).waitFor({ timeout: 8000 });
    },
  },
  { name: "dashboard-empty", at: "/dashboard", as: "new" },
  {
    name: "model-remote-wrong",
    at: "/model",
    as: "new",
    before: async (page) => {
      await page.getByLabel("Поставщик").selectOption("ollama");
      await page.getByLabel("Адрес").fill("http://localhost:11434/v1");
      await page.getByRole("button", { name: "Проверить" }).click();
      await page.getByText("ведёт в частную сеть").waitFor();
    },
  },
  {
    name: "delete-organization",
    at: "/organization-data",
    as: "new",
    before: (page) => page.getByRole("button", { name: "Удалить организацию" }).click(),
  },
  { name: "twins-chat", at: "/twins", as: "demo", before: click("Тест чат") },
  { name: "twins-empty", at: "/twins", as: "new" },
  { name: "create-twin-invalid", at: "/create-twin", as: "demo", before: click("Создать Агента") },
  { name: "train-ai-conversations", at: "/train-ai?tab=dialogues", as: "demo" },
  {
    name: "train-ai-preview",
    at: "/train-ai?tab=dialogues&from=file",
    as: "demo",
    before: async (page) => {
      const said = [
        "Добрый день! Пуэр из новой партии уже пришёл?",
        "Здравствуйте! Да, вчера. Отложить вам блин?",
        "Отложите, пожалуйста. Заберу в субботу",
        "Хорошо, лежит до воскресенья на ваше имя",
        "А заваривать его как обычно, кипятком?",
        "Лучше градусов девяносто пять, и первую воду слить",
      ];
      const lines = said.map((text, at) => `12.03.24, 14:${10 + at} - ${at % 2 ? "Вера" : "Оля"}: ${text}`);
      const buffer = Buffer.from(lines.join("\n"));
      // The upload of the picture before is still offered.
      const start = page.getByRole("button", { name: "Начать импорт" });
      const file = page.locator("input[type=file]").first();
      await page.getByLabel("Цифровой двойник").selectOption({ index: 1 });
      await start.or(file).first().waitFor({ state: "attached" });
      if (await start.isVisible()) return;
      await file.setInputFiles({ name: "chat.txt", mimeType: "text/plain", buffer });
      await start.waitFor();
    },
  },
  { name: "knowledge-documents", at: "/knowledge?tab=documents", as: "demo" },
  { name: "knowledge-messages", at: "/knowledge", as: "demo", before: (page) => page.getByRole("tab").nth(1).click() },
  { name: "knowledge-facts", at: "/knowledge?tab=facts", as: "demo" },
  { name: "knowledge-empty", at: "/knowledge", as: "new" },
  {
    name: "add-integration-telegram",
    at: "/add-integration",
    as: "demo",
    before: (page) => choosePlatform(page, "telegram"),
  },
  {
    name: "add-integration-account",
    at: "/add-integration",
    as: "demo",
    before: async (page) => {
      await choosePlatform(page, "telegram");
      await takeWay(page, "Личный аккаунт");
    },
  },
  { name: "conversations-thread", at: "/conversations?dialog={conversation}", as: "demo" },
  {
    name: "conversations-contact",
    at: "/conversations",
    as: "demo",
    before: click(/^Открыть чат: Денис/),
  },
  { name: "conversations-new", at: "/conversations?new=1", as: "demo" },
  { name: "conversations-empty", at: "/conversations", as: "new" },
  { name: "approvals", at: "/conversations?tab=approval", as: "demo" },
  { name: "onboarding-first", at: "/onboarding?twin={id}&step=3", as: "demo" },
  { name: "onboarding-teach", at: "/onboarding?twin={id}&step=3&teach=any", as: "demo" },
  { name: "model-demo", at: "/model", as: "demo" },
  { name: "model-member", at: "/model", as: "new" },
  { name: "account-shared", at: "/account", as: "demo" },
  { name: "platform-health-operator", at: "/platform-health", as: "operator" },
  { name: "admin-operator", at: "/admin", as: "operator" },
  { name: "org-admin-billing", at: "/org-admin?tab=billing", as: "demo" },
  { name: "org-admin-usage", at: "/org-admin?tab=usage", as: "demo" },
  { name: "org-admin-users", at: "/org-admin", as: "demo", before: (page) => page.getByRole("tab").nth(1).click() },
];

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const dataFolder = await mkdtemp(join(tmpdir(), "twins-shots-"));
const server = await startServer(dataFolder, { REQUESTS_PER_MINUTE: "0", SUPER_ADMIN_EMAIL });
const browser = await chromium.launch(config.use?.launchOptions);
try {
  for (const theme of themes)
    for (const caller of ["nobody", "demo", "new", "operator"] as const) await takeAll(browser, caller, theme);
  await writeFile(join(folder, "index.html"), indexOf(SHOTS.map(({ name }) => name).filter(isWanted)));
  process.stdout.write(`Pictures: ${join(folder, "index.html")}\n`);
} finally {
  await browser.close();
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 });
}

async function takeAll(browser: Browser, caller: Screen["as"], theme: (typeof themes)[number]) {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: "ru-RU",
    timezoneId: "Europe/Moscow",
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  let twinId = "";
  let conversationId = "";
  let integrationId = "";
  if (caller === "new") await asNewUser(page, server);
  if (caller === "operator") await asOperator(page);
  if (caller === "demo") {
    const headers = { authorization: `Bearer ${await asDemoUser(page)}` };
    const twins = await page.request.get("/api/digital-twins", { headers });
    twinId = (await twins.json())[0].id;
    // A twin that still learns knows nothing yet.
    const state = async () =>
      (await (await page.request.get(`/api/digital-twins/${twinId}`, { headers })).json()).status;
    for (let tries = 0; tries < 120 && (await state()) === "training"; tries++) await page.waitForTimeout(500);
    conversationId = await askTwin(page, headers, twinId);
    integrationId = await connectBot(page, headers, twinId);
  }
  for (const shot of SHOTS.filter(({ as, name }) => as === caller && isWanted(name))) {
    for (const [width, size] of Object.entries(widths)) {
      await page.setViewportSize(size);
      const ids = { id: twinId, conversation: conversationId, integration: integrationId };
      const at = shot.at.replace(/\{(\w+)\}/, (_, name: keyof typeof ids) => ids[name]);
      await page.goto(at);
      await settle(page);
      try {
        await shot.before?.(page);
        await settle(page);
      } catch (error) {
        process.stderr.write(`${shot.name} (${width}, ${theme}): ${(error as Error).message.split("\n")[0]}\n`);
      }
      await showWhole(page);
      // A finger leaves nothing hovered behind, and the phone's pictures are taken with a mouse.
      await page.mouse.move(0, 0);
      await page.screenshot({ path: join(folder, `${shot.name}-${width}-${theme}.png`) });
    }
  }
  await context.close();
}

/** Registered for the first picture, signed in for the others. */
async function asOperator(page: Page) {
  const person = { email: SUPER_ADMIN_EMAIL, password: "copper and patina", firstName: "Павел" };
  const login = await page.request.post("/api/auth/email/login", { data: person });
  await enter(page, login.ok() ? await login.json() : await newAccount(page.request, person, server));
}

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning));
}

/** A conversation to look at; returns its id. */
async function askTwin(page: Page, headers: Record<string, string>, twinId: string): Promise<string> {
  let conversationId: string | undefined;
  for (const message of ["Здравствуйте! Вы на связи?", "За сколько дней доставите в Москву?"]) {
    const data = { twinId, message, conversationId };
    const answer = await page.request.post("/api/ai-generate", { headers, data });
    conversationId = (await answer.json()).conversationId;
  }
  return conversationId ?? "";
}

/** A bot whose platform does not answer: an integration with a trouble to look at; returns its id. */
async function connectBot(page: Page, headers: Record<string, string>, digitalTwinId: string): Promise<string> {
  const known = await (await page.request.get("/api/integrations", { headers })).json();
  if (known.length > 0) return known[0].id;
  const data = { digitalTwinId, platform: "telegram", apiKey: "7:token-of-a-bot-0123456789abcdefghij" };
  const made = await page.request.post("/api/integrations/create", { headers, data });
  return (await made.json()).id;
}

/** Nothing waits any more; what comes in late comes in late. The inbox holds a stream: its network is never idle. */
async function settle(page: Page) {
  await page.waitForLoadState("networkidle", { timeout: 2000 }).catch(() => undefined);
  await page
    .waitForFunction(
      () =>
        document.querySelector("h1") &&
        !document.querySelector("main [class*=animate-pulse], main [class*=animate-spin]"),
      null,
      { timeout: 8000 },
    )
    .catch(() => undefined);
  await page.waitForTimeout(300);
}

/** As high as the page, so that the phone's bar stands at its end; a dialog stays in the window it was opened in. */
async function showWhole(page: Page) {
  if (await page.locator("[role=dialog]").count()) return;
  const { width, height } = page.viewportSize()!;
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, whole) });
  await page.waitForTimeout(100);
}

function indexOf(names: readonly string[]): string {
  return `<!doctype html><html lang="ru"><meta charset="utf-8"><title>Экраны</title>
<style>body{font:15px system-ui;margin:24px}figure{display:inline-block;margin:0 16px 24px 0;vertical-align:top}img{height:420px;border:1px solid #999}</style>
${names
  .map(
    (name) =>
      `<h2>${name}</h2>${themes
        .flatMap((theme) => Object.keys(widths).map((width) => `${name}-${width}-${theme}.png`))
        .map((file) => `<figure><a href="${file}"><img loading="lazy" alt="${file}" src="${file}"></a></figure>`)
        .join("")}`,
  )
  .join("\n")}</html>
`;
}
