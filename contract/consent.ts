import * as z from "zod/mini";

/** Of the texts at /legal/privacy and /legal/terms. Whoever changes them changes it, and everybody is asked once more. */
export const CONSENT_VERSION = "2026-11-23";

export const ConsentVersion = z.string("Примите условия и политику").check(z.minLength(1), z.maxLength(40));

/** Whoever runs this installation and answers for the personal data; null where the settings do not say. */
export const Operator = z.object({ name: z.string(), contact: z.string() });
export type Operator = z.infer<typeof Operator>;
