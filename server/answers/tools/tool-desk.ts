/**
 * The tools of one answer: what a model may propose, what it has proposed, and the reply where code alone words it. Opened in the
 * transaction of the plan; calls are made after it.
 */
import { and, asc, eq, inArray, ne } from "drizzle-orm";
import type { CallOutcome, Named, ToolCall } from "#contract/actions/tool-call.ts";
import type { Address } from "#server/knowledge/language/address.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { asTenant, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { type ActArgument, acts, tools } from "#server/platform/db/schema/tools.ts";
import { confirmationIn } from "./confirmation.ts";
import { filled, isBareAnswer, matchForm } from "./forms.ts";
import { type ActRow, addAct, lockTool, moveAct, openActOf, withdrawActs } from "./ledger.ts";
import type { CallDeps } from "./make-call.ts";
import { canProve } from "./proof.ts";
import { type ActingAsker, callAct, chunkOf, type ReadOutcome, runRead } from "./run-acts.ts";
import { checkValues, type NamedValue, type Talk } from "./stated-values.ts";
import {
  allFieldsOf,
  fieldsOf,
  listed,
  namesOf,
  proofFieldsOf,
  shownArguments,
  type ToolRow,
  targetOf,
} from "./tool.ts";
import * as words from "./wording.ts";

/** Calls of one turn. */
export const MAX_CALLS = 3;
/** Milliseconds that all calls of one turn may take. */
const TURN_MS = 20_000;

/** dry: a test chat that only shows what would be changed; live: one that calls. */
export type DeskMode = "channel" | "dry" | "live";

export interface DeskPlace {
  tenant: Tenant;
  twinId: string;
  asker: ActingAsker;
  mode: DeskMode;
  message: string;
  history: readonly HistoryTurn[];
  timeZone: string;
  address: Address | null;
}

/** The plan of a reply that code words; a part of `Plan` of answers/replies. */
export interface ScriptedPlan {
  kind: "knowledge" | "recurring" | "smalltalk" | "unknown";
  confidence: number;
  reason: string;
  ask?: string;
  action?: string;
  /** What code words is judged by no exam of the twin. */
  sentFrom: number;
  scripted: true;
}

export interface ScriptedReply {
  text: string;
  plan: ScriptedPlan;
}

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
  const rows = await tx
    .select()
    .from(tools)
    .where(and(eq(tools.twinId, place.twinId), eq(tools.enabled, true), ne(tools.degree, "never")))
    .orderBy(asc(tools.createdAt), asc(tools.id));
  if (rows.length === 0) return null;
  const { conversationId } = place.asker;
  const open = conversationId === null ? null : await openActOf(tx, conversationId);
  return new ToolDesk(deps, place, rows, open);
}

type Step = (signal: AbortSignal) => Promise<ScriptedReply | null>;

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
  #promised = false;
  #signal: AbortSignal | null = null;
  #left = MAX_CALLS;

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
    const { message } = this.#place;
    this.#step = this.#continuation() ?? (canPropose ? null : this.#formStep(message));
  }

  /** Makes the scripted reply, if there is one. @param promised whether the owner reads what is left to him */
  async begin(signal: AbortSignal, promised: boolean): Promise<ScriptedReply | null> {
    this.#signal = AbortSignal.any([signal, AbortSignal.timeout(TURN_MS)]);
    this.#promised = promised;
    if (this.#step !== null) {
      this.script = await this.#step(this.#signal);
      if (this.script !== null) return this.script;
    }
    // The person has written something else than what was asked.
    if (this.#open !== null) await this.#in((tx) => withdrawActs(tx, this.#open!.conversationId!));
    return null;
  }

  /**
   * Carries out or refuses what a model proposes. After it, either `script` is the reply, or the model is asked again with `results` and
   * `notes`.
   */
  async propose(call: ProposedCall): Promise<void> {
    if (!this.mayCall) return;
    this.#left--;
    const offer = this.offers.find(({ name }) => name === call.tool.trim().toLowerCase());
    if (offer === undefined) return this.#note(`Инструмента «${call.tool.slice(0, 40)}» нет.`);
    const { tool } = offer;
    const checked = checkValues(allFieldsOf(tool), call.arguments, this.#talk());
    if (checked.kind === "missing") {
      this.script = this.#ask(tool, checked.labels);
      return;
    }
    if (checked.kind === "invalid") {
      this.calls.push(this.#shown(tool, null, [], "refused", { note: `Вызов отклонён: ${checked.reason}` }));
      return this.#note(
        `Вызов «${offer.name}» отклонён: ${checked.reason}. Бери значения дословно из сообщений собеседника.`,
      );
    }
    const { values } = checked;
    if (this.#isRepeated(tool, values)) return this.#note(`Вызов «${offer.name}» с этими значениями уже сделан.`);
    if (tool.changes) {
      this.script = await this.#proposeChange(tool, values);
      return;
    }
    this.script = await this.#read(tool, values, null, { byModel: true });
  }

  /** Binds the acts of a test chat that is stored only now to its conversation. */
  async adopt(conversationId: string): Promise<void> {
    const ids = this.calls.flatMap(({ actId }) => actId ?? []);
    if (this.#place.asker.conversationId !== null || ids.length === 0) return;
    await this.#in((tx) => tx.update(acts).set({ conversationId }).where(inArray(acts.id, ids)));
  }

  #in<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return asTenant(this.#deps.db, this.#place.tenant, work);
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

  #toolOf({ toolId }: ActRow): ToolRow | null {
    return this.offers.find(({ tool }) => tool.id === toolId)?.tool ?? null;
  }

  /** What the customer's words do with the act that waits for them. They count only right behind the question that was sent. */
  #continuation(): Step | null {
    const open = this.#open;
    const tool = open === null ? null : this.#toolOf(open);
    if (open === null || tool === null || open.question === null) return null;
    const { message, history } = this.#place;
    const last = history.at(-1);
    if (last?.role !== "assistant" || !last.content.includes(open.question)) return null;
    if (open.changes) {
      const said = confirmationIn(message);
      return said === null
        ? null
        : said === "yes"
          ? (signal) => this.#confirmed(open, tool, signal)
          : () => this.#declined(open, tool);
    }
    if (!isBareAnswer(message)) return null;
    const fields = [...fieldsOf(tool).filter(({ required }) => required), ...proofFieldsOf(tool)];
    const known = Object.fromEntries(open.arguments.map(({ name, value }) => [name, value]));
    return () => this.#formCall(tool, filled(fields, known, message).values, open.id);
  }

  #formStep(message: string): Step | null {
    for (const { tool } of this.offers) {
      if (tool.changes) continue;
      const found = matchForm(tool, message);
      if (found !== null) return () => this.#formCall(tool, found.values, null);
    }
    return null;
  }

  /** Asks for what is still needed, or reads. @param from the act that waited for these values */
  async #formCall(tool: ToolRow, given: readonly NamedValue[], from: string | null): Promise<ScriptedReply | null> {
    const checked = checkValues(allFieldsOf(tool), given, this.#talk());
    if (checked.kind === "invalid") return null;
    const values = checked.kind === "valid" ? checked.values : [];
    const lacking = checked.kind === "missing" ? checked.labels : [];
    const proofs = proofFieldsOf(tool);
    const named = proofs.map(({ name }) => values.find((value) => value.name === name)?.value ?? null);
    const needsProof = !canProve(tool.proof, { phone: this.#place.asker.phone, named });
    const unnamed = needsProof ? proofs.filter(({ name }) => !given.some((each) => each.name === name)) : [];
    const labels = [...lacking, ...unnamed.map(({ label }) => label)];
    if (labels.length === 0) return this.#read(tool, values, from, { byModel: false });
    const reply = this.#ask(tool, labels);
    const fields = new Map(allFieldsOf(tool).map(({ name, label }) => [name, label]));
    const kept = given.map(({ name, value }) => ({ name, label: fields.get(name) ?? name, value }));
    await this.#in(async (tx) => {
      const { conversationId, contactId } = this.#place.asker;
      if (conversationId !== null) await withdrawActs(tx, conversationId);
      const row = { state: "waiting-customer" as const, arguments: kept, target: targetOf(tool), question: reply.text };
      const act = await addAct(tx, tool, { conversationId, contactId, ...row });
      this.calls.push(this.#shown(tool, act.id, kept, "proof"));
    });
    return reply;
  }

  async #read(
    tool: ToolRow,
    values: ActArgument[],
    from: string | null,
    { byModel }: { byModel: boolean },
  ): Promise<ScriptedReply | null> {
    const { tenant, asker, timeZone } = this.#place;
    const proofs = proofFieldsOf(tool);
    const named = proofs.map(({ name }) => values.find((value) => value.name === name)?.value ?? null);
    if (!canProve(tool.proof, { phone: asker.phone, named })) {
      this.calls.push(this.#shown(tool, null, values, proofs.length === 0 ? "refused" : "proof"));
      return proofs.length === 0 ? this.#handOver(tool) : this.#ask(tool, labelsOf(proofs, named));
    }
    const outcome = await runRead(this.#deps, tenant, tool.id, { values, asker, from, signal: this.#signal! });
    this.#keepRead(tool, values, outcome);
    switch (outcome.kind) {
      case "done": {
        this.results.push(chunkOf(outcome.tool, outcome.act, outcome.result, { now: new Date(), timeZone }));
        if (byModel) return null;
        const reason = `Ответ дало действие «${tool.title}».`;
        return { text: words.resultText(values, outcome.result), plan: { kind: "knowledge", ...SURE, reason } };
      }
      case "proof":
        return this.#ask(tool, labelsOf(proofs, named));
      case "unproven":
        return this.#notFound(tool);
      case "waiting-owner":
        return { text: words.PASSED_ON, plan: settled(`Действие «${tool.title}» ждёт вашего решения.`) };
      default:
        return this.#handOver(tool);
    }
  }

  #keepRead(tool: ToolRow, values: readonly ActArgument[], outcome: ReadOutcome): void {
    if (outcome.kind === "gone") {
      this.calls.push(this.#shown(tool, null, values, "refused", { note: "Действие выключено" }));
      return;
    }
    const { act, kind } = outcome;
    const result = kind === "done" ? outcome.result : [];
    this.calls.push(this.#shown(tool, act.id, values, kind, { result, note: act.reason }));
  }

  async #proposeChange(tool: ToolRow, values: ActArgument[]): Promise<ScriptedReply> {
    const { asker, address } = this.#place;
    const question = words.confirmQuestion(tool.title, values, address);
    const act = await this.#in(async (tx) => {
      const current = await lockTool(tx, tool.id);
      if (current === null || !current.changes) return null;
      const { conversationId, contactId } = asker;
      if (conversationId !== null) await withdrawActs(tx, conversationId);
      const row = { state: "waiting-customer" as const, arguments: values, target: targetOf(current), question };
      return addAct(tx, current, { conversationId, contactId, ...row });
    });
    if (act === null) return this.#handOver(tool);
    this.calls.push(this.#shown(tool, act.id, values, "waiting-customer"));
    return { text: question, plan: asking(tool, "подтверждение") };
  }

  async #confirmed(open: ActRow, tool: ToolRow, signal: AbortSignal): Promise<ScriptedReply | null> {
    const { mode, tenant } = this.#place;
    const show = (outcome: CallOutcome, more: { result?: Named[]; note?: string | null } = {}) =>
      void this.calls.push(this.#shown(tool, open.id, open.arguments, outcome, more));
    if (mode === "live") {
      const made = await callAct(this.#deps, tenant, {
        ...{ id: open.id, from: "waiting-customer" as const, decidedBy: tenant.userId, signal },
      });
      if (made === null) return null;
      const { act } = made;
      show(act.state === "done" ? "done" : act.state === "unknown" ? "unknown" : "failed", {
        result: act.result,
        note: act.reason,
      });
      const text = act.state === "done" ? words.doneText(tool.title, act.result) : words.notDone(tool.title);
      return { text, plan: settled(`Действие «${tool.title}» вызвано.`) };
    }
    const to = mode === "dry" ? { state: "done" as const, dry: true } : { state: "waiting-owner" as const };
    const moved = await this.#in(async (tx) =>
      (await lockTool(tx, tool.id)) === null ? null : moveAct(tx, open.id, "waiting-customer", to),
    );
    if (moved === null) return null;
    if (mode === "dry") {
      show("dry", { note: "Проверочный разговор: вызов только показан" });
      return { text: words.dryRun(tool.title), plan: settled(`Показано, что вызвало бы действие «${tool.title}».`) };
    }
    show("waiting-owner");
    return { text: words.PASSED_ON, plan: settled(`Действие «${tool.title}» ждёт вашего решения.`) };
  }

  async #declined(open: ActRow, tool: ToolRow): Promise<ScriptedReply> {
    await this.#in((tx) => withdrawActs(tx, open.conversationId!));
    this.calls.push(this.#shown(tool, open.id, open.arguments, "refused", { note: "Собеседник отказался" }));
    return { text: words.LEFT_ALONE, plan: settled(`Собеседник отказался от действия «${tool.title}».`) };
  }

  #ask(tool: ToolRow, labels: readonly string[]): ScriptedReply {
    return { text: words.askFor(labels, this.#place.address), plan: asking(tool, listed(labels)) };
  }

  #notFound(tool: ToolRow): ScriptedReply {
    const labels = [...fieldsOf(tool).filter(({ required }) => required), ...proofFieldsOf(tool)].map(
      ({ label }) => label,
    );
    return { text: words.notFound(labels, this.#place.address), plan: asking(tool, listed(labels)) };
  }

  #handOver(tool: ToolRow): ScriptedReply {
    const action = `ответить вместо действия «${tool.title}»`;
    return {
      text: words.handedOver(this.#promised, this.#place.address),
      plan: {
        kind: "unknown",
        ...SURE,
        confidence: 0.3,
        action,
        reason: `Действие «${tool.title}» не ответило: ответьте сами.`,
      },
    };
  }

  #shown(
    { title }: ToolRow,
    actId: string | null,
    values: readonly ActArgument[],
    outcome: CallOutcome,
    { result = [], note = null }: { result?: Named[]; note?: string | null } = {},
  ): ToolCall {
    return { actId, title, arguments: shownArguments(values), outcome, result, note };
  }
}

const labelsOf = (proofs: readonly { label: string }[], named: readonly (string | null)[]): string[] =>
  proofs.filter((_, at) => named[at] === null).map(({ label }) => label);

/** What code asks and reads is as sure as anything can be. */
const SURE = { confidence: 0.97, sentFrom: 0.7, scripted: true as const };

const asking = ({ title }: ToolRow, ask: string): ScriptedPlan => ({
  ...{ kind: "recurring", ...SURE, ask, reason: `Для действия «${title}» двойник спрашивает: ${ask}.` },
});
const settled = (reason: string): ScriptedPlan => ({ kind: "smalltalk", ...SURE, reason });
