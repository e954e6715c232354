/** Separate from the ledger's other calls, because every screen shows this number and few make those. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

export const actCountApi = {
  count: endpoint("GET /api/acts/count", {
    access: "signed-in",
    tags: ["acts"],
    summary: "Сколько действий ждёт решения вызывающего или проверки",
    output: z.object({ waiting: z.number() }),
  }),
};
