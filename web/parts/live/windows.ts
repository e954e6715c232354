/** Windows of one browser that share what one of them does for all, because a browser has few connections to a server. */

export interface Windows<Message> {
  /** Told to all windows, this one included. */
  tell(message: Message): void;
}

/**
 * Joins the windows that use the same name. One of them leads, hidden or not; when it is closed, another takes over. Resolves once this
 * window has left, after `signal` has aborted.
 * @param hear gets what any of them tells, and how to answer
 * @param lead runs in the window that leads, until `signal` aborts
 * @returns false where the browser has no means for it, as on a page without TLS: then nothing has been done
 */
export async function joinWindows<Message>(
  name: string,
  hear: (message: Message | "asked", windows: Windows<Message>) => void,
  lead: (windows: Windows<Message>) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  if (typeof BroadcastChannel === "undefined" || navigator.locks === undefined) return false;
  const channel = new BroadcastChannel(name);
  const windows: Windows<Message> = {
    tell(message) {
      hear(message, windows);
      channel.postMessage(message);
    },
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Message | "asked">) => hear(data, windows));
  channel.postMessage("asked");
  try {
    await navigator.locks.request(name, { signal }, () => lead(windows));
  } catch {
    // It has left before it could lead.
  } finally {
    channel.close();
  }
  return true;
}
