/** A local service that recognises, as OpenAI's transcriptions and vision and Yandex SpeechKit are described; whatever is asked otherwise is refused. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { answer, type ProviderRequest, startProvider } from "./provider-server.ts";

export interface RecognitionServer {
  /** The value for an OpenAI-compatible address, and Yandex's root. */
  baseUrl: string;
  yandexUrl: string;
  /** What was sent to be read, in order. */
  heard: { model: string; bytes: Buffer; format: string }[];
  /** What is answered to everything. */
  says: { text: string; sure: number; seconds?: number };
  /** Whether no key is asked for. */
  open: boolean;
  /** While true, nothing is answered. */
  silent: boolean;
  /** Answers of the next calls instead. */
  next: ((response: ServerResponse) => void)[];
  close(): Promise<void>;
}

export const KEY = "key-of-a-service";

export async function startRecognitionServer(): Promise<RecognitionServer> {
  const operations = new Map<string, number>();
  const provider = await startProvider((request, response) => {
    const { path, headers } = request;
    const yandex = /^\/(?:speech|stt)\//.test(path);
    if (!started.open && headers.authorization !== (yandex ? `Api-Key ${KEY}` : `Bearer ${KEY}`))
      return answer(response, 401, { error: { message: "wrong key" } });
    if (started.silent) {
      started.heard.push({ model: "", bytes: Buffer.alloc(0), format: "" });
      return;
    }
    const special = started.next.shift();
    if (special !== undefined) return special(response);
    if (path === "/v1/audio/transcriptions") return transcribe(request, response);
    if (path === "/v1/chat/completions") return look(request, response);
    if (path === "/speech/v1/stt:recognize") return recognizeShort(request, response);
    if (path === "/stt/v3/recognizeFileAsync") return recognizeLong(request, response);
    if (path === "/stt/v3/getRecognition") return result(request, response);
    return answer(response, 404, { error: { message: "no such path" } });
  });

  const wrong = (response: ServerResponse, message: string) => answer(response, 400, { error: { message } });

  function transcribe({ raw, headers, method }: ProviderRequest, response: ServerResponse) {
    const boundary = /^multipart\/form-data; boundary=([\w-]{10,70})$/.exec(headers["content-type"] ?? "")?.[1];
    if (method !== "POST" || boundary === undefined) return wrong(response, "not a form");
    const fields = fieldsOf(raw, boundary);
    const [model, file] = [fields.get("model")?.value.toString(), fields.get("file")];
    if (model === undefined || file === undefined) return wrong(response, "model and file are required");
    if (!/^recording\.(?:ogg|wav|mp3|m4a|webm|flac)$/.test(file.fileName ?? ""))
      return wrong(response, "Invalid file format");
    const { text, sure, seconds } = started.says;
    started.heard.push({ model, bytes: file.value, format: file.fileName!.split(".")[1]! });
    if (fields.get("response_format")?.value.toString() !== "verbose_json")
      return answer(response, 200, { text, logprobs: [{ token: "a", logprob: Math.log(sure), bytes: [] }] });
    const part = { id: 0, seek: 0, start: 0, end: 2, text: ` ${text}`, tokens: [], temperature: 0 };
    answer(response, 200, {
      ...{ task: "transcribe", language: "russian", ...(seconds === undefined ? {} : { duration: seconds }), text },
      segments:
        text === "" ? [] : [{ ...part, avg_logprob: Math.log(sure), no_speech_prob: 0.01, compression_ratio: 1 }],
    });
  }

  function look({ body }: ProviderRequest, response: ServerResponse) {
    const { model, messages } = JSON.parse(body) as {
      model: string;
      messages: { content: { type: string; image_url?: { url: string } }[] }[];
    };
    const shown = messages[0]?.content.find(({ type }) => type === "image_url")?.image_url?.url;
    const found = /^data:image\/(png|jpeg|webp|gif);base64,([A-Za-z0-9+/=]+)$/.exec(shown ?? "");
    if (found === null) return wrong(response, "Invalid image");
    started.heard.push({ model, bytes: Buffer.from(found[2]!, "base64"), format: found[1]! });
    const { text, sure } = started.says;
    const content = `\`\`\`json\n${JSON.stringify({ text, sure })}\n\`\`\``;
    answer(response, 200, { choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] });
  }

  function recognizeShort({ raw, query }: ProviderRequest, response: ServerResponse) {
    const format = query.get("format");
    const known =
      format === "oggopus" || (format === "lpcm" && /^(?:8000|16000|48000)$/.test(query.get("sampleRateHertz") ?? ""));
    if (!known || query.get("lang") === null)
      return answer(response, 400, { error_code: "BAD_REQUEST", error_message: "format" });
    if (raw.length > 1024 ** 2) return answer(response, 413, { error_code: "BAD_REQUEST" });
    started.heard.push({ model: query.get("topic") ?? "", bytes: raw, format: format! });
    answer(response, 200, { result: started.says.text });
  }

  function recognizeLong({ body }: ProviderRequest, response: ServerResponse) {
    const { content, recognitionModel } = JSON.parse(body) as {
      content: string;
      recognitionModel: { model: string; audioFormat: { containerAudio: { containerAudioType: string } } };
    };
    const { containerAudioType: format } = recognitionModel.audioFormat.containerAudio;
    if (!["OGG_OPUS", "WAV", "MP3"].includes(format)) return answer(response, 400, { error: { message: "container" } });
    const id = randomUUID();
    // Ready at the second look.
    operations.set(id, 1);
    started.heard.push({ model: recognitionModel.model, bytes: Buffer.from(content, "base64"), format });
    answer(response, 200, { id, description: "STT v3 async recognition", done: false });
  }

  function result({ query }: ProviderRequest, response: ServerResponse) {
    const left = operations.get(query.get("operation_id") ?? "");
    if (left === undefined || left > 0) {
      if (left !== undefined) operations.set(query.get("operation_id")!, left - 1);
      return answer(response, 404, { error: { code: 5, message: "operation is not ready" } });
    }
    const { text, sure } = started.says;
    const lines = [
      { result: { final: { alternatives: [{ text: text.toLowerCase(), confidence: sure }], channelTag: "0" } } },
      { result: { finalRefinement: { finalIndex: "0", normalizedText: { alternatives: [{ text }] } } } },
      { result: { eouUpdate: { timeMs: "1" } } },
    ];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(lines.map((line) => JSON.stringify(line)).join("\n"));
  }

  const started: RecognitionServer = {
    baseUrl: `${provider.root}/v1`,
    yandexUrl: provider.root,
    heard: [],
    says: { text: "Сколько стоит доставка?", sure: 0.95 },
    open: false,
    silent: false,
    next: [],
    close: provider.close,
  };
  return started;
}

function fieldsOf(raw: Buffer, boundary: string): Map<string, { value: Buffer; fileName: string | undefined }> {
  const fields = new Map<string, { value: Buffer; fileName: string | undefined }>();
  const text = raw.toString("latin1");
  for (const part of text.split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf("\r\n\r\n");
    const head = part.slice(0, end);
    const value = Buffer.from(part.slice(end + 4, -2), "latin1");
    const name = / name="([^"]+)"/.exec(head)?.[1];
    if (name !== undefined) fields.set(name, { value, fileName: / filename="([^"]+)"/.exec(head)?.[1] });
  }
  return fields;
}
