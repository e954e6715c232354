/** «Проверить»: sends a second of silence or a small grey picture, and describes a failure in one sentence. */
import { crc32, deflateSync } from "node:zlib";
import type { MediaCheck, MediaKind } from "#contract/models/media-readers.ts";
import { wavOf } from "../wav.ts";
import { askEndpoint, type Endpoint } from "./endpoint.ts";
import { EndpointTrouble, FileTrouble, sentenceOfEndpoint } from "./trouble.ts";

const CHECK_MS = 20_000;

export async function checkEndpoint(endpoint: Endpoint, timeoutMs = CHECK_MS): Promise<MediaCheck> {
  const { kind, preset, baseUrl } = endpoint;
  const began = performance.now();
  const told = (problem: MediaCheck["problem"], sentence?: string): MediaCheck => {
    const milliseconds = Math.round(performance.now() - began);
    const seconds = (milliseconds / 1000).toLocaleString("ru-RU", { maximumFractionDigits: 1 });
    const good = `Сервис ответил на образец за ${seconds} с.`;
    return {
      problem,
      milliseconds,
      sentence: sentence ?? (problem ? sentenceOfEndpoint(problem, preset, baseUrl) : good),
    };
  };
  try {
    await askEndpoint(endpoint, SAMPLES[kind](), { signal: AbortSignal.timeout(timeoutMs) });
    return told(null);
  } catch (error) {
    if (error instanceof EndpointTrouble) return told(error.problem);
    if (error instanceof FileTrouble) return told("protocol", NOT_THIS_KIND[kind]);
    throw error;
  }
}

const NOT_THIS_KIND: Record<MediaKind, string> = {
  speech: "Сервис отвечает, но записей не принимает: проверьте адрес и название модели.",
  picture: "Сервис отвечает, но картинок не принимает: нужна модель, которая их видит.",
};

const SAMPLES: Record<MediaKind, () => { bytes: Buffer; mime: string; durationSeconds: number | null }> = {
  speech: () => ({ bytes: wavOf(Buffer.alloc(RATE * 2), RATE), mime: "audio/wav", durationSeconds: 1 }),
  picture: () => ({ bytes: greyPicture(), mime: "image/png", durationSeconds: null }),
};

const RATE = 16_000;

const SIDE = 64;

function greyPicture(): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIDE, 0);
  head.writeUInt32BE(SIDE, 4);
  // Bit depth 8, colour type 0 (greyscale).
  head[8] = 8;
  const rows = Buffer.concat(
    Array.from({ length: SIDE }, () => Buffer.concat([Buffer.from([0]), Buffer.alloc(SIDE, 200)])),
  );
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([magic, chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}
