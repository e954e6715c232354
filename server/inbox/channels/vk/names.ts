/** Finds names of contacts, because an event has only the number. */
import { LRUCache } from "lru-cache";
import * as z from "zod/mini";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";
import type { VkCall } from "./api.ts";

/** VK waits for the response to an event, so a name may take only this many milliseconds. */
const NAME_MS = 1_000;
/** https://dev.vk.com/ru/method/users.get */
const USERS_AT_MOST = 1000;

const Users = z.array(z.object({ id: z.number(), first_name: z.string(), last_name: z._default(z.string(), "") }));

/** The name by the user's number; the number itself when VK does not respond in time. */
type NameOf = (user: number) => Promise<string>;

/** Names requested while a call is running share the next one, because a community has twenty calls a second. */
export function nameFinder(call: VkCall): NameOf {
  const known = new LRUCache<number, string>({ max: 5_000, ttl: 3600_000 });
  const wanted = new Set<number>();
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function ask(users: readonly number[]): Promise<void> {
    const params = { user_ids: users.slice(0, USERS_AT_MOST).join(",") };
    for (const user of Users.parse(await call("users.get", params, { ms: NAME_MS }))) {
      const name = sanitizeText(`${user.first_name} ${user.last_name}`);
      if (name !== "") known.set(user.id, name);
    }
  }

  return async (user) => {
    if (!known.has(user)) {
      wanted.add(user);
      next ??= running.then(() => {
        const users = [...wanted];
        wanted.clear();
        next = null;
        const asked = ask(users).catch(() => {});
        running = asked;
        return asked;
      });
      await next;
    }
    return known.get(user) ?? `id${user}`;
  };
}
