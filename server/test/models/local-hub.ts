/** A model hub on this machine: it answers as Hugging Face does, and can break off, send wrong bytes or send slowly on demand. */
import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { answer, type ProviderRequest, startProvider } from "../servers/provider-server.ts";

interface HubFaults {
  /** The connection breaks after this many bytes of a file. */
  breakAfterBytes?: number;
  /** How many answers break off; absent: all of them. */
  breaksLeft?: number;
  /** How many files still come with a wrong byte in their middle. */
  corruptionsLeft?: number;
  /** Greatest number of bytes sent in a second; absent: no limit. */
  bytesPerSecond?: number;
  /** Range requests are ignored: the whole file is sent. */
  ignoresRanges?: boolean;
  /** A wrong `content-range`: another range than was asked for, or an unreadable one. */
  contentRange?: string;
  /** The list of files has no checksums. */
  noChecksum?: boolean;
  /** Where a download is redirected to; absent: to `/bytes` of this server. */
  redirectTo?: string;
  /** The list of files is answered with an HTML page. */
  listIsHtml?: boolean;
  /** A file comes with more bytes than were announced. */
  tooLong?: boolean;
  /** Every request is answered with this status. */
  status?: number;
}

export interface LocalHub {
  /** Content by `owner/name/file`; it may change. */
  files: Record<string, Buffer>;
  origin: string;
  faults: HubFaults;
  /** The `range` header of each request for bytes; "" without one. */
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
  const hub: LocalHub = { files, origin: "", faults: {}, asked, requests, close: async () => undefined };
  const contentOf = (path: string) => files[path.replace(`/resolve/${REVISION}/`, "/").slice(1)];

  function sendBytes(request: ProviderRequest, response: ServerResponse): void {
    const { faults } = hub;
    const whole = contentOf(decodeURIComponent(request.path.replace("/bytes", "")));
    if (whole === undefined) {
      answer(response, 404, {});
      return;
    }
    asked.push(String(request.headers.range ?? ""));
    const from = faults.ignoresRanges ? 0 : Number(/^bytes=(\d+)-$/.exec(String(request.headers.range))?.[1] ?? 0);
    let content = Buffer.from(whole);
    if (faults.corruptionsLeft) {
      content[Math.floor(content.length / 2)]! ^= 1;
      faults.corruptionsLeft--;
    }
    if (faults.tooLong) content = Buffer.concat([content, randomBytes(100)]);
    const body = content.subarray(from);
    const partial = request.headers.range !== undefined && !faults.ignoresRanges;
    response.writeHead(partial ? 206 : 200, {
      ...(faults.tooLong ? {} : { "content-length": body.length }),
      ...(partial
        ? { "content-range": faults.contentRange ?? `bytes ${from}-${whole.length - 1}/${whole.length}` }
        : {}),
    });
    const breaks = faults.breakAfterBytes !== undefined && (faults.breaksLeft ?? 1) > 0;
    if (breaks && faults.breaksLeft !== undefined) faults.breaksLeft--;
    if (faults.bytesPerSecond !== undefined) {
      sendSlowly(response, body, faults);
      return;
    }
    if (!breaks) {
      response.end(body);
      return;
    }
    response.flushHeaders();
    if (faults.breakAfterBytes) response.write(body.subarray(0, faults.breakAfterBytes));
    // The bytes that were written must be sent before the connection is destroyed.
    setTimeout(() => response.destroy(), 20);
  }

  function sendSlowly(response: ServerResponse, body: Buffer, faults: HubFaults): void {
    const STEP_MS = 20;
    let at = 0;
    const timer = setInterval(() => {
      const piece = body.subarray(at, at + Math.max(1, Math.round(((faults.bytesPerSecond ?? 1e9) * STEP_MS) / 1000)));
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
      if (hub.faults.listIsHtml) return void response.end("<html>Проверка браузера</html>");
      if (names.length === 0) return answer(response, 404, {});
      if (listed[2] === undefined) return answer(response, 200, { id: listed[1], sha: REVISION });
      const tree = names.map((name) => {
        const size = files[name]!.length;
        const oid = createHash("sha256").update(files[name]!).digest("hex");
        const lfs = hub.faults.noChecksum ? {} : { lfs: { oid, size, pointerSize: 135 } };
        const small = name.endsWith(".txt");
        const blob = createHash("sha1").update(`blob ${size}\0`).update(files[name]!).digest("hex");
        return { type: "file", oid: small ? blob : "abc", size, path: name.split("/")[2], ...(small ? {} : lfs) };
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
