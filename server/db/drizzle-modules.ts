/**
 * Preloaded by `--import`. For each import of a package, and for the format of each of its modules, Node reads its package.json anew, and
 * drizzle-orm's is 180 KB of entry points: its hundred modules and our hundred imports cost a start 0.5 s of processor time and 75 MB of
 * garbage. Its own modules are all ES modules.
 */
import { type ResolveFnOutput, registerHooks } from "node:module";

const entries = new Map<string, ResolveFnOutput>();

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith("drizzle-orm") && context.conditions.includes("import")) {
      const entry = entries.get(specifier) ?? next(specifier, context);
      entries.set(specifier, entry);
      return { ...entry, shortCircuit: true };
    }
    const { parentURL = "" } = context;
    const inside = specifier.startsWith(".") && specifier.endsWith(".js") && parentURL.endsWith(".js");
    if (!inside || !parentURL.includes("/node_modules/drizzle-orm/")) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});
