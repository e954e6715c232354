import type { Page } from "@playwright/test";
import { buildMember } from "../factories/people.ts";
import { interceptCalls } from "./intercept.ts";

const PAGE_SIZE = 50;

/** Answers a list of members as of seventy, in portions and by the words searched. @param pattern of the call's address */
export async function withSeventyMembers(page: Page, pattern: string): Promise<void> {
  const all = Array.from({ length: 70 }, (_, n) => buildMember(n, { firstName: `Участник ${n}`, lastName: "" }));
  await interceptCalls(
    page,
    (route, request) => {
      const { searchParams } = new URL(request.url());
      const found = all.filter(({ firstName }) => firstName.includes(searchParams.get("q") ?? ""));
      const from = found.findIndex(({ id }) => id === searchParams.get("after")) + 1;
      return route.fulfill({ json: found.slice(from, from + PAGE_SIZE) });
    },
    pattern,
  );
}
