import { expect, test } from "vitest";
import type { CatalogueEntry, LocalModels } from "#contract/models/local-models.ts";
import type { RemoteModel } from "#contract/models/remote-model.ts";
import { offerOf as offerBeside } from "./offer.ts";

const entry = (over: Partial<CatalogueEntry>): CatalogueEntry => ({
  ...{ id: "a", kind: "chat", name: "QVikhr-3 1.7B", about: "Для обычного компьютера", licence: "Apache-2.0" },
  ...{ source: "https://huggingface.co/a/b", bytes: 1, memoryBytes: 1, verdict: "recommended", reads: false },
  figures: [],
  ...over,
});
const SMALL = entry({});
const LARGE = entry({ name: "Qwen3 4B", reads: true });
const EMBEDDER = entry({ kind: "embedder", name: "multilingual-e5-small" });
const server = (catalogue: CatalogueEntry[], over: Partial<LocalModels> = {}): LocalModels => ({
  ...{ machine: { memoryBytes: 1, cores: 1, diskBytes: 1 }, hub: "huggingface.co", settled: [], installed: [] },
  ...{ offerPassed: false, advised: [] },
  catalogue,
  ...over,
});

const offerOf = (models: LocalModels) => offerBeside(models, null);

const FOUND = "Модель поиска найдёт ответ и\u00a0на\u00a0вопрос другими словами.";
const LIVELY = "Языковая модель оживит ответы, факты по-прежнему найдёт поиск.";

test("a small model is offered for its wording alone, because it is not believed in what it reads", () => {
  expect(offerOf(server([SMALL]))).toEqual({ title: "Двойник может отвечать живее.", why: LIVELY });
});

test("a model that reads is offered for reading, and none is named, because a name says nothing to who has not chosen yet", () => {
  expect(offerOf(server([LARGE]))).toEqual({
    title: "Двойник может понимать больше.",
    why: "Языковая модель сама читает документы.",
  });
});

test("search by meaning is offered first, because it helped with more questions than a small model did", () => {
  expect(offerOf(server([SMALL, EMBEDDER]))).toEqual({
    title: "Двойник может понимать больше.",
    why: `${FOUND} ${LIVELY}`,
  });
});

test("what the settings have decided is not offered, and the other kind still is", () => {
  expect(offerOf(server([SMALL, EMBEDDER], { settled: ["chat"] }))?.why).toBe(FOUND);
  expect(offerOf(server([SMALL, EMBEDDER], { settled: ["chat", "embedder"] }))).toBeNull();
});

test("an operator who dismissed the offer gets no other", () => {
  expect(offerOf(server([SMALL, EMBEDDER], { offerPassed: true }))).toBeNull();
});

test("nothing is offered where a model is on the server already, nor where the machine can run none", () => {
  const installed = [{ id: "1" }] as LocalModels["installed"];
  expect(offerOf(server([SMALL], { installed }))).toBeNull();
  expect(offerOf(server([entry({ verdict: "slow" })]))).toBeNull();
});

test("beside a remote model that answers only the search is offered; one that is off or held by a rule does not count", () => {
  const settings = { enabled: true } as NonNullable<RemoteModel["settings"]>;
  const models = server([SMALL, EMBEDDER]);
  expect(offerBeside(models, { settings, held: null })?.why).toBe(FOUND);
  expect(offerBeside(server([LARGE]), { settings, held: null })).toBeNull();
  expect(offerBeside(models, { settings: { ...settings, enabled: false }, held: null })).toEqual(offerOf(models));
  expect(offerBeside(models, { settings, held: "organization" })).toEqual(offerOf(models));
  expect(offerBeside(models, { settings: null, held: null })).toEqual(offerOf(models));
});
