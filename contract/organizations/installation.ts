/** The installation's first platform administrator, who installs models, sees its health and may enter addresses in its network. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

/**
 * `there`: an administrator exists; `first`: the next user who confirms an account becomes one; `code`: the user who enters the code
 * that the server has printed; `named`: the user who confirms the address that the settings name.
 */
export const AdministratorState = z.enum(["there", "first", "code", "named"]);
export type AdministratorState = z.infer<typeof AdministratorState>;

export const InstallationCode = z.object({
  code: z
    .string("Введите код")
    .check(z.trim(), z.minLength(1, "Введите код"), z.maxLength(100, "Это не код администратора")),
});
export type InstallationCode = z.infer<typeof InstallationCode>;

export const installationApi = {
  administrator: endpoint("GET /api/installation/administrator", {
    access: "public",
    tags: ["platform"],
    summary: "Есть ли у установки администратор, а если нет, кто им станет",
    output: z.object({ administrator: AdministratorState }),
  }),
  /** Responds 409 when there is an administrator or the settings name one, 403 for a wrong code and for the demo account. */
  claim: endpoint("POST /api/installation/administrator", {
    access: "signed-in",
    refreshes: ["platform", "remote-model", "media-readers"],
    summary: "Стать администратором установки, у которой его ещё нет: по коду, который печатает сервер при запуске",
    input: InstallationCode,
    output: z.object({ success: z.literal(true) }),
  }),
};
