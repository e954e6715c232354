/** Assigns one of the choices to a name, ignoring case, so that the same name gets the same choice everywhere without storage. */
export function byName<Choice>(name: string, choices: readonly Choice[]): Choice {
  let hash = 0;
  for (const sign of name.toLocaleLowerCase("ru")) hash = (hash * 31 + sign.codePointAt(0)!) % 9973;
  return choices[hash % choices.length]!;
}
