import { FileText, MessageSquareText } from "lucide-react";
import type { FirstAnswer } from "#contract/conversations/first-answer.ts";
import { confidenceLabel } from "#web/parts/confidence-label.ts";
import { tellingSentence } from "./telling-sentence.ts";

type Origin = Pick<NonNullable<FirstAnswer["reply"]>, "basis" | "sources" | "replyExamples"> & {
  confidence: number | null;
};

/** Source of an answer with a quotation from the document or message, and the twin's confidence; or that it does not know. */
export function AnswerOrigin({ reply, answer }: { reply: Origin; answer: string }) {
  const { basis, sources, replyExamples } = reply;
  if (basis === "unknown") return <>Не знает — и честно говорит об этом</>;
  const [source] = sources;
  const [example] = replyExamples;
  return (
    <>
      {source ? (
        <From icon={FileText} name={`Из документа «${source.name}»`} text={tellingSentence(source.text, answer)} />
      ) : (
        example && <From icon={MessageSquareText} name="Из вашей переписки" text={example.reply} />
      )}
      <span className="block">{confidenceLabel(reply)}</span>
    </>
  );
}

interface FromProps {
  icon: typeof FileText;
  name: string;
  text: string;
}

function From({ icon: Icon, name, text }: FromProps) {
  return (
    <span className="mb-1 flex items-start gap-2">
      <Icon aria-hidden className="icon mt-0.5" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="block font-medium">{name}</span>
        <span className="line-clamp-3 whitespace-pre-line">{text}</span>
      </span>
    </span>
  );
}
