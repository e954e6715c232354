/** One switch that silences all twins of an organisation at once. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

export const StopSwitch = z.object({
  stopped: z.boolean(),
  /** When, and by whom: both null while the twins answer. */
  since: z.nullable(z.string()),
  by: z.nullable(z.string()),
  /** The caller may let the twins answer again: an administrator, or who has stopped them. */
  mayResume: z.boolean(),
});
export type StopSwitch = z.infer<typeof StopSwitch>;

export const StopSwitchInput = z.object({ stopped: z.boolean("Ожидалось да или нет") });
export type StopSwitchInput = z.infer<typeof StopSwitchInput>;

export const stopSwitchApi = {
  get: endpoint("GET /api/stop-switch", {
    access: "signed-in",
    summary: "Остановлены ли все двойники организации",
    output: StopSwitch,
  }),
  set: endpoint("PUT /api/stop-switch", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Остановить всех двойников организации сразу или снова включить их",
    input: StopSwitchInput,
    output: StopSwitch,
  }),
};
