/**
 * The specification as a table. A screen is described by what stands on it, what it asks the server, what it shows when the
 * server answers otherwise, and what its buttons send; `specify` makes one test of a description, at 1440 and 390 px, against
 * answers that the table gives. What the server really answers is tested beside the server.
 */
import type { Locator, Page } from "@playwright/test";
import { user } from "../factories/people.ts";
import { FULL } from "./accessibility.ts";
import { type Answers, frame, json, nameOf } from "./answers.ts";
import { expect as patientExpect, test } from "./fixtures.ts";
import { expectInSight } from "./in-sight.ts";
import { type ApiRequest, interceptCalls } from "./intercept.ts";
import { enter } from "./session.ts";
import { toast } from "./toast.ts";
import { DESKTOP, PHONE } from "./viewports.ts";

/** Every part is looked for although another is missing: the wait for each must be short. */
const expect = patientExpect.configure({ timeout: 7000 });

export interface Part {
  what: string;
  find: (page: Page) => Locator;
  disabled?: boolean;
  href?: string;
  attributes?: Record<string, string>;
  /** All that `find` finds, in order. */
  texts?: readonly Name[];
  only?: Width;
}
type Width = "wide" | "phone";
type Name = string | RegExp;

const part = (what: string, name: Name, find: Part["find"], more: Partial<Part> = {}): Part => ({
  what: `${what} ${name}`,
  find,
  ...more,
});
export const text = (name: Name) => part("text", name, (page) => page.getByText(name));
export const heading = (name: Name) => part("heading", name, (page) => page.getByRole("heading", { name }));
export const button = (name: Name, { disabled = false } = {}) =>
  part("button", name, (page) => page.getByRole("button", { name, exact: typeof name === "string" }), { disabled });
export const link = (name: Name, href: string) =>
  part("link", name, (page) => page.locator("main").getByRole("link", { name }), { href });
export const field = (name: Name) => part("field", name, (page) => page.getByLabel(name));
export const tab = (name: Name) => part("tab", name, (page) => page.getByRole("tab", { name }));
export const placeholder = (name: Name) => part("placeholder", name, (page) => page.getByPlaceholder(name));
/** The options of a select, in order. */
export const options = (name: Name, texts: readonly Name[]) =>
  part("options of", name, (page) => page.getByLabel(name, { exact: true }).locator("option"), { texts });
/** Everything that `find` finds says this, in order. */
export const texts = (what: string, find: Part["find"], texts: readonly Name[]): Part => ({ what, find, texts });
/** A figure on a card: this value, or one that the expression describes, and nothing else. */
export const figure = (label: string, value: Name): Part => ({
  what: `${label}: ${value}`,
  find: (page) => page.locator("main dl").filter({ hasText: label }).first().getByText(value, { exact: true }),
});
/** One part of a page that has no role of its own above. */
export const one = (what: string, find: Part["find"], attributes: Record<string, string> = {}): Part => ({
  what,
  find,
  attributes,
});
/** A part of the layout for a desktop, or for a phone. */
export const wide = (one: Part): Part => ({ ...one, only: "wide" });
export const phone = (one: Part): Part => ({ ...one, only: "phone" });

interface State {
  name: string;
  /** A second variant of what another entry shows: it is looked at with TEST_FULL=1 alone. */
  full?: boolean;
  answers: Answers;
  shows: Part[];
  hides?: Part[];
}

interface Act {
  name: string;
  /** As of a state. */
  full?: boolean;
  /** It goes on where the act before it ended; default: the screen is opened anew. */
  here?: boolean;
  answers?: Answers;
  does: (page: Page) => Promise<unknown>;
  /** What goes to the server: the body's named fields are compared, further ones may be there. */
  sends?: { call: string; body?: Record<string, unknown> };
  /** «GET /path?query» that are asked now. */
  asks?: string[];
  /** Requests of the opened screen that are made once more. */
  refreshes?: string[];
  /** «METHOD /path» that are not made. */
  never?: string[];
  /** Title and description of the toast that appears. */
  toast?: [title: string, description?: Name];
  shows?: Part[];
  leadsTo?: string | RegExp;
}

interface Screen {
  at: string;
  /** Default: the user is signed in. */
  signedIn?: boolean;
  answers?: Answers;
  /** What opening it asks, «GET /path?query». */
  calls?: string[];
  /** Whether what it shows must be in sight: drawn, not see-through, not said to readers alone, and not cut by an ellipsis. */
  inSight?: boolean;
  shows: Part[];
  hides?: Part[];
  states?: State[];
  acts?: Act[];
}

const sizes = { wide: DESKTOP, phone: PHONE } as const;

/** @param title the section of the specification and what it calls the screen */
export function specify(title: string, screen: Screen): void {
  test(title, async ({ page }) => {
    test.slow();
    const asked: ApiRequest[] = [];
    let answers: Answers = {};
    if (screen.signedIn !== false) await enter(page, { token: "token-of-a-test", user });
    await interceptCalls(page, (route, request) => {
      asked.push(request);
      const call = nameOf(request);
      return (answers[call] ?? frame[call] ?? json([]))(route, request);
    });
    const answer = (more: Answers = {}) => {
      answers = { ...screen.answers, ...more };
      asked.length = 0;
    };
    const open = async (more?: Answers) => {
      answer(more);
      // Nothing is left of what was done before: no session, no draft.
      if (page.url() !== "about:blank") await page.evaluate(() => [localStorage.clear(), sessionStorage.clear()]);
      await page.goto(screen.at);
    };

    const expectParts = async (parts: readonly Part[], width: Width) => {
      await expectShown(page, parts, width);
      if (screen.inSight) await expectPartsInSight(page, parts, width);
    };

    await page.setViewportSize(sizes.wide);
    await open();
    for (const width of ["wide", "phone"] as const) {
      await test.step(`at ${sizes[width].width} px`, async () => {
        await page.setViewportSize(sizes[width]);
        await expectParts(screen.shows, width);
        await expectNone(page, screen.hides ?? []);
      });
    }
    await expectCalls(asked, screen.calls ?? []);
    await page.setViewportSize(sizes.wide);
    for (const state of (screen.states ?? []).filter(isLookedAt)) {
      await test.step(state.name, async () => {
        await open(state.answers);
        await expectParts(state.shows, "wide");
        await expectNone(page, state.hides ?? []);
      });
    }
    for (const act of (screen.acts ?? []).filter(isLookedAt)) {
      await test.step(act.name, async () => {
        if (act.here) answer(act.answers);
        else await open(act.answers);
        await act.does(page);
        if (act.toast !== undefined) await expectToast(page, act.toast);
        if (act.sends !== undefined) await expectSent(asked, act.sends);
        await expectCalls(asked, act.asks ?? []);
        await expectCalls(asked, act.refreshes ?? [], 2);
        await expectParts(act.shows ?? [], "wide");
        for (const call of act.never ?? []) expect.soft(asked.map(nameOf), `not ${call}`).not.toContain(call);
        if (act.leadsTo !== undefined) await expect.soft(page).toHaveURL(act.leadsTo);
      });
    }
  });
}

const isLookedAt = ({ full = false }: State | Act) => FULL || !full;

async function expectShown(page: Page, parts: readonly Part[], width: Width) {
  for (const { what, find, disabled, href, attributes = {}, texts, only } of parts) {
    if (only !== undefined && only !== width) continue;
    if (texts !== undefined) {
      await expect.soft(find(page), what).toHaveText([...texts]);
      continue;
    }
    const found = find(page).filter({ visible: true }).first();
    await expect.soft(found, what).toBeVisible();
    if (disabled !== undefined) await expect.soft(found, what)[disabled ? "toBeDisabled" : "toBeEnabled"]();
    if (href !== undefined) await expect.soft(found, what).toHaveAttribute("href", href);
    for (const [name, value] of Object.entries(attributes)) await expect.soft(found, what).toHaveAttribute(name, value);
  }
}

async function expectPartsInSight(page: Page, parts: readonly Part[], width: Width) {
  for (const { what, find, only } of parts) {
    if (only === undefined || only === width) await expectInSight(find(page), `${what} is in sight`);
  }
}

async function expectNone(page: Page, parts: readonly Part[]) {
  for (const { what, find } of parts) await expect.soft(find(page), `no ${what}`).toHaveCount(0);
}

async function expectCalls(asked: readonly ApiRequest[], calls: readonly string[], times = 1) {
  const made = () =>
    asked.map((request) => {
      const { pathname, search } = new URL(request.url());
      return `${request.method()} ${pathname}${decodeURIComponent(search)}`;
    });
  for (const call of calls) {
    const count = () => made().filter((one) => one === call).length;
    await expect.poll(count, `asks ${call}`).toBeGreaterThanOrEqual(times);
  }
}

async function expectSent(asked: readonly ApiRequest[], { call, body }: NonNullable<Act["sends"]>) {
  const sent = () => asked.findLast((request) => nameOf(request) === call);
  await expect.poll(() => sent() !== undefined, `sends ${call}`).toBe(true);
  if (body !== undefined) expect.soft(sent()!.postDataJSON(), `body of ${call}`).toMatchObject(body);
}

async function expectToast(page: Page, [title, description]: [string, Name?]) {
  await expect.soft(toast(page), `toast «${title}»`).toContainText(title);
  if (description !== undefined) await expect.soft(toast(page), `toast «${title}»`).toContainText(description);
}
