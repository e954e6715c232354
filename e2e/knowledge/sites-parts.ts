// What sites.spec.ts and sites.full.spec.ts share.
import { uuid } from "../factories/ids.ts";
import { anna } from "./answering-knowledge.ts";

export const site = (own: object = {}) => ({
  id: uuid(600),
  digitalTwinId: anna.id,
  digitalTwinName: anna.name,
  url: "https://tort.example/",
  type: "product",
  state: "reading",
  reason: null,
  pages: { ...{ found: 12, read: 3, documents: 2 }, ...{ added: 2, changed: 0, gone: 0 } },
  startedAt: new Date().toISOString(),
  finishedAt: null,
  ...own,
});

export const path = `/api/knowledge/websites/${uuid(600)}`;
