/** Lines of the conversation in the visitor's view: plain DOM, in which texts are only ever set as text. */
import type { WidgetLine } from "#contract/integrations/widget.ts";

const AUTHOR_NAMES = { visitor: "Вы", twin: "ИИ-помощник", owner: "Человек" } as const;

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function addLine(list: HTMLElement, from: WidgetLine["from"], text: string): HTMLLIElement {
  const line = make(
    "li",
    { class: from },
    make("span", { class: "who" }, AUTHOR_NAMES[from]),
    make("span", { class: "text" }, text),
  );
  list.append(line);
  scrollToEnd(list);
  return line;
}

export const textOf = (line: HTMLLIElement): HTMLElement => line.querySelector(".text") as HTMLElement;

export function scrollToEnd(list: HTMLElement) {
  const log = list.parentElement as HTMLElement;
  log.scrollTop = log.scrollHeight;
}

/** Says below a line that it was not delivered and why, until it is sent again. */
export function markUnsent(line: HTMLLIElement, why: string, sendAgain: () => void) {
  delete line.dataset.waiting;
  line.dataset.unsent = "";
  const again = make("button", { type: "button", class: "again" }, "Повторить");
  again.addEventListener("click", sendAgain);
  line.append(make("span", { class: "why", role: "alert" }, `Не отправлено. ${why}`), again);
  scrollToEnd(line.parentElement as HTMLElement);
}

/** Marks the line of a message that the server has: the one being sent, or one whose answer was lost. */
export function markSent(list: HTMLElement, text: string): boolean {
  const unsent = [...list.querySelectorAll<HTMLLIElement>("[data-unsent]")];
  const line =
    list.querySelector<HTMLLIElement>(".visitor[data-waiting]") ??
    unsent.find((one) => textOf(one).textContent === text);
  if (line === undefined) return false;
  delete line.dataset.waiting;
  delete line.dataset.unsent;
  for (const part of line.querySelectorAll(".why, .again")) part.remove();
  return true;
}
