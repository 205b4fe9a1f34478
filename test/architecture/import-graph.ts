// Which file imports which, read from the sources.
import { importsOf } from '../../scripts/lint/imports.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Every file, with the files of this repository that it imports. */
export function importsIn(texts: ReadonlyMap<string, string>): Graph {
  return new Map(
    [...texts].map(([file, text]) => [
      file,
      importsOf(file, text)
        .map(({ imported }) => imported)
        .filter((imported) => texts.has(imported)),
    ]),
  );
}

/** One circle, its first name repeated at its end; undefined when there is none. */
export function circleIn(graph: Graph): readonly string[] | undefined {
  const done = new Set<string>();
  const follow = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of graph.get(name) ?? []) {
      const circle = follow(next, [...path, name]);
      if (circle) return circle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of graph.keys()) {
    const circle = follow(name, []);
    if (circle) return circle;
  }
  return undefined;
}
