import type { StyleProfile, TwinQuality } from "#contract/quality.ts";
import { plural } from "#web/i18n/plural.ts";
import { groupFacts } from "./group-facts.ts";
import { styleFacts } from "./style-facts.ts";

interface MeasurementsProps {
  profile: StyleProfile;
  groups: TwinQuality["groups"];
}

export function Measurements({ profile, groups }: MeasurementsProps) {
  const facts = styleFacts(profile);
  return (
    <section aria-labelledby="measurements" className="border-y">
      <details>
        <summary className="rounded-lg py-3 hover:text-primary-text">
          <h2 id="measurements" className="inline text-lg">
            Все измерения
          </h2>
          <span className="block text-md text-muted">
            {plural(facts.length, ["число", "числа", "чисел"])} с&nbsp;вашими примерами
          </span>
        </summary>
        <ul className="divide-y border-t">
          {facts.map(({ title, text, examples }) => (
            <li key={title} className="grid gap-x-6 gap-y-1.5 py-3.5 text-md md:grid-cols-[10rem_minmax(0,1fr)]">
              <h3 className="font-medium">{title}</h3>
              <div className="min-w-0">
                <p className="max-w-measure">{text}</p>
                <Examples texts={examples} />
              </div>
            </li>
          ))}
        </ul>
        {groups.length > 0 && <Groups profile={profile} groups={groups} />}
      </details>
    </section>
  );
}

function Groups({ profile, groups }: MeasurementsProps) {
  return (
    <section aria-labelledby="style-groups" className="border-t py-4">
      <h3 id="style-groups" className="text-base font-medium">
        С разными людьми по-разному
      </h3>
      <p className="max-w-measure text-md text-muted">
        Двойник отвечает каждому так, как вы пишете именно этим людям. Если в карточке собеседника выбрано «ты» или
        «вы», действует ваш выбор.
      </p>
      <ul className="mt-3 grid gap-3 lg:grid-cols-2">
        {groups.map((group) => {
          const { title, people, differences, examples } = groupFacts(group, profile);
          return (
            <li key={group.key} className="min-w-0 rounded-md border p-3.5 text-md">
              <h4 className="font-medium">{title}</h4>
              {people !== "" && <p className="text-muted [overflow-wrap:anywhere]">{people}</p>}
              {differences.length > 0 && (
                <ul className="mt-2 flex flex-col gap-1">
                  {differences.map((difference) => (
                    <li key={difference}>{difference}</li>
                  ))}
                </ul>
              )}
              <Examples texts={examples} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Examples({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <ul className="mt-1.5 flex flex-col gap-1">
      {texts.map((text) => (
        <li key={text} className="border-s-2 ps-3 text-muted [overflow-wrap:anywhere]">
          {text}
        </li>
      ))}
    </ul>
  );
}
