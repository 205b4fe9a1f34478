// Which file imports which, read from the sources.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '../..');
const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

export type Graph = ReadonlyMap<string, readonly string[]>;

/** Every file, with the files of this repository that it imports. */
export function importsIn(files: readonly string[]): Graph {
  return new Map(
    files.map((file) => {
      const code = readFileSync(join(root, file), 'utf8');
      return [
        file,
        [...code.matchAll(RELATIVE_IMPORT)].map(([, path = '']) => normalize(join(dirname(file), path))),
      ];
    }),
  );
}

/** The same between rooms: the folders directly below the given one. Its own files belong to no room. */
export function importsOfRooms(folder: string, files: Graph): Graph {
  const roomOf = (file: string) =>
    file.startsWith(`${folder}/`) ? file.split('/').slice(1, -1)[0] : undefined;
  const rooms = new Map<string, string[]>();
  for (const [file, imported] of files) {
    const room = roomOf(file);
    if (room === undefined) continue;
    const others = imported.map(roomOf).filter((other) => other !== undefined && other !== room);
    rooms.set(room, [...new Set([...(rooms.get(room) ?? []), ...others])] as string[]);
  }
  return rooms;
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
