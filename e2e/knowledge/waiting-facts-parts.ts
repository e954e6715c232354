// What waiting-facts.spec.ts and waiting-facts.full.spec.ts share.
import { uuid } from "../factories/ids.ts";
import { type Answers, json } from "../support/answers.ts";
import type { ApiRequest } from "../support/intercept.ts";

export const found = (id: number, question: string, reply: string) => ({
  question,
  variants: [
    {
      ...{ id: String(id), reply, times: 2, people: 2, saidAt: "2026-01-02T10:00:00Z" },
      message: { id: "7", before: "1767348600000000_0" },
    },
  ],
  current: null,
  clear: true,
});

/** As it was sent. */
interface Decision {
  decision: unknown;
  text: unknown;
}

/** A server that keeps which facts are decided on, for several twins. */
export function deciding(twins: { id: string; name: string; facts: ReturnType<typeof found>[] }[]) {
  const decided = new Map<string, Decision>();
  const left = (facts: ReturnType<typeof found>[]) => facts.filter(({ variants }) => !decided.has(variants[0]!.id));
  const answers: Answers = {
    "GET /api/knowledge/uses": json({ uses: [], atLeast: false }),
    "GET /api/knowledge/facts": () => ({
      facts: twins.flatMap(({ id, name, facts }) =>
        facts.flatMap(({ question, variants: [variant] }) => {
          const text = decided.get(variant!.id)?.text;
          const own = { id: uuid(800 + Number(variant!.id)), digitalTwinId: id, digitalTwinName: name };
          const rest = { rewordings: [], fromLetters: true, active: true, createdAt: "2026-01-03T10:00:00Z" };
          return text === undefined ? [] : [{ ...own, ...rest, question, text }];
        }),
      ),
      waiting: twins
        .map(({ id, name, facts }) => ({ digitalTwinId: id, digitalTwinName: name, facts: left(facts).length }))
        .filter(({ facts }) => facts > 0),
    }),
  };
  for (const { id, facts } of twins) {
    answers[`GET /api/digital-twins/${id}/chat-facts`] = () => ({
      counts: { total: facts.length, left: left(facts).length },
      facts: left(facts),
      looking: false,
    });
    for (const { variants } of facts) {
      const factId = variants[0]!.id;
      answers[`PUT /api/digital-twins/${id}/chat-facts/${factId}`] = (route, request: ApiRequest) => {
        const { decision, text } = request.postDataJSON() ?? {};
        if (decision === "reopen") decided.delete(factId);
        else decided.set(factId, { decision, text });
        return route.fulfill({ status: 204 });
      };
    }
  }
  return { answers, decided };
}
