import * as z from "zod/mini";

/** Version of the texts at /legal/privacy and /legal/terms. Change it together with them: every user is then asked to accept again. */
export const CONSENT_VERSION = "2026-11-24";

export const ConsentVersion = z.string("Примите условия и политику").check(z.minLength(1), z.maxLength(40));

/** The operator who runs this installation and is responsible for personal data; null where the settings name none. */
export const Operator = z.object({ name: z.string(), contact: z.string() });
export type Operator = z.infer<typeof Operator>;
