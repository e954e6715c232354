import * as z from "zod/mini";

/**
 * Whether a correction applies to all conversations or only to those with one contact. It applies to all only when the owner
 * chooses so in a separate act (docs/decisions/022-corrections.md); it is never proposed or preset.
 */
export const CorrectionScope = z.enum(["everybody", "contact"], "Выберите, для кого это");
export type CorrectionScope = z.infer<typeof CorrectionScope>;
