import { readFileSync } from "node:fs";

const manifest = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");

/** As package.json has it. */
export const { version: PRODUCT_VERSION } = JSON.parse(manifest) as { version: string };
