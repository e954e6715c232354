import * as z from "zod/mini";

/**
 * Whether something that the owner teaches holds in all conversations or only in those with one contact. It holds in all of them only
 * where he has named everybody in an act of its own (docs/decisions/022-corrections.md): nothing is proposed or preset so.
 */
export const CorrectionScope = z.enum(["everybody", "contact"], "Выберите, для кого это");
export type CorrectionScope = z.infer<typeof CorrectionScope>;
