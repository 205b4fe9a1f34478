// That no folder and its neighbour import each other: of what stands side by side in a folder, files and sub-folders, nothing
// leads in a circle back to itself, be it by types alone.

interface Import {
  readonly file: string;
  readonly imported: string;
}

/** By entry of a folder (a sub-folder ends in a slash): the entries beside it that it imports, each with a file that does. */
type Graph = Map<string, Map<string, string>>;

/** Its folders are not layers: they lend each other what only tests need. */
const FREE = 'test/';

/** A circle for each folder that has one, with the imports that make it. Both ends of an import are files of the project. */
export function circles(imports: readonly Import[]): string[] {
  return [...graphs(imports)].flatMap(([folder, graph]) => {
    const circle = folder === FREE ? undefined : circleIn(graph);
    if (circle === undefined) return [];
    const reasons = circle.slice(1).map((to, index) => graph.get(circle[index] ?? '')?.get(to));
    return [`${folder || 'the root'} must not have the circle ${circle.join(' → ')}: ${reasons.join('; ')}`];
  });
}

/** By folder: '' for the root, else with a slash at its end. */
function graphs(imports: readonly Import[]): ReadonlyMap<string, Graph> {
  const byFolder = new Map<string, Graph>();
  for (const { file, imported } of imports) {
    const folder = commonFolder(file, imported);
    const [from, to] = [entryOf(file, folder), entryOf(imported, folder)];
    if (from === to) continue;
    const graph = byFolder.get(folder) ?? new Map();
    byFolder.set(folder, graph);
    graph.set(from, (graph.get(from) ?? new Map()).set(to, `${file} imports ${imported}`));
  }
  return byFolder;
}

function commonFolder(one: string, other: string): string {
  let end = 0;
  for (let at = 0; one[at] === other[at] && at < one.length; at += 1) if (one[at] === '/') end = at + 1;
  return one.slice(0, end);
}

const entryOf = (path: string, folder: string): string =>
  /^[^/]*\/?/.exec(path.slice(folder.length))?.[0] ?? '';

/** One circle, its first name repeated at its end; undefined when there is none. */
function circleIn(graph: Graph): readonly string[] | undefined {
  const done = new Set<string>();
  const follow = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of graph.get(name)?.keys() ?? []) {
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
