// The names that somebody most likely meant who wrote another one.

/** The known name that the author most likely meant; undefined if none is similar. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(name.length / 3));
  const ranked = known
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase(), most) }))
    .sort((one, other) => one.distance - other.distance);
  const [first] = ranked;
  return first && first.distance <= most ? first.each : undefined;
}

/** The most similar of many names, the best first. */
export function nearestFewOf(name: string, known: readonly string[]): string[] {
  const distances = new Map(
    known.map((each) => [each, distanceOf(name.toLowerCase(), each.toLowerCase(), 1_000) / each.length]),
  );
  return known.toSorted((one, other) => (distances.get(one) ?? 0) - (distances.get(other) ?? 0)).slice(0, 3);
}

/** For an error: what a name that nobody knows was to be. */
export function formatExpected(name: string, known: readonly string[]): string {
  const all = [...new Set(known)];
  if (all.length === 0) return 'there is none that could be meant';
  const near = nearestOf(name, all);
  return near === undefined
    ? `expected a name such as ${nearestFewOf(name, all).join(', ')}`
    : `expected ${near}, perhaps`;
}

/** The Levenshtein distance; `most + 1` if it is certain to be above `most`. */
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const replaced = (row[to - 1] as number) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] as number) + 1, (next[to - 1] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
