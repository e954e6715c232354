const OPENING = "<think>";
const CLOSING = "</think>";

/** The deltas without a leading `<think>…</think>`: some servers leave a model's reasoning in its text. */
export async function* withoutThoughts(deltas: AsyncIterable<string>): AsyncGenerator<string> {
  let state: "start" | "thinking" | "speaking" = "start";
  let held = "";
  for await (const delta of deltas) {
    if (state === "speaking") {
      yield delta;
      continue;
    }
    held += delta;
    const begun = held.trimStart();
    if (state === "start") {
      if (OPENING.startsWith(begun.slice(0, OPENING.length)) && begun.length < OPENING.length) continue;
      state = begun.startsWith(OPENING) ? "thinking" : "speaking";
    }
    const end = state === "thinking" ? held.indexOf(CLOSING) : 0;
    if (end < 0) continue;
    const rest = state === "thinking" ? held.slice(end + CLOSING.length).trimStart() : held;
    // Nothing said yet: the space before the first word still belongs to the thought.
    if (state === "thinking" && rest === "") {
      held = held.slice(0, end + CLOSING.length);
      continue;
    }
    state = "speaking";
    held = "";
    if (rest !== "") yield rest;
  }
  if (state === "start" && held !== "") yield held;
}
