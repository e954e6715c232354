/** Answers of a local model. */

import { prepareTinyModel } from "#server/test/models/local-generator-bench.ts";

export const ODD = new URL("./odd-host.ts", import.meta.url);

export const bench = prepareTinyModel();
export const { hostOf } = bench;
