// What settings.spec.ts and settings.full.spec.ts share.
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";

export const anna = buildTwin(1, { name: "Анна", createdAt: "2025-11-10T10:00:00.000Z" });
export const path = `/api/digital-twins/${uuid(1)}`;
