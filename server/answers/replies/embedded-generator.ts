import type { Generator } from "./generator.ts";
import { embeddedReply } from "./wording/embedded-reply.ts";

export function embeddedGenerator(): Generator {
  return {
    name: "embedded",
    async *generate(request, signal) {
      signal.throwIfAborted();
      yield embeddedReply(request);
    },
  };
}
