// Checks several files together: flows that invoke each other in a circle would start processes without end.
import type { FlowFile } from '../flow-file.ts';
import type { At } from '../reading/finding.ts';
import { invokesOf, nodesOf, workOf } from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';

/** `others` are the files that are checked together with this one. */
export function circleFindings(file: FlowFile, others: readonly FlowFile[]): PlacedFinding[] {
  const ways = new Ways(file.name, others);
  return invokedBy(file).flatMap(({ src, at }) => {
    const way = ways.from(src);
    return way ? [lintFinding('FlowsInCircle', [...at, 'src'], src, [file.name, ...way].join(' → '))] : [];
  });
}

interface Invoked {
  readonly src: string;
  readonly at: At;
}

const invokedBy = (file: FlowFile): readonly Invoked[] =>
  nodesOf(file)
    .flatMap(invokesOf)
    .map(workOf)
    .map(({ invoke, at }) => ({ src: invoke.src, at }));

/** The ways to one flow. Each other flow is visited once: the number of ways grows exponentially with the files. */
class Ways {
  readonly #to: string;
  readonly #files: ReadonlyMap<string, FlowFile>;
  readonly #deadEnds = new Set<string>();
  readonly #next = new Map<string, readonly string[]>();

  constructor(to: string, files: readonly FlowFile[]) {
    this.#to = to;
    // If two files have one name, the first counts.
    this.#files = new Map([...files].reverse().map((file) => [file.name, file]));
  }

  /** The names of the flows on a shortest way, both ends included; undefined if there is none. */
  from(src: string): readonly string[] | undefined {
    const before = new Map<string, string | undefined>([[src, undefined]]);
    // A Map can be walked while it grows.
    for (const name of before.keys()) {
      if (name === this.#to) return wayTo(name, before);
      if (this.#deadEnds.has(name)) continue;
      for (const next of this.#after(name)) if (!before.has(next)) before.set(next, name);
    }
    for (const name of before.keys()) this.#deadEnds.add(name);
    return undefined;
  }

  /** What the flow of that name invokes. */
  #after(name: string): readonly string[] {
    const file = this.#files.get(name);
    const next = this.#next.get(name) ?? (file ? invokedBy(file).map(({ src }) => src) : []);
    this.#next.set(name, next);
    return next;
  }
}

function wayTo(end: string, before: ReadonlyMap<string, string | undefined>): string[] {
  const way: string[] = [];
  for (let at: string | undefined = end; at !== undefined; at = before.get(at)) way.unshift(at);
  return way;
}
