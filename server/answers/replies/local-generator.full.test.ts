/** The model's process may end repeatedly without a reply being lost. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { noLlama } from "#server/test/models/has-llama.ts";
import { asked, calm, chunk, generatorOf, prepareTinyModel, reply } from "#server/test/models/local-generator-bench.ts";
import { planAfter } from "./planning/decide.ts";

const FELL_BACK = "Модель не ответила, двойник ответил сам по документам. Ответ найден в документе «Доставка».";

const { hostOf } = prepareTinyModel();

const missing = noLlama();
const why = missing === null ? "" : `: skipped, ${missing}`;

test.skipIf(missing !== null)(
  `no reply is lost while the model's process is killed again and again${why}`,
  async () => {
    const host = hostOf();
    const generator = generatorOf(host);
    // The model itself answers; text beyond its context is left out.
    const long = asked({
      chunks: Array.from({ length: 20 }, (_, at) => chunk(`Пункт ${at}. ${"очень длинно ".repeat(60)}`)),
      plan: { kind: "unknown", confidence: 0.1, reason: "" },
    });
    const said = await reply(generator, long);
    // The model writes nonsense, so none of it may be sent.
    expect(said).toMatch(/^[А-Яа-я., ]+$/);
    expect(generator.fellBack?.(long)).toBe(false);
    expect(planAfter(generator, long, said).reason).not.toContain("Модель не ответила");

    const requests = Array.from({ length: 40 }, (_, at) =>
      asked({ payer: { organizationId: `o${at % 4}`, userId: `u${at}`, twinId: "t" } }),
    );
    let answered = false;
    const killing = (async () => {
      // Kills the process as soon as it responds, sometimes in the middle of a reply, so the next replies meet a loading process or none.
      for (; !answered; await pause(30)) if (await host.facts(calm).catch(() => null)) kill(host.pid!);
    })();
    const replies = await Promise.all(
      requests.map(async (request, at) => {
        await pause(at * 100);
        return { request, text: await reply(generator, request) };
      }),
    );
    answered = true;
    await killing;
    const fallen = replies.filter(({ request }) => generator.fellBack?.(request));
    expect(fallen.length).toBeGreaterThan(5);
    for (const { request, text } of replies) expect(text, `${generator.fellBack?.(request)}`).not.toBe("");
    for (const { request, text } of fallen) {
      expect(text).toBe("Доставка стоит 350 рублей.");
      expect(planAfter(generator, request, text).reason).toBe(FELL_BACK);
    }
  },
);

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended already.
  }
}
