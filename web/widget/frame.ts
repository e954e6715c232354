/** The chat inside its frame: plain DOM, so that it stays small. */
import type { VisitorMessage, WidgetConversation, WidgetFace, WidgetLine } from "#contract/integrations/widget.ts";
import { eventsOf } from "#web/api/read-events.ts";
import { translateAnswer } from "#web/api/translated-answer.ts";
import { readableTextColor } from "#web/ui/readable-text-color.ts";
import { addLine, make, markSent, markUnsent, scrollToEnd, textOf } from "./lines.ts";
import { visitorOf } from "./visitor.ts";

const POLL_MS = 4000;
const LATE_NOTICE = "Ответ задерживается. Он появится здесь.";
const NO_CONNECTION = "Нет связи.";

const id = location.pathname.split("/")[2] ?? "";
const base = `/widget/${id}`;
const visitor = visitorOf(id);
const headers = { "x-visitor": visitor };

/** Sends the page only data from the server. A frame that is opened directly has no page to notify. */
function tellPage(message: object) {
  if (parent !== window) parent.postMessage(message, "*");
}

const face = await fetch(`${base}/face`).then((answer) => (answer.ok ? readFace(answer) : null));
if (face !== null) begin(face);

async function readFace(answer: Response): Promise<WidgetFace> {
  const body = await answer.text();
  return JSON.parse(import.meta.env.TRANSLATED ? await translateAnswer(body, answer.url) : body);
}

function begin(face: WidgetFace) {
  const ink = readableTextColor(face.color);
  document.documentElement.style.setProperty("--accent", face.color);
  document.documentElement.style.setProperty("--ink", ink);
  document.title = face.title;

  const close = make("button", { type: "button", "aria-label": "Закрыть чат" }, "×");
  const list = make("ul");
  const log = make("div", { class: "conversation", role: "log", "aria-label": "Сообщения", tabindex: "0" }, list);
  const state = make("p", { class: "state", role: "status" });
  const input = make("textarea", { rows: "1", maxlength: "4000", "aria-label": "Сообщение", placeholder: "Сообщение" });
  const send = make("button", { type: "submit" }, "Отправить");
  const form = make("form", {}, input, send);
  const dialog = make(
    "div",
    { class: "chat", role: "dialog", "aria-modal": "true", "aria-labelledby": "title" },
    make("header", {}, make("h1", { id: "title" }, face.title), close),
    make("p", { class: "notice" }, face.disclosure),
    log,
    state,
    form,
  );
  document.body.append(dialog);
  if (parent === window) close.hidden = true;
  if (face.greeting !== "") addLine(list, "twin", face.greeting);

  let last = 0;
  let shown = parent === window;
  let busy = false;
  /** Text of an answer that was cut off although the message is stored. */
  let late = "";
  let streamed: HTMLLIElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function say(text: string) {
    if (state.textContent !== text) state.textContent = text;
  }

  async function read(): Promise<void> {
    clearTimeout(timer);
    try {
      const answer = await fetch(`${base}/talk?after=${last}`, { headers });
      if (answer.ok) show((await answer.json()) as WidgetConversation);
    } catch {
      // A failed read is retried by the next poll.
    }
    timer = setTimeout(() => void read(), document.hidden || !shown ? POLL_MS * 4 : POLL_MS);
  }

  function show({ lines, human }: WidgetConversation) {
    for (const line of lines) {
      if (line.id <= last) continue;
      last = line.id;
      take(line);
    }
    if (!busy) say(whatIsNext(human));
  }

  /** The status line below the conversation; empty when the last message was not delivered, since that message shows its own status. */
  function whatIsNext(human: boolean): string {
    if (list.lastElementChild?.matches("[data-unsent]")) return "";
    return human && list.querySelector(".visitor:not([data-unsent])") !== null ? "Передали сотруднику" : late;
  }

  /** Adds a line from the server, unless it was streamed or is just being sent and so is already shown. */
  function take({ from, text, parted }: WidgetLine) {
    if (from !== "visitor") late = "";
    if (from === "visitor" && markSent(list, text)) return;
    for (const message of parted ? text.split(/\n{2,}/) : [text]) {
      if (from === "twin" && streamed !== null) {
        textOf(streamed).textContent = message;
        streamed = null;
      } else addLine(list, from, message);
    }
  }

  /** @param message is unchanged when it is sent again, because only its answer may have been lost */
  async function ask(message: VisitorMessage) {
    busy = true;
    late = "";
    send.disabled = true;
    const mine = addLine(list, "visitor", message.text);
    mine.dataset.waiting = "";
    const again = () => {
      if (busy) return;
      mine.remove();
      input.focus();
      void ask(message);
    };
    say("Печатает…");
    try {
      const answer = await post(message);
      await follow(answer).catch(() => {
        late = LATE_NOTICE;
      });
    } catch (error) {
      markUnsent(mine, error instanceof Refused ? error.message : NO_CONNECTION, again);
    } finally {
      busy = false;
      send.disabled = false;
      say("");
      await read();
      // A streamed answer that was never sent, because a person took over, is removed.
      streamed?.remove();
      streamed = null;
    }
  }

  async function follow(answer: Response) {
    let text = "";
    for await (const { event, data: sent } of eventsOf(answer)) {
      const data = JSON.parse(sent) as Record<string, unknown>;
      if (event === "open" && data.disclosing) text = `${face.disclosure}\n\n`;
      if (event === "delta") {
        text += data.text;
        streamed ??= addLine(list, "twin", "");
        textOf(streamed).textContent = text;
        scrollToEnd(list);
      }
      if (event === "error") late = LATE_NOTICE;
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === "" || busy) return;
    input.value = "";
    void ask({ id: crypto.randomUUID(), text });
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  const leave = () => tellPage({ twinChat: "close" });
  close.addEventListener("click", leave);
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
    if (event.key === "Tab" && parent !== window) keepInside(event, [close, log, input, send]);
  });
  addEventListener("message", (event) => {
    if (event.source !== parent) return;
    shown = event.data?.twinChat === "open";
    if (!shown) return;
    input.focus();
    void read();
  });
  void read();
  tellPage({ twinChat: "ready", title: face.title, color: face.color, ink });
}

/** @throws Refused with the server's sentence when the message was not stored; TypeError without a connection */
async function post(message: VisitorMessage): Promise<Response> {
  const answer = await fetch(`${base}/messages`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(message),
  });
  if (!answer.ok || answer.body === null) throw new Refused((await answer.json().catch(() => ({}))).message);
  return answer;
}

class Refused extends Error {
  constructor(message: unknown) {
    super(typeof message === "string" ? message : "Попробуйте ещё раз.");
  }
}

/** Traps the focus in the dialog: after its last control follows the first. */
function keepInside(event: KeyboardEvent, controls: HTMLElement[]) {
  const able = controls.filter((control) => !(control instanceof HTMLButtonElement && control.disabled));
  const edge = event.shiftKey ? able[0] : able.at(-1);
  if (document.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? able.at(-1) : able[0])?.focus();
}
