/**
 * The tools of one answer: what a model may propose, what it has proposed, and the reply where code alone words it. Opened in the
 * transaction of the plan; calls are made after it.
 */
import { asc, eq, inArray } from "drizzle-orm";
import type { ToolCall } from "#contract/actions/tool-call.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { type ActArgument, acts, type ToolRow, tools } from "#server/platform/db/schema/tools.ts";
import { changeFormStep, confirmChange, declineChange, proposeChange } from "./change-steps.ts";
import { type DeskPlace, type DeskTurn, inTenant, type StepOutcome, shownCall } from "./desk-place.ts";
import { askedFields, askedTools, chooseForm, filled, isBareAnswer, whyOnlyModel } from "./forms.ts";
import { allFieldsOf } from "./kind-of.ts";
import { type ActRow, isCallable, openActOf, withdrawActs } from "./ledger.ts";
import { formStep, readStep } from "./read-steps.ts";
import { askReply, type ScriptedReply } from "./scripted-reply.ts";
import { confirmationIn } from "./spoken/confirmation.ts";
import { checkValues, type NamedValue, type Talk } from "./stated-values.ts";
import { namesOf, shownArguments } from "./tool.ts";
import type { CallDeps } from "./tool-kind.ts";
import { needsModelNote, PASSED_ON, severalMeantNote, shownValue } from "./wording.ts";

/** Calls of one turn. */
export const MAX_CALLS = 3;
/** Milliseconds that all calls of one turn may take, without what a model takes to propose them. */
const CALLS_MS = 20_000;

export interface ProposedCall {
  tool: string;
  arguments: readonly NamedValue[];
}

export interface ToolOffer {
  name: string;
  tool: ToolRow;
}

/** @returns null where the twin has no tools to call */
export async function openTools(tx: Tx, deps: CallDeps, place: DeskPlace): Promise<ToolDesk | null> {
  const all = await tx
    .select()
    .from(tools)
    .where(eq(tools.twinId, place.twinId))
    .orderBy(asc(tools.createdAt), asc(tools.id));
  const rows = all.filter(isCallable);
  if (rows.length === 0) return null;
  const { conversationId } = place.asker;
  const open = conversationId === null ? null : await openActOf(tx, conversationId);
  return new ToolDesk(deps, place, rows, open);
}

type Step = (turn: DeskTurn) => Promise<StepOutcome>;

export class ToolDesk {
  readonly offers: readonly ToolOffer[];
  /** What was answered in this turn, as sources. */
  readonly results: ReplyChunk[] = [];
  /** What came of calls without a result, for the model, in code's own words. */
  readonly notes: string[] = [];
  readonly calls: ToolCall[] = [];
  /** The reply that code words instead of a generator; null: a generator words it. */
  script: ScriptedReply | null = null;
  readonly #deps: CallDeps;
  readonly #place: DeskPlace;
  readonly #open: ActRow | null;
  #step: Step | null = null;
  #turn: DeskTurn | null = null;
  #left = MAX_CALLS;
  /** Ids of the tools whose proposed values were refused in this turn. */
  readonly #refused = new Set<string>();
  #leftMs = CALLS_MS;

  constructor(deps: CallDeps, place: DeskPlace, rows: readonly ToolRow[], open: ActRow | null) {
    this.#deps = deps;
    this.#place = place;
    this.#open = open;
    const names = namesOf(rows);
    this.offers = rows.map((tool, at) => ({ name: names[at]!, tool }));
  }

  /** Whether code alone answers this message. Known after `prepare`. */
  get isScripted(): boolean {
    return this.#step !== null;
  }

  get mayCall(): boolean {
    return this.#left > 0 && this.script === null;
  }

  /**
   * Decides, without calling anything, whether the message confirms, completes or begins a call.
   * @param canPropose whether a model proposes calls, so that no form is needed
   */
  prepare({ canPropose }: { canPropose: boolean }): void {
    this.#step = this.#continuation() ?? (canPropose ? null : this.#form());
    if (!canPropose && this.#step === null && this.#place.mode !== "channel") this.#tellWhatNeedsModel();
  }

  /** A member who tries an example in a test chat learns why nothing is called. */
  #tellWhatNeedsModel(): void {
    const meant = askedTools(this.#tools(), this.#place.message);
    const [tool] = meant;
    if (tool === undefined) return;
    const why = whyOnlyModel(tool);
    const several = meant.length > 1 ? severalMeantNote(meant.map(({ title }) => title)) : null;
    const note = several ?? (why && needsModelNote(why));
    if (note !== null) this.calls.push(shownCall(tool, { values: [], outcome: "needs-model", note }));
  }

  /** Makes the scripted reply, if there is one. @param promised whether the owner reads what is left to him */
  async begin(signal: AbortSignal, promised: boolean): Promise<ScriptedReply | null> {
    this.#turn = { ...this.#place, deps: this.#deps, promised, signal };
    if (this.#step !== null) await this.#take(this.#turn, this.#step);
    // The person has written something else than what was asked.
    if (this.script === null && this.#open !== null) {
      const { conversationId } = this.#open;
      await inTenant(this.#turn, (tx) => withdrawActs(tx, conversationId!));
    }
    return this.script;
  }

  /**
   * Carries out or refuses what a model proposes, after `begin`. Then either `script` is the reply, or the model is asked again with
   * `results` and `notes`.
   */
  async propose(proposed: ProposedCall): Promise<void> {
    const turn = this.#turn;
    if (!this.mayCall || turn === null) return;
    this.#left--;
    const offer = this.offers.find(({ name }) => name === proposed.tool.trim().toLowerCase());
    if (offer === undefined) return this.#note(`Инструмента «${proposed.tool.slice(0, 40)}» нет.`);
    const { tool } = offer;
    const checked = checkValues(allFieldsOf(tool), proposed.arguments, this.#talk(), {
      isConfirmed: tool.changes,
    });
    if (checked.kind === "missing") {
      this.script = askReply(tool, checked.labels, turn.address);
      return;
    }
    if (checked.kind === "invalid") {
      const { reason, label } = checked;
      this.calls.push(shownCall(tool, { values: [], outcome: "refused", note: `Вызов отклонён: ${reason}` }));
      // What a model has named wrongly twice it will not find in the messages.
      if (label !== undefined && this.#refused.has(tool.id)) this.script = askReply(tool, [label], turn.address);
      this.#refused.add(tool.id);
      return this.#note(`Вызов «${offer.name}» отклонён: ${reason}. Бери значения из сообщений собеседника.`);
    }
    const { values } = checked;
    if (this.#isRepeated(tool, values)) return this.#note(`Вызов «${offer.name}» с этими значениями уже сделан.`);
    await this.#take(turn, (timed) =>
      tool.changes ? proposeChange(timed, tool, values) : readStep(timed, tool, { values, from: null, byModel: true }),
    );
  }

  /** Binds the acts of a test chat that is stored only now to its conversation. */
  async adopt(conversationId: string): Promise<void> {
    const ids = this.calls.flatMap(({ actId }) => actId ?? []);
    if (this.#turn === null || this.#place.asker.conversationId !== null || ids.length === 0) return;
    await inTenant(this.#turn, (tx) => tx.update(acts).set({ conversationId }).where(inArray(acts.id, ids)));
  }

  async #take(turn: DeskTurn, step: Step): Promise<void> {
    const began = performance.now();
    const signal = AbortSignal.any([turn.signal, AbortSignal.timeout(Math.max(0, Math.round(this.#leftMs)))]);
    const { reply, call, chunk } = await step({ ...turn, signal });
    this.#leftMs -= performance.now() - began;
    this.script = reply;
    if (call !== null) this.calls.push(call);
    if (chunk !== null) this.results.push(chunk);
  }

  #note(text: string): void {
    this.notes.push(text);
  }

  #talk(): Talk {
    const { message, history, timeZone } = this.#place;
    return { message, history, results: this.results.map(({ text }) => text), now: new Date(), timeZone };
  }

  #isRepeated(tool: ToolRow, values: readonly ActArgument[]): boolean {
    const given = JSON.stringify(shownArguments(values));
    return this.calls.some(
      ({ title, arguments: made, outcome }) =>
        outcome === "done" && title === tool.title && JSON.stringify(made) === given,
    );
  }

  /** What the customer's words do with the act that waits for them. They count only right behind the question that was sent. */
  #continuation(): Step | null {
    const open = this.#open;
    const tool = this.offers.find((offer) => offer.tool.id === open?.toolId)?.tool;
    if (open === null || tool === undefined || open.question === null) return null;
    const { message, history } = this.#place;
    const last = history.at(-1);
    const waitsForOwner = open.state === "waiting-owner";
    if (last?.role !== "assistant" || !last.content.includes(waitsForOwner ? PASSED_ON : open.question)) return null;
    if (open.changes && open.state !== "proposed") {
      const said = confirmationIn(
        message,
        [open.title, ...open.arguments.map(({ value }) => shownValue(value))].join(" "),
      );
      if (said === null || (waitsForOwner && said === "yes")) return null;
      return (turn) => (said === "yes" ? confirmChange(turn, open, tool) : declineChange(turn, open, tool));
    }
    if (waitsForOwner || open.changes !== tool.changes || !isBareAnswer(message)) return null;
    // Who asks for something else instead of answering has not tried to prove anything with its numbers.
    const asked = askedTools(this.#tools(), message);
    if (asked.length > 0 && !asked.includes(tool)) return null;
    const fields = askedFields(tool);
    const known = Object.fromEntries(open.arguments.map(({ name, value }) => [name, value]));
    const { values: given } = filled(fields, known, message);
    return this.#filling(tool, given, open.id);
  }

  #form(): Step | null {
    const chosen = chooseForm(this.#tools(), this.#place.message);
    return chosen && this.#filling(chosen.tool, chosen.found.values, null);
  }

  #tools(): ToolRow[] {
    return this.offers.map(({ tool }) => tool);
  }

  /** @param from the act that waited for these values; null: a new one */
  #filling(tool: ToolRow, given: readonly NamedValue[], from: string | null): Step {
    const step = tool.changes ? changeFormStep : formStep;
    return (turn) => step(turn, tool, { given, from, talk: this.#talk() });
  }
}
