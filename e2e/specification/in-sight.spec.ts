/**
 * Every statement of the specification about what stands on a screen, looked for as a sighted visitor would: at 1440 and 390 px, in the
 * demo workspace, in an account with nothing in it, and while every call fails.
 */
import type { Page } from "@playwright/test";
import { user } from "../factories/people.ts";
import { buildTwinInput } from "../factories/twin.ts";
import { fails, json, nameOf } from "../support/answers.ts";
import { demoTwin } from "../support/demo-twin.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectInSight, screensDown } from "../support/in-sight.ts";
import { interceptCalls } from "../support/intercept.ts";
import { openInside } from "../support/open-inside.ts";
import { callsOf } from "../support/owner.ts";
import { asNewUser, enter } from "../support/session.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";
import { type SpecifiedScreen, type Statement, specification, type Visitor } from "./statements.ts";

const sizes = { wide: DESKTOP, phone: PHONE } as const;

/** Signs in as the visitor; gives back how a twin's id comes about, once a screen asks for it. */
const visits: Record<Visitor, (page: Page) => Promise<() => Promise<string>>> = {
  "signed out": async () => unasked,
  demo: async (page) => {
    const { id } = await demoTwin(page);
    return async () => id;
  },
  new: async (page) => {
    const { post } = callsOf(page, { authorization: `Bearer ${await asNewUser(page)}` });
    let id: string | undefined;
    return async () => {
      id ??= (await post("/api/digital-twins", buildTwinInput({}))).id as string;
      return id;
    };
  },
  failing: async (page) => {
    await enter(page, { token: "token-of-a-test", user });
    await interceptCalls(page, (route, request) => {
      const answer = nameOf(request) === "GET /api/auth/verify" ? json({ user }) : fails(500, "Внутренняя ошибка");
      return answer(route, request);
    });
    return async () => "00000000-0000-4000-8000-000000000001";
  },
};
const unasked = () => Promise.reject(new Error("No twin is there for who is not signed in"));

// One visitor's every call fails.
test.use({ allowedConsoleErrors: [/Failed to load resource/] });

for (const visitor of ["signed out", "demo", "new", "failing"] as const) {
  test(`what the specification names is in sight at 1440 and 390 px: ${visitor}`, async ({ page }) => {
    test.slow();
    const findTwinId = await visits[visitor](page);
    for (const screen of specification.filter(({ visitors }) => visitors?.includes(visitor) ?? true)) {
      const at = screen.at.includes("{id}") ? screen.at.replace("{id}", await findTwinId()) : screen.at;
      await page.setViewportSize(sizes.wide);
      await (visitor === "signed out" ? page.goto(at) : openInside(page, at));
      for (const width of ["wide", "phone"] as const) {
        await page.setViewportSize(sizes[width]);
        await expectStatements(page, screen, visitor, width);
      }
    }
  });
}

async function expectStatements(
  page: Page,
  { section, statements, failsUnseen }: SpecifiedScreen,
  visitor: Visitor,
  width: keyof typeof sizes,
) {
  const due = ({ visitors, only }: Statement) => (visitors?.includes(visitor) ?? true) && (only ?? width) === width;
  for (const { what, find, disabled, href, screens } of statements.filter(due)) {
    const says = `${section}, ${visitor}, ${sizes[width].width} px: ${what}`;
    await expectInSight(find(page), says);
    const found = find(page).filter({ visible: true });
    if ((await found.count()) === 0) continue;
    if (disabled !== undefined) await expect.soft(found.first(), says)[disabled ? "toBeDisabled" : "toBeEnabled"]();
    if (href !== undefined) await expect.soft(found.first(), says).toHaveAttribute("href", href);
    if (screens !== undefined) {
      expect
        .soft(await screensDown(page, found), `${says} ends within ${screens} screens`)
        .toBeLessThanOrEqual(screens);
    }
  }
  if (visitor !== "failing" || !failsUnseen) return;
  const told = page.getByRole("main").getByText(/не загрузил|Не удалось (за|про|по)/);
  await expect.soft(told.filter({ visible: true }), `${section}: a failed list is told of`).toHaveCount(0);
}
