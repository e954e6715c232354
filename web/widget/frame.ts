/** The chat inside its frame: plain DOM, so that it stays small. Texts are only ever set as text. */
import type { WidgetFace, WidgetLine, WidgetTalk } from "#contract/widget.ts";
import { inkOn } from "./ink.ts";
import { visitorOf } from "./visitor.ts";

const POLL_MS = 4000;
const WHO = { visitor: "Вы", twin: "ИИ-помощник", owner: "Человек" } as const;

const id = location.pathname.split("/")[2] ?? "";
const base = `/widget/${id}`;
const visitor = visitorOf(id);
const headers = { "x-visitor": visitor };

/** Nothing but what the server has told; a frame may be shown by hand, then there is nobody to tell. */
function tellPage(message: object) {
  if (parent !== window) parent.postMessage(message, "*");
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const face = await fetch(`${base}/face`).then((answer) => (answer.ok ? (answer.json() as Promise<WidgetFace>) : null));
if (face !== null) begin(face);

function begin(face: WidgetFace) {
  const ink = inkOn(face.color);
  document.documentElement.style.setProperty("--accent", face.color);
  document.documentElement.style.setProperty("--ink", ink);
  document.title = face.title;

  const close = make("button", { type: "button", "aria-label": "Закрыть чат" }, "×");
  const talk = make("ul");
  const log = make("div", { class: "talk", role: "log", "aria-label": "Сообщения", tabindex: "0" }, talk);
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
  if (face.greeting !== "") addLine(talk, "twin", face.greeting);

  let last = 0;
  let shown = parent === window;
  let busy = false;
  let streamed: HTMLLIElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function say(text: string, failed = false) {
    if (state.textContent !== text) state.textContent = text;
    state.toggleAttribute("data-failed", failed);
  }

  async function read(): Promise<void> {
    clearTimeout(timer);
    try {
      const answer = await fetch(`${base}/talk?after=${last}`, { headers });
      if (answer.ok) show((await answer.json()) as WidgetTalk);
    } catch {
      // The next look may succeed.
    }
    timer = setTimeout(() => void read(), document.hidden || !shown ? POLL_MS * 4 : POLL_MS);
  }

  function show({ lines, human }: WidgetTalk) {
    for (const line of lines) {
      if (line.id <= last) continue;
      last = line.id;
      take(line);
    }
    if (!busy) say(human && talk.querySelector(".visitor") !== null ? "Передали сотруднику" : "");
  }

  /** What was streamed, or is just being sent, stands there already. */
  function take({ from, text }: WidgetLine) {
    const waiting = from === "visitor" ? talk.querySelector<HTMLLIElement>(".visitor[data-waiting]") : null;
    if (waiting !== null) delete waiting.dataset.waiting;
    else if (from === "twin" && streamed !== null) {
      textOf(streamed).textContent = text;
      streamed = null;
    } else addLine(talk, from, text);
  }

  async function ask(text: string) {
    busy = true;
    send.disabled = true;
    const mine = addLine(talk, "visitor", text);
    mine.dataset.waiting = "";
    say("Печатает…");
    try {
      const answer = await fetch(`${base}/messages`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ id: crypto.randomUUID(), text }),
      });
      if (!answer.ok || answer.body === null) throw new Refused((await answer.json().catch(() => ({}))).message);
      await follow(answer.body);
      say("");
    } catch (error) {
      if (error instanceof Refused) {
        mine.remove();
        input.value = text;
      }
      say(error instanceof Refused ? error.message : "Нет связи. Сообщение дойдёт, когда она появится.", true);
      return;
    } finally {
      busy = false;
      send.disabled = false;
      await read();
      // What was streamed and never sent (a person took over meanwhile) was not said.
      streamed?.remove();
      streamed = null;
    }
  }

  async function follow(body: ReadableStream<Uint8Array>) {
    let text = "";
    for await (const { event, data } of eventsOf(body)) {
      if (event === "open" && data.disclosing) text = `${face.disclosure}\n\n`;
      if (event === "delta") {
        text += data.text;
        streamed ??= addLine(talk, "twin", "");
        textOf(streamed).textContent = text;
        toEnd(log);
      }
      if (event === "error") say(String(data.message), true);
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === "" || busy) return;
    input.value = "";
    void ask(text);
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

class Refused extends Error {
  constructor(message: unknown) {
    super(typeof message === "string" ? message : "Не удалось отправить. Попробуйте ещё раз.");
  }
}

function addLine(talk: HTMLElement, from: WidgetLine["from"], text: string): HTMLLIElement {
  const line = make("li", { class: from }, make("span", { class: "who" }, WHO[from]), make("span", {}, text));
  talk.append(line);
  toEnd(talk.parentElement as HTMLElement);
  return line;
}

const textOf = (line: HTMLLIElement): HTMLElement => line.lastElementChild as HTMLElement;

function toEnd(log: HTMLElement) {
  log.scrollTop = log.scrollHeight;
}

/** A dialog keeps the focus: behind its last control comes its first. */
function keepInside(event: KeyboardEvent, controls: HTMLElement[]) {
  const able = controls.filter((control) => !(control instanceof HTMLButtonElement && control.disabled));
  const edge = event.shiftKey ? able[0] : able.at(-1);
  if (document.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? able.at(-1) : able[0])?.focus();
}

/** Server-sent events; lines may be cut anywhere on their way. */
async function* eventsOf(body: ReadableStream<Uint8Array>) {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const [, event = "", data = "{}"] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
      yield { event, data: JSON.parse(data) as Record<string, unknown> };
    }
  }
}
