/**
 * One page for all the tests of a context. A page of its own for each test is a process of Chromium's for each, which starts, reads the
 * fonts and compiles the interface anew: more than a load of a screen costs.
 */
import type { BrowserContext, CDPSession, Disposable, Page } from "@playwright/test";

const EVENTS = [
  ...["console", "dialog", "download", "filechooser", "framenavigated", "load", "pageerror", "popup"],
  ...["request", "requestfailed", "requestfinished", "response", "websocket", "worker"],
] as const;

/** Notes what a test gives to `page`; returns what takes it away again and leaves the page blank. */
export function watchPage(page: Page): () => Promise<void> {
  const context = page.context();
  const scripts: Disposable[] = [];
  const sessions: CDPSession[] = [];
  const addInitScript = page.addInitScript.bind(page);
  page.addInitScript = async (...parameters: Parameters<typeof addInitScript>) => {
    const script = await addInitScript(...parameters);
    scripts.push(script);
    return script;
  };
  const newCDPSession = context.newCDPSession.bind(context);
  context.newCDPSession = async (target) => {
    const session = await newCDPSession(target);
    sessions.push(session);
    return session;
  };
  return async () => {
    page.addInitScript = addInitScript;
    context.newCDPSession = newCDPSession;
    for (const event of EVENTS) page.removeAllListeners(event);
    // Before the blank page, which has no storage that they could write to.
    for (const script of scripts) await script.dispose();
    // A session's storage belongs to the page.
    await page.evaluate(() => sessionStorage.clear()).catch(() => undefined);
    // A form that asks whether one will really leave is left.
    page.once("dialog", (dialog) => void dialog.accept());
    await page.goto("about:blank");
    page.removeAllListeners("dialog");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    // After what they answer is gone. Those of other pages end with them, and a test may have ended its own.
    for (const session of sessions) await session.detach().catch(() => undefined);
    await page.mouse.move(-10, -10);
    await page.emulateMedia({ media: null, colorScheme: "light", reducedMotion: "reduce", forcedColors: null });
    await page.setViewportSize({ width: 1280, height: 720 });
  };
}

/** The first page is kept. */
export async function closeFurtherPages(context: BrowserContext): Promise<void> {
  await Promise.all(
    context
      .pages()
      .slice(1)
      .map((page) => page.close()),
  );
}
