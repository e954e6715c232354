// What advice.spec.ts and advice.full.spec.ts share.
import type { Page } from "@playwright/test";
import { buildUser } from "../factories/people.ts";
import { answering, json, nothing } from "../support/answers.ts";

const GB = 1024 ** 3;

const entry = (id: string, kind: string, name: string, gigabytes: number) => ({
  ...{ id, kind, name, about: "Чаще находит нужное", licence: "MIT", source: "https://huggingface.co/a/b" },
  ...{ bytes: gigabytes * GB, memoryBytes: 1.5 * gigabytes * GB, verdict: "recommended", reads: false, figures: [] },
});

export const CATALOGUE = [
  entry("bge-m3", "embedder", "BGE-M3", 0.5),
  entry("qvikhr-3-1.7b", "chat", "QVikhr-3 1.7B", 1.1),
  { ...entry("t-lite", "chat", "T-lite-it 2.1 8B", 5), verdict: "no-memory" },
];

export const installed = (n: number, of: (typeof CATALOGUE)[number], own: object) => ({
  ...{ id: `8b0e2f1c-0000-4000-8000-00000000000${n}`, kind: of.kind, name: of.name, catalogueId: of.id },
  ...{
    state: "downloading",
    problem: null as string | null,
    resumable: false,
    bytes: of.bytes,
    received: 0,
    bytesPerSecond: null,
  },
  ...{ memoryBytes: null, allowed: false, chosen: false, wanted: true, organizations: 0, afterRestart: false },
  ...own,
});

/** The server of /model with these models, and what it was told. */
export async function onServer(page: Page, own: object) {
  const state = {
    ...{ machine: { memoryBytes: 8 * GB, cores: 4, diskBytes: 120 * GB }, hub: "huggingface.co", settled: [] },
    ...{ catalogue: CATALOGUE, advised: ["bge-m3", "qvikhr-3-1.7b"], offerPassed: true },
    installed: [] as ReturnType<typeof installed>[],
    ...own,
  };
  const told: string[] = [];
  await answering(
    page,
    {
      "GET /api/auth/verify": json({ user: buildUser({ superAdmin: true, role: "org_admin" }) }),
      "GET /api/admin/models": () => state,
      "POST /api/admin/models": (_route, request) => {
        const { catalogueId, choose } = request.postDataJSON() as { catalogueId: string; choose: boolean };
        told.push(`${catalogueId} ${choose}`);
        const model = CATALOGUE.find(({ id }) => id === catalogueId)!;
        const made = installed(state.installed.length, model, { received: 0.25 * GB, bytesPerSecond: 4e6 });
        state.installed.push(made);
        state.advised = [];
        return made;
      },
    },
    (route, request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === "DELETE" && pathname.startsWith("/api/admin/models/")) {
        told.push("removed");
        state.installed.length = 0;
        return nothing(route, request);
      }
      if (pathname.endsWith("/remote-model"))
        return json({
          ...{ settings: null, exam: null, examining: null, examFailure: null, held: null, mayBePrivate: true },
          today: { tokens: 0, tokenLimit: 0, money: null, moneyLimit: null },
        })(route, request);
      if (pathname.endsWith("/model"))
        return json({ choice: "default", defaultName: null, models: [], settled: false })(route, request);
      return json([])(route, request);
    },
  );
  await page.goto("/model");
  return { state, told };
}
