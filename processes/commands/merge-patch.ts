// A JSON merge patch (RFC 7396): what is given replaces what was, null takes a field out, and what is left out stays.
import { isDeepStrictEqual } from 'node:util';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own fields alone: a field may be called like one that every object has. */
const fieldIn = (value: unknown, name: string): unknown =>
  isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export function mergePatch(target: unknown, patch: Fields): Fields {
  const merged = new Map(Object.entries(isFields(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, isFields(value) ? mergePatch(merged.get(name), value) : value);
  }
  return Object.fromEntries(merged);
}

export interface FieldChange {
  /** Its path, like request.pupUid. */
  readonly field: string;
  /** Null: it was, or is, left out. */
  readonly from: unknown;
  readonly to: unknown;
}

/** What a patch changes; a field that it sets to what it was is not changed. */
export const changesOf = (target: unknown, patch: Fields, around: readonly string[] = []): FieldChange[] =>
  Object.entries(patch).flatMap(([name, value]) => {
    const path = [...around, name];
    const before = fieldIn(target, name);
    if (isFields(value)) return changesOf(before, value, path);
    const change = { field: path.join('.'), from: before ?? null, to: value };
    return isDeepStrictEqual(change.from, change.to) ? [] : [change];
  });
