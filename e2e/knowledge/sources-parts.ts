// What sources.spec.ts and sources.full.spec.ts share.
import { uuid } from "../factories/ids.ts";

export const REIMPORT = `POST /api/integrations/${uuid(1)}/reimport`;
