/** The same name, in whatever case, gets the same of the choices everywhere, and nobody has to choose. */
export function byName<Choice>(name: string, choices: readonly Choice[]): Choice {
  let hash = 0;
  for (const sign of name.toLocaleLowerCase("ru")) hash = (hash * 31 + sign.codePointAt(0)!) % 9973;
  return choices[hash % choices.length]!;
}
