import { Asking } from "./asking.tsx";
import example from "./example.json" with { type: "json" };
import { Source } from "./source.tsx";

/** What the twin has answered to one of the ready questions (server/demo/showcase/showcase.test.ts holds it to that), before anybody asks. */
export default function Example({ name }: { name: string }) {
  return (
    <>
      <Asking name={name} question={example.question} asker="Посетитель">
        {example.answer}
      </Asking>
      <Source short source={example.source} />
    </>
  );
}
