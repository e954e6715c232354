import * as z from "zod/mini";
import { Twin, TwinPurpose, TwinStatus, twinsApi } from "#contract/twins.ts";

/** A twin, with the specification's defaults for missing or invalid fields. */
export const ReadTwin = z.extend(Twin, {
  publicName: z.catch(z.nullable(z.string()), null),
  description: z.catch(z.string(), ""),
  personality: z.catch(z.string(), "Профессиональный помощник"),
  communicationStyle: z.catch(z.string(), "Дружелюбный"),
  expertise: z.catch(z.array(z.string()), []),
  purpose: z.catch(TwinPurpose, "business"),
  // One screen of the specification calls a ready twin «active».
  status: z.catch(TwinStatus, ({ value }) => (value === "active" ? "ready" : "training")),
  styleAccuracy: z.catch(z.nullable(z.number()), null),
  /** "" when the response names no owner. */
  ownerId: z.catch(z.string(), ""),
  lastTrainedAt: z.catch(z.nullable(z.string()), null),
});

export const twinList = { ...twinsApi.list, output: z.array(ReadTwin) };
/** null means that the twin does not exist, like a 404. */
export const twinDetail = { ...twinsApi.get, output: z.nullable(ReadTwin) };
