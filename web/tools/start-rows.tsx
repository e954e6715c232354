import { FileJson } from "lucide-react";
import { paths } from "#web/paths.ts";
import { LinkRows } from "#web/ui/layout/link-rows.tsx";
import { TOOL_KINDS, wordsOf } from "./kind-words.ts";

/** The ways to begin a tool, each with what it is good for. */
export function StartRows({ twinId }: { twinId: string }) {
  const start = (way: string) => `${paths.twinTools(twinId)}?new=${way}`;
  const kinds = TOOL_KINDS.map((kind) => {
    const { icon, firstStart: name, about } = wordsOf(kind);
    return { to: start(kind), icon, name, about };
  });
  const description = {
    ...{ to: start("openapi"), icon: FileJson, name: "Описание OpenAPI" },
    about: "Вызовы вашей системы из готового файла: отметьте нужные, адреса и поля заполнятся сами",
  };
  return <LinkRows rows={[...kinds, description]} />;
}
