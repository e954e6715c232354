import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

export const StopSwitch = z.object({
  stopped: z.boolean(),
  since: z.nullable(z.string()),
  by: z.nullable(z.string()),
  /** Whether the caller may start the twins again: an administrator, or the member who has stopped them. */
  mayResume: z.boolean(),
});
export type StopSwitch = z.infer<typeof StopSwitch>;

const StopSwitchInput = z.object({ stopped: z.boolean("Ожидалось да или нет") });

export const stopSwitchApi = {
  get: endpoint("GET /api/stop-switch", {
    access: "signed-in",
    tags: ["stop-switch"],
    summary: "Остановлены ли все двойники организации",
    output: StopSwitch,
  }),
  set: endpoint("PUT /api/stop-switch", {
    access: "editor",
    refreshes: ["stop-switch", "approvals"],
    beforeConfirmation: true,
    summary: "Приостановить всех двойников организации сразу или снова включить их",
    input: StopSwitchInput,
    output: StopSwitch,
  }),
};
