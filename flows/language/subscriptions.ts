// The events that a file listens for. A child sends its parent only these, so other events cost nothing.
import type { StateData } from './flow-file.ts';

/** Every event that a state takes, as it is written in `on`. */
export function listenedFor(state: StateData): string[] {
  const own = Object.keys(state.on ?? {});
  const inner = Object.values(state.states ?? {}).flatMap(listenedFor);
  return [...new Set([...own, ...inner])];
}

/** The events of one invoke that the file listens for, without the id of the invoke. */
export function heardFrom(file: StateData, id: string): string[] {
  const prefix = `${id}.`;
  const all = listenedFor(file);
  // A wildcard for all events, or one that ends within the id, takes every event of the invoke.
  if (all.some((type) => type === '*' || (type.endsWith('.*') && prefix.startsWith(type.slice(0, -1)))))
    return ['*'];
  return all.filter((type) => type.startsWith(prefix)).map((type) => type.slice(prefix.length));
}
