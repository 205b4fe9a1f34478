// What a file listens for: a child tells its parent nothing else, so an event that nobody hears costs nothing.
import type { StateData } from '../flow-file.ts';

/** Every event that some state takes, as it stands in `on`. */
export function listenedFor(state: StateData): string[] {
  const own = Object.keys(state.on ?? {});
  const inner = Object.values(state.states ?? {}).flatMap(listenedFor);
  return [...new Set([...own, ...inner])];
}

/** Of those the ones of one invoke, without its id. */
export function heardFrom(file: StateData, id: string): string[] {
  const prefix = `${id}.`;
  const all = listenedFor(file);
  // A wildcard of all events, or of a part of the id.
  if (all.some((type) => type === '*' || (type.endsWith('.*') && prefix.startsWith(type.slice(0, -1)))))
    return ['*'];
  return all.filter((type) => type.startsWith(prefix)).map((type) => type.slice(prefix.length));
}
