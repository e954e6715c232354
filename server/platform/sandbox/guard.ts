/**
 * Loaded before a sandboxed program. Node's permission model blocks files, processes and threads; this module also blocks the network. A
 * program that needs another module of Node must have it added to the list here.
 */
import { Console } from "node:console";
import { isBuiltin, registerHooks } from "node:module";

const ALLOWED = new Set(
  "assert async_hooks buffer console constants crypto events fs fs/promises module os path perf_hooks process stream stream/promises stream/web string_decoder timers timers/promises tty url util util/types zlib".split(
    " ",
  ),
);

registerHooks({
  resolve(specifier, context, next) {
    const name = specifier.replace(/^node:/, "");
    if (isBuiltin(specifier) && !ALLOWED.has(name)) throw new Error(`${specifier} is not for sandboxed programs`);
    return next(specifier, context);
  },
});
for (const name of ["fetch", "WebSocket", "EventSource"]) Reflect.deleteProperty(globalThis, name);
for (const name of ["binding", "dlopen", "getBuiltinModule"]) Reflect.deleteProperty(process, name);

// Responses go over stdout, so the output of libraries is redirected to stderr.
globalThis.console = new Console(process.stderr, process.stderr);
// Ctrl+C in a terminal reaches this process too, but the server decides when it exits.
process.on("SIGINT", () => undefined);
