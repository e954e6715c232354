import { ArrowLeft, SendHorizontal } from "lucide-react";
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { ChatBubble, TypingDots } from "#web/ui/chat-bubble.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import type { Agent } from "./agents.ts";
import { demoScripts } from "./demo-scripts.ts";
import { type DemoTurn, useDemoChat } from "./use-demo-chat.ts";

const MESSAGE_LIMIT = 300;
/** After this many answers the visitor is invited to create a twin. */
const ANSWERS_BEFORE_INVITATION = 3;

interface DemoChatProps {
  agent: Agent;
  createPath: string;
  onBack: () => void;
}

/** A demo chat with prewritten answers, labelled as such. */
export function DemoChat({ agent, createPath, onBack }: DemoChatProps) {
  const script = demoScripts[agent.id];
  const { turns, coming, send } = useDemoChat(script);
  const [draft, setDraft] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // On a phone the keyboard would cover the questions to pick from.
    const target = matchMedia("(pointer: coarse)").matches ? back : input;
    target.current?.focus();
  }, []);

  const asked = new Set(turns.filter(({ author }) => author === "visitor").map(({ text }) => text));
  const open = script.topics.filter(({ question }) => !asked.has(question));
  const answers = turns.filter(({ author, id }) => author === "agent" && id > 0);
  const invites = coming === null && (answers.length >= ANSWERS_BEFORE_INVITATION || answers.at(-1)?.known === false);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (coming !== null || draft.trim() === "") return;
    send(draft);
    setDraft("");
  }

  function pick(question: string) {
    send(question);
    // The picked button disappears, so the focus moves.
    (matchMedia("(pointer: coarse)").matches ? back : input).current?.focus();
  }

  return (
    <section aria-label="Демо-чат" className="flex min-h-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button ref={back} variant="ghost" size="sm" className="-ms-2" onClick={onBack}>
          <ArrowLeft aria-hidden className="icon" />
          Об агенте
        </Button>
        <SampleBadge />
        <p className="text-muted text-sm">Это {script.role}. Ответы написаны заранее.</p>
      </div>
      <Thread agentName={agent.name} turns={turns} coming={coming} />
      {invites && (
        <p className="rounded-lg bg-sunken px-4 py-3 text-md">
          Пример знает только эти вопросы. Ваш двойник ответит по&nbsp;вашим документам и&nbsp;в&nbsp;вашей манере.{" "}
          <Link href={createPath} className="font-medium text-primary-text underline underline-offset-4">
            Создать своего двойника
          </Link>
        </p>
      )}
      {open.length > 0 && (
        <ul aria-label="Вопросы для примера" className="flex flex-wrap gap-2">
          {open.map(({ question }) => (
            <li key={question} className="max-w-full">
              <Button
                size="sm"
                aria-disabled={coming !== null}
                className="h-auto! min-h-8 max-w-full whitespace-normal! py-1 text-start"
                onClick={() => pick(question)}
              >
                {question}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} className="flex gap-2">
        <Input
          ref={input}
          value={draft}
          maxLength={MESSAGE_LIMIT}
          placeholder="Спросите своими словами..."
          aria-label="Сообщение"
          autoComplete="off"
          enterKeyHint="send"
          onChange={(event) => setDraft(event.target.value)}
        />
        <Button
          type="submit"
          aria-label="Отправить"
          className="max-sm:w-(--control-h) max-sm:px-0"
          disabled={coming !== null || draft.trim() === ""}
        >
          <SendHorizontal aria-hidden className="icon" />
          <span className="max-sm:hidden">Отправить</span>
        </Button>
      </form>
    </section>
  );
}

interface ThreadProps {
  agentName: string;
  turns: readonly DemoTurn[];
  coming: string | null;
}

function Thread({ agentName, turns, coming }: ThreadProps) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is new on the thread has moved its end
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [turns, coming]);
  const last = turns.at(-1);
  return (
    <>
      <div
        ref={box}
        role="log"
        aria-live="off"
        aria-label="Сообщения"
        aria-busy={coming !== null}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
        className="h-[clamp(11rem,38dvh,20rem)] overflow-y-auto overscroll-contain rounded-lg border p-3 sm:p-4"
      >
        <ol className="flex flex-col gap-3">
          {turns.map(({ id, author, text }) => (
            <ChatBubble
              key={id}
              author={author === "visitor" ? "owner" : "twin"}
              authorLabel={author === "visitor" ? "Вы" : agentName}
            >
              {text}
            </ChatBubble>
          ))}
          {coming !== null && (
            <ChatBubble author="twin" authorLabel={agentName}>
              {coming === "" ? <TypingDots label={`${agentName} печатает`} /> : coming}
            </ChatBubble>
          )}
        </ol>
      </div>
      <p aria-live="polite" className="sr-only">
        {coming === null && last?.author === "agent" && last.id > 0 && last.text}
      </p>
    </>
  );
}
