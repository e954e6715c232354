// Which paragraph and which sentence of XQuAD come first by our index and by PostgreSQL's full-text search, in one run: `npm run
// research:retrieval`. Articles that the code was not tuned on; QUALITY_PART=dev asks of the others.
import { Console } from "node:console";
import { withPostgres } from "../bench/postgres/with-postgres.ts";
import { retrieval } from "./retrieval/baselines.ts";

const out = new Console(process.stdout);
const part = process.env.QUALITY_PART === "dev" ? "dev" : "test";

await withPostgres(async (db) => {
  out.log(`\nXQuAD, questions on articles of ${part}`);
  out.table({ ...(await retrieval(db, "ru", part)), ...(await retrieval(db, "en", part)) });
});
