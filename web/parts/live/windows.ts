/** Lets one window of the browser work for all, because a browser allows few connections to a server. */

export interface Windows<Message> {
  tell(message: Message): void;
}

/**
 * Joins the windows that use the same name. One of them leads, hidden or not; when it is closed, another takes over. Resolves once this
 * window has left, after `signal` has aborted.
 * @param hear receives messages of all windows, and a function to answer
 * @param lead runs in the leading window until `signal` aborts
 * @returns false where the browser does not support it, as on a page without TLS; nothing has been done then
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
    // The window has left before it could lead.
  } finally {
    channel.close();
  }
  return true;
}
