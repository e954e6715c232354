import { useQuery } from "@tanstack/react-query";
import { toolsApi } from "#contract/actions/tools.ts";
import { openRepliesApi } from "#contract/knowledge/open-replies.ts";
import { queryOf } from "#web/api/query.ts";
import { Button } from "#web/ui/button.tsx";

const OFFERED = 3;
/** Maximum length of a question, about two lines on a phone. */
const LONGEST = 90;

interface QuestionsToAskProps {
  twinId: string;
  onAsk: (question: string) => void;
}

/**
 * What the twin surely answers: an example of an action that is on, then questions whose replies the owner has published. Renders nothing
 * without any.
 */
export default function QuestionsToAsk({ twinId, onAsk }: QuestionsToAskProps) {
  const tools = useQuery(queryOf(toolsApi.list, { query: { twinId } }));
  const replies = useQuery(queryOf(openRepliesApi.list, { params: { id: twinId }, query: {} }));
  // Nothing moves when the slower of both has come.
  if (tools.isPending || replies.isPending) return null;
  const examples = (tools.data ?? []).flatMap(({ enabled, degree, example }) =>
    enabled && degree !== "never" && example !== null ? [example] : [],
  );
  const asked = (replies.data?.replies ?? []).flatMap(({ state, question }) =>
    state === "open" && question.endsWith("?") ? [question] : [],
  );
  const isShort = (question: string) => question.length <= LONGEST;
  const questions = [...examples.filter(isShort).slice(0, OFFERED - 1), ...asked.filter(isShort)].slice(0, OFFERED);
  if (questions.length === 0) return null;
  return (
    <ul aria-label="Что можно спросить" className="mt-4 flex flex-wrap justify-center gap-2">
      {[...new Set(questions)].map((question) => (
        <li key={question}>
          <Button
            size="sm"
            className="h-auto! min-h-8 max-w-full whitespace-normal! pointer-coarse:min-h-control"
            onClick={() => onAsk(question)}
          >
            {question}
          </Button>
        </li>
      ))}
    </ul>
  );
}
