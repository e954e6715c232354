import { embeddedReply } from "../wording/embedded-reply.ts";
import type { Generator } from "./generator.ts";

export function embeddedGenerator(): Generator {
  return {
    name: "embedded",
    async *generate(request, signal) {
      signal.throwIfAborted();
      yield embeddedReply(request);
    },
  };
}
