import { Asking } from "./asking.tsx";
import example from "./example.json" with { type: "json" };
import { Source } from "./source.tsx";

/**
 * A stored answer to one of the ready questions, shown before anyone asks; server/demo/showcase/showcase.test.ts checks that it is current.
 */
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
