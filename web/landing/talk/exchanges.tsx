import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { Link } from "wouter";
import { codeOf, messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Asking } from "./asking.tsx";
import { Source } from "./source.tsx";
import { useAnswer } from "./use-answer.ts";

export interface ExchangesProps {
  name: string;
  asked: readonly string[];
  createPath: string;
  box: RefObject<HTMLElement | null>;
  /** Called once for each question with its answer; "" when there is none. */
  onAnswered: (answer: string) => void;
}

export default function Exchanges({ asked, ...props }: ExchangesProps) {
  return asked.map((question, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: questions are only ever added
    <Exchange key={at} question={question} {...props} />
  ));
}

function Exchange({
  question,
  name,
  createPath,
  box,
  onAnswered,
}: Omit<ExchangesProps, "asked"> & { question: string }) {
  const { text, done, error, retry } = useAnswer(question);
  const settled = done !== null || error !== null;
  const told = useRef(false);
  useEffect(() => {
    if (!settled || told.current) return;
    told.current = true;
    onAnswered(done?.answer ?? "");
  }, [settled, done, onAnswered]);

  const start = useRef<HTMLLIElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is new has moved the end
  useLayoutEffect(() => {
    // Scrolls the question to the top, so that its answer is read from the beginning.
    if (box.current && start.current) box.current.scrollTop = start.current.offsetTop - 12;
  }, [text, done, error]);

  return (
    <li ref={start}>
      <ol className="flex flex-col gap-3">
        {error === null ? (
          <Asking name={name} question={question}>
            {text === "" ? undefined : text}
          </Asking>
        ) : (
          <NoAnswer error={error} question={question} createPath={createPath} onRetry={retry} />
        )}
        {done?.source && <Source source={done.source} />}
        {done && !done.known && (
          <li className="max-w-[85%] rounded-md border px-4 py-2.5 text-md text-muted">
            Двойник спросит владельца и&nbsp;запомнит его ответ: выдумывать он не&nbsp;станет.{" "}
            <Link href={createPath} className="font-medium text-primary-text underline underline-offset-4">
              Создать своего двойника
            </Link>
          </li>
        )}
      </ol>
    </li>
  );
}

interface NoAnswerProps {
  error: unknown;
  question: string;
  createPath: string;
  onRetry: () => void;
}

function NoAnswer({ error, question, createPath, onRetry }: NoAnswerProps) {
  const enough = codeOf(error) === "too_many_requests";
  return (
    <li role="alert" className="flex flex-col items-start gap-2 rounded-md border px-4 py-2.5 text-md">
      <p>
        <span className="text-muted">«{question}»</span>
        <br />
        {enough ? messageOf(error) : `Не удалось получить ответ. ${messageOf(error)}`}
      </p>
      {enough ? (
        <Link href={createPath} className="font-medium text-primary-text underline underline-offset-4">
          Создать своего двойника
        </Link>
      ) : (
        <Button size="sm" onClick={onRetry}>
          Повторить
        </Button>
      )}
    </li>
  );
}
