/** A hub of models on this machine that answers as Hugging Face does, and cuts, lies and crawls when it is told to. */
import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { answer, type ProviderRequest, startProvider } from "../servers/provider-server.ts";

export interface HubFaults {
  /** Each answer with bytes ends after so many of them. */
  cutAfter?: number;
  /** So many answers are cut; absent: all. */
  cuts?: number;
  /** So many whole files come with a wrong byte in their middle. */
  liesLeft?: number;
  /** Bytes a second. */
  crawl?: number;
  /** It sends everything whatever range is asked for. */
  noRanges?: boolean;
  /** What it says of the range that it sends: another than was asked for, or nothing that can be read. */
  rangeTold?: string;
  /** The list tells no checksum. */
  noChecksum?: boolean;
  /** Where the bytes are said to lie; «bytes» of the same server unless told. */
  redirectTo?: string;
  /** The list is no list. */
  odd?: boolean;
  /** More bytes than were announced. */
  tooLong?: boolean;
  status?: number;
}

export interface LocalHub {
  origin: string;
  faults: HubFaults;
  /** Requests for bytes: the range that each asked for. */
  asked: string[];
  /** All requests, as `host path`. */
  requests: string[];
  close(): Promise<void>;
}

const REVISION = "0123456789abcdef0123456789abcdef01234567";

/** @param files content by `owner/name/file.gguf` */
export async function startHub(files: Record<string, Buffer>): Promise<LocalHub> {
  const asked: string[] = [];
  const requests: string[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const hub: LocalHub = { origin: "", faults: {}, asked, requests, close: async () => undefined };
  const contentOf = (path: string) => files[path.replace(`/resolve/${REVISION}/`, "/").slice(1)];

  function sendBytes(request: ProviderRequest, response: ServerResponse): void {
    const { faults } = hub;
    const whole = contentOf(decodeURIComponent(request.path.replace("/bytes", "")));
    if (whole === undefined) {
      answer(response, 404, {});
      return;
    }
    asked.push(String(request.headers.range ?? ""));
    const from = faults.noRanges ? 0 : Number(/^bytes=(\d+)-$/.exec(String(request.headers.range))?.[1] ?? 0);
    let content = Buffer.from(whole);
    if (faults.liesLeft) {
      content[Math.floor(content.length / 2)]! ^= 1;
      faults.liesLeft--;
    }
    if (faults.tooLong) content = Buffer.concat([content, randomBytes(100)]);
    const body = content.subarray(from);
    const partial = request.headers.range !== undefined && !faults.noRanges;
    response.writeHead(partial ? 206 : 200, {
      ...(faults.tooLong ? {} : { "content-length": body.length }),
      ...(partial ? { "content-range": faults.rangeTold ?? `bytes ${from}-${whole.length - 1}/${whole.length}` } : {}),
    });
    const cut = faults.cutAfter !== undefined && (faults.cuts ?? 1) > 0;
    if (cut && faults.cuts !== undefined) faults.cuts--;
    if (faults.crawl !== undefined) {
      crawl(response, body, faults);
      return;
    }
    if (!cut) {
      response.end(body);
      return;
    }
    response.flushHeaders();
    if (faults.cutAfter) response.write(body.subarray(0, faults.cutAfter));
    // What was written has to leave before the end.
    setTimeout(() => response.destroy(), 20);
  }

  function crawl(response: ServerResponse, body: Buffer, faults: HubFaults): void {
    const STEP_MS = 20;
    let at = 0;
    const timer = setInterval(() => {
      const piece = body.subarray(at, at + Math.max(1, Math.round(((faults.crawl ?? 1e9) * STEP_MS) / 1000)));
      at += piece.length;
      response.write(piece);
      if (at < body.length) return;
      clearInterval(timer);
      response.end();
    }, STEP_MS);
    timers.add(timer);
    response.on("close", () => clearInterval(timer));
  }

  const provider = await startProvider((request, response) => {
    requests.push(request.path);
    if (hub.faults.status !== undefined) return answer(response, hub.faults.status, {});
    const listed = /^\/api\/models\/([\w.-]+\/[\w.-]+)(?:\/tree\/(\w+))?$/.exec(request.path);
    if (listed !== null) {
      const names = Object.keys(files).filter((name) => name.startsWith(`${listed[1]}/`));
      if (hub.faults.odd) return void response.end("<html>Проверка браузера</html>");
      if (names.length === 0) return answer(response, 404, {});
      if (listed[2] === undefined) return answer(response, 200, { id: listed[1], sha: REVISION });
      const tree = names.map((name) => {
        const size = files[name]!.length;
        const oid = createHash("sha256").update(files[name]!).digest("hex");
        const lfs = hub.faults.noChecksum ? {} : { lfs: { oid, size, pointerSize: 135 } };
        return { type: "file", oid: "abc", size, path: name.split("/")[2], ...lfs };
      });
      return answer(response, 200, [{ type: "directory", oid: "d", size: 0, path: "old" }, ...tree]);
    }
    if (request.path.startsWith("/bytes/")) return sendBytes(request, response);
    if (contentOf(request.path) === undefined) return answer(response, 404, {});
    response.writeHead(302, { location: hub.faults.redirectTo ?? `/bytes${request.path}` });
    response.end();
  });
  hub.origin = provider.root;
  hub.close = async () => {
    for (const timer of timers) clearInterval(timer);
    await provider.close();
  };
  return hub;
}
