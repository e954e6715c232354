/** Mounts the second step of a sign-in, and the sign-in with a passkey, which needs no second step. */

import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { secondStepApi as api, type SecondFactorInput } from "#contract/organizations/second-step.ts";
import { takeTry, tryKey } from "#server/accounts/credentials/login-limit.ts";
import type { SendNotice } from "#server/accounts/mail/notices.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";
import { invalid, Problem, unauthorized } from "#server/platform/errors.ts";
import { route } from "#server/platform/http/route.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { membershipOf } from "./accounts.ts";
import { audit } from "./audit.ts";
import { bindVisitor, findChallenge, takeChallenge, visitorBinding } from "./passkeys/challenges.ts";
import { beginAsserting, takeAssertion } from "./passkeys/passkeys.ts";
import { takeCode, takeRecoveryCode } from "./second-factor/second-factor.ts";
import { placeOf, type SignInMethod, signIn } from "./sign-in.ts";

interface Deps {
  db: Database;
  config: Config;
  vault: Vault;
  tell: SendNotice;
}

/** Limit per client address. */
const TRIES = { max: 30, timeWindow: "1 minute" };

const over = () => unauthorized("Время на второй шаг вышло. Войдите ещё раз.", "second_factor_expired");

export function mountSecondStep(app: FastifyInstance, deps: Deps): void {
  const { db, config, tell } = deps;

  route(
    app,
    api.secondFactor,
    async ({ input, request, reply }) => {
      const bound = visitorBinding(request);
      const waiting = await findChallenge(db, "second-factor", input.challenge, bound);
      if (waiting === null || waiting.userId === null) throw over();
      const { userId } = waiting;
      const membership = await membershipOf(db, userId);
      const left = await takeSecondFactor(deps, userId, input, request.ip).catch(async (error: unknown) => {
        // The client has passed the password check, so someone who guesses codes already knows the password.
        if (error instanceof Problem && error.status === 429 && input.code !== undefined) {
          await tell(db, userId, { kind: "codes-refused", detail: placeOf(request) });
        }
        throw error;
      });
      return db.transaction(async (tx) => {
        // The challenge no longer exists when the password was changed in the meantime or another call came first.
        if ((await takeChallenge(tx, "second-factor", input.challenge, bound)) === null) throw over();
        const [user] = await tx.select().from(users).where(eq(users.id, userId));
        if (user === undefined) throw over();
        if (left !== null) {
          await audit(tx, { action: "recovery-code-used", userId, detail: { left, ip: request.ip } });
          await tell(tx, userId, { kind: "recovery-code-used", detail: { left: String(left), ...placeOf(request) } });
        }
        const second = left === null ? "code" : "recovery-code";
        return signIn(deps, { request, reply }, tx, user, membership, waiting.method as SignInMethod, { second });
      });
    },
    { rateLimit: TRIES },
  );

  route(
    app,
    api.passkeyOptions,
    async ({ request, reply }) => ({
      ...(await beginAsserting(deps, "passkey-sign-in", bindVisitor(request, reply, config.publicUrl))),
    }),
    { rateLimit: TRIES },
  );

  route(
    app,
    api.passkey,
    async ({ input, request, reply }) => {
      const key = await takeAssertion(deps, "passkey-sign-in", visitorBinding(request), input.credential);
      if (key === null) {
        await audit(db, { action: "sign-in-failed", detail: { method: "passkey", ip: request.ip } });
        throw unauthorized(
          "Ключ доступа не подошёл. Попробуйте ещё раз или войдите другим способом.",
          "passkey_refused",
        );
      }
      const membership = await membershipOf(db, key.userId);
      return db.transaction(async (tx) => {
        const [user] = await tx.select().from(users).where(eq(users.id, key.userId));
        if (user === undefined) throw over();
        return signIn(deps, { request, reply }, tx, user, membership, "passkey");
      });
    },
    { rateLimit: TRIES },
  );
}

/**
 * @returns null after a correct code of the app; after a recovery code, the number of those left
 * @throws Problem 401 for a wrong code, 429, 400 without any
 */
async function takeSecondFactor(
  { db, vault }: Deps,
  userId: string,
  { code, recoveryCode }: SecondFactorInput,
  ip: string,
): Promise<number | null> {
  const wrong = async (method: string, sentence: string) => {
    await audit(db, { action: "sign-in-failed", userId, detail: { method, ip } });
    return unauthorized(sentence, "wrong_code");
  };
  if (recoveryCode !== undefined) {
    // Counted by address as well, so that an attacker with the password alone cannot exhaust the owner's tries of recovery codes.
    await takeTry(db, tryKey(`recovery ${userId}`, ip), "Слишком много неверных кодов. Повторите позже.");
    const left = await takeRecoveryCode(db, userId, recoveryCode);
    if (left === null) throw await wrong("recovery-code", "Неверный код восстановления");
    return left;
  }
  if (code === undefined) throw invalid("invalid_input", "Введите код", { fields: { code: "Введите код" } });
  if (!(await takeCode(db, vault, userId, code, "enabled"))) throw await wrong("code", "Неверный код");
  return null;
}
