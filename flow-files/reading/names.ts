// What a file may name beside itself, as far as it is known where the file is checked.
export interface KnownNames {
  /** Built-in flows; a file may not have the name of one. */
  readonly builtIn: readonly string[];
  /** Flow files that are published or beside this one. Null: not known here, any well-formed name may be one. */
  readonly published: readonly string[] | null;
  /** Null: not known here. */
  readonly connectors: KnownConnectors | null;
}

/** The operator's connectors, by what they take. */
export interface KnownConnectors {
  readonly calls: readonly string[];
  readonly events: readonly string[];
}

/** The one that is most likely meant; undefined where none is near. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(name.length / 3));
  const ranked = known
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase(), most) }))
    .sort((one, other) => one.distance - other.distance);
  const [first] = ranked;
  return first && first.distance <= most ? first.each : undefined;
}

/** Levenshtein's; one above `most` for all that are further apart. */
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
