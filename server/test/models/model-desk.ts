/** A server whose hub has small models, and its administrator at the screen «Модель». */

import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { LocalModel, LocalModels } from "#contract/models/local-models.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";
import { GGUF_TYPE, ggufHead, text, u32 } from "./gguf-bytes.ts";
import { type LocalHub, startHub } from "./local-hub.ts";
import { writeTinyChatModel, writeTinyReader } from "./tiny-model.ts";

export interface ModelDesk {
  t: TestApp;
  hub: LocalHub;
  /** The platform's administrator, and one of an organisation. */
  chief: TestClient;
  admin: TestClient;
  chat: Buffer;
  reader: Buffer;
  find(id: string): Promise<LocalModel | undefined>;
  /** Names in the folder of models. */
  files(): string[];
  install(catalogueId: string): Promise<LocalModel>;
  until(id: string, ended: (model: LocalModel) => boolean): Promise<LocalModel>;
  rowOf(id: string): Promise<typeof localModels.$inferSelect>;
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

export const settled = ({ state }: LocalModel): boolean => state === "ready" || state === "failed";

export async function openModelDesk(): Promise<ModelDesk> {
  const folder = await mkdtemp(join(tmpdir(), "dt-hub-files-"));
  await writeTinyChatModel(join(folder, "chat"));
  await writeTinyReader(join(folder, "reader"), "bge-m3");
  const chat = await readFile(join(folder, "chat"));
  const reader = await readFile(join(folder, "reader"));
  await rm(folder, { recursive: true });
  const hub = await startHub({
    "Qwen/Qwen3-0.6B-GGUF/Qwen3-0.6B-Q8_0.gguf": chat,
    "Vikhrmodels/QVikhr-3-1.7B-Instruction-noreasoning-GGUF/QVikhr-Q4_K_M.gguf": chat,
    "bartowski/Qwen_Qwen3-1.7B-GGUF/Qwen3-1.7B-Q4_K_M.gguf": Buffer.from(`<html>${"страница ".repeat(50)}</html>`),
    // Not one that searches.
    "gpustack/bge-m3-GGUF/bge-m3-Q8_0.gguf": chat,
    "Qwen/Qwen3-4B-GGUF/Qwen3-4B-Q4_K_M.gguf": ggufWith(2_000_000),
  });
  const t = await testApp({ modelHub: { origin: hub.origin, fileHosts: [] } });
  const chief = await t.signUp({ superAdmin: true });
  const admin = await t.signUp();
  const find = async (id: string) =>
    (await chief.get("/api/admin/models")).json<LocalModels>().installed.find((model) => model.id === id);
  return {
    ...{ t, hub, chief, admin, chat, reader, find },
    files() {
      const models = join(t.services.config.dataDir, "models");
      return existsSync(models) ? readdirSync(models) : [];
    },
    async install(catalogueId) {
      const answer = await chief.post("/api/admin/models", { catalogueId });
      expect(answer.statusCode, answer.body).toBe(202);
      return answer.json();
    },
    async until(id, ended) {
      for (const deadline = Date.now() + 30_000; ; ) {
        const model = await find(id);
        if (model !== undefined && ended(model)) return model;
        if (Date.now() > deadline) throw new Error(`It is still ${JSON.stringify(model)}`);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    },
    async rowOf(id) {
      const [row] = await t.services.db.select().from(localModels).where(eq(localModels.id, id));
      return row!;
    },
    async remove(id) {
      await chief.put(`/api/admin/models/${id}`, { chosen: false });
      expect((await chief.delete(`/api/admin/models/${id}`)).statusCode).toBe(204);
    },
    async close() {
      await t.close();
      await hub.close();
    },
  };
}

/** The beginning of a model of so many layers: what its texts would take in memory. */
export function ggufWith(layers: number): Buffer {
  const numbers = { block_count: layers, "attention.head_count": 32, embedding_length: 4096, context_length: 4096 };
  const entries = Object.entries(numbers).map(([key, value]) =>
    Buffer.concat([text(`llama.${key}`), u32(GGUF_TYPE.u32), u32(value)]),
  );
  const architecture = Buffer.concat([text("general.architecture"), u32(GGUF_TYPE.text), text("llama")]);
  return ggufHead([], [architecture, ...entries]);
}
