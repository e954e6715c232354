import type { Tool } from "#contract/actions/tools.ts";

/** Names the examples that other actions share, so that none is called by them without a model. Renders nothing for none. */
export function Taken({ taken }: Pick<Tool, "taken">) {
  return taken.map(({ example, by }) => (
    <p key={example} className="text-md text-warning-text">
      Так&nbsp;же спрашивают {by.map((title) => `«${title}»`).join(", ")}: на&nbsp;«{example}» без&nbsp;модели двойник
      не&nbsp;вызовет ни&nbsp;одного. Измените пример
    </p>
  ));
}
