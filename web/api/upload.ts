import type { Endpoint, Out } from "#contract/endpoint.ts";
import { checkAnswer } from "./answer.ts";
import { ApiError } from "./api-error.ts";
import { announceSessionExpired, authorization, authToken } from "./auth-token.ts";
import { refreshAfter } from "./refresh.ts";
import { addressOf, type LooseOptions } from "./request.ts";

interface UploadOptions extends Pick<LooseOptions, "params" | "query" | "signal"> {
  body: FormData | Blob;
  onProgress?: (share: number) => void;
}

/** Sends files. `fetch` does not report upload progress, so this is an XMLHttpRequest; errors are those of `call`. */
export function upload<E extends Endpoint>(endpoint: E, options: UploadOptions): Promise<Out<E["output"]>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const token = authToken();
    request.open(endpoint.method, addressOf(endpoint, options));
    request.withCredentials = true;
    for (const [name, value] of Object.entries(authorization())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) options.onProgress?.(event.loaded / event.total);
    };
    request.onerror = () => reject(new TypeError("Проверьте подключение к интернету"));
    request.onabort = () => reject(new DOMException("Загрузка отменена", "AbortError"));
    request.onload = () => {
      const { status, statusText, responseText } = request;
      if (status < 200 || status > 299) {
        if (status === 401) announceSessionExpired(token);
        reject(new ApiError(status, statusText, responseText));
        return;
      }
      try {
        refreshAfter(endpoint, options);
        resolve(checkAnswer(endpoint, responseText === "" ? undefined : JSON.parse(responseText)));
      } catch (error) {
        reject(error);
      }
    };
    if (options.signal?.aborted) return request.onabort?.(new ProgressEvent("abort"));
    options.signal?.addEventListener("abort", () => request.abort(), { once: true });
    if (options.body instanceof Blob) request.setRequestHeader("content-type", "application/octet-stream");
    request.send(options.body);
  });
}
