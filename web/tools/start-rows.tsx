import { FileJson } from "lucide-react";
import { paths } from "#web/paths.ts";
import { type LinkRow, LinkRows } from "#web/ui/layout/link-rows.tsx";
import { PROGRAMMER_KINDS, SIMPLE_KINDS, wordsOf } from "./kind-words.ts";

/** The ways to begin a tool, each with what it is good for; those that need a programmer stand apart. */
export function StartRows({ twinId }: { twinId: string }) {
  const start = (way: string) => `${paths.twinTools(twinId)}?new=${way}`;
  const rowOf = (kind: (typeof SIMPLE_KINDS)[number]): LinkRow => {
    const { icon, firstStart: name, about } = wordsOf(kind);
    return { to: start(kind), icon, name, about };
  };
  const description = {
    ...{ to: start("openapi"), icon: FileJson, name: "Описание OpenAPI" },
    about: "Вызовы вашей системы из готового файла: отметьте нужные, адреса и поля заполнятся сами",
  };
  const [http, ...others] = PROGRAMMER_KINDS.map(rowOf);
  return (
    <div className="flex flex-col gap-6">
      <Group name="Просто" rows={SIMPLE_KINDS.map(rowOf)} />
      <Group name="Для программиста" rows={[http!, description, ...others]} />
    </div>
  );
}

const Group = ({ name, rows }: { name: string; rows: readonly LinkRow[] }) => (
  <section aria-label={name} className="flex flex-col gap-3">
    <h2 className="text-base">{name}</h2>
    <LinkRows rows={rows} />
  </section>
);
