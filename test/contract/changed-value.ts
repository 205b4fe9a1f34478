// Values with one part replaced, added or removed, at any depth.

export type Path = readonly string[];

/** The places of all that is in it. */
export function pathsOf(value: unknown, at: Path = []): Path[] {
  const own = at.length > 0 ? [at] : [];
  if (typeof value !== 'object' || value === null) return own;
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...at, key]))];
}

/** A copy of it; undefined removes what is there. */
export function withValue(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  // The length of a list is none of its parts: JSON cannot say it.
  if (Array.isArray(body) && key === 'length') return body;
  const copy: object = Array.isArray(body) ? [...body] : { ...Object(body) };
  const changed = withValue(Reflect.get(copy, key), rest, value);
  if (changed === undefined) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, changed);
  return copy;
}
