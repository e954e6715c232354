import type { ReactNode } from "react";
import { ChatBubble, TypingDots } from "#web/ui/chat-bubble.tsx";

interface AskingProps {
  name: string;
  question: string;
  asker?: string;
  /** The partial answer; absent while the twin is thinking. */
  children?: ReactNode;
}

export function Asking({ name, question, asker = "Вы", children }: AskingProps) {
  return (
    <>
      <ChatBubble author="owner" authorLabel={asker}>
        {question}
      </ChatBubble>
      <ChatBubble author="twin" authorLabel={name}>
        {children ?? <TypingDots label={`${name} печатает`} />}
      </ChatBubble>
    </>
  );
}
