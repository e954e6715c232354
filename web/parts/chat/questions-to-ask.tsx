import { useQuery } from "@tanstack/react-query";
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

/** Questions whose replies the owner has published, so that the twin answers them. Renders nothing without any. */
export default function QuestionsToAsk({ twinId, onAsk }: QuestionsToAskProps) {
  const { data } = useQuery(queryOf(openRepliesApi.list, { params: { id: twinId }, query: {} }));
  const questions = data?.replies
    .filter(({ state, question }) => state === "open" && question.endsWith("?") && question.length <= LONGEST)
    .slice(0, OFFERED);
  if (!questions?.length) return null;
  return (
    <ul aria-label="Что можно спросить" className="mt-4 flex flex-wrap justify-center gap-2">
      {questions.map(({ id, question }) => (
        <li key={id}>
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
