/**
 * Preloaded with `--import` to speed up the start. Node reads a package's package.json for every import of it and for the format of each of
 * its modules. drizzle-orm's lists 180 KB of entry points, so its hundred modules and our hundred imports would cost 0.5 s of CPU time and
 * 75 MB of garbage. All its modules are ES modules.
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
