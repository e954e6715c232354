import { randomUUID } from "node:crypto";
import type { APIRequestContext } from "@playwright/test";
import type { Server } from "../servers/server.ts";
import { expect } from "../support/fixtures.ts";
import { PASSWORD } from "../support/sign-in-form.ts";

/** Registers somebody who has not confirmed the address, which it gives back. */
export async function unconfirmedAccount(request: APIRequestContext, firstName = ""): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const answer = await request.post("/api/auth/email/register", { data: { email, password: PASSWORD, firstName } });
  expect(answer.ok()).toBe(true);
  return email;
}

/** Path of the last link of this kind in a letter to `email`. Letters leave after the answer. */
export async function linkInLog(server: Server, page: string, email: string): Promise<string> {
  let path: string | undefined;
  await expect
    .poll(() => {
      const letters = server.log().split("\n");
      const letter = letters.findLast((line) => line.includes(email) && line.includes(`/${page}?token=`));
      path = letter?.match(new RegExp(`/${page}\\?token=[\\w-]+(?:&clean=1)?`))?.[0];
      return path;
    })
    .toBeDefined();
  return path!;
}
