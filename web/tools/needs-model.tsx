import { Link } from "wouter";
import type { Tool } from "#contract/actions/tools.ts";
import { paths } from "#web/paths.ts";

/** Why the tool is called by nobody while there is no model, and what helps. Renders nothing for others. */
export function NeedsModel({ tool: { needsModel, changes } }: { tool: Pick<Tool, "needsModel" | "changes"> }) {
  if (needsModel === null) return null;
  const model = (label: string) => (
    <Link href={paths.model} className="underline">
      {label}
    </Link>
  );
  return (
    <p className="mt-1 text-md text-warning-text">
      {needsModel === "fields" ? (
        <>
          Без&nbsp;модели не&nbsp;сработает: нужно несколько значений, а&nbsp;по&nbsp;примеру двойник узнаёт одно.{" "}
          {model("Подключить модель")}
        </>
      ) : (
        <>
          Без&nbsp;модели не&nbsp;сработает: двойник не&nbsp;узнает просьбу. Добавьте пример
          {changes && " с\u00a0номером"} или {model("подключите модель")}
        </>
      )}
    </p>
  );
}
