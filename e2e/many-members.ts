import type { Page } from "@playwright/test";

const person = (n: number) => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  email: `p${n}@example.com`,
  firstName: `Участник ${n}`,
  lastName: "",
  username: null,
  role: "user",
  status: "active",
  twins: n % 3,
  createdAt: "2025-11-20T07:01:00.000Z",
});

const PORTION = 50;

/** Answers a list of members as of seventy, in portions and by the words searched. @param pattern of the call's address */
export async function withSeventyMembers(page: Page, pattern: string): Promise<void> {
  const all = Array.from({ length: 70 }, (_, n) => person(n));
  await page.route(pattern, (route) => {
    const { searchParams } = new URL(route.request().url());
    const found = all.filter(({ firstName }) => firstName.includes(searchParams.get("q") ?? ""));
    const from = found.findIndex(({ id }) => id === searchParams.get("after")) + 1;
    return route.fulfill({ json: found.slice(from, from + PORTION) });
  });
}
