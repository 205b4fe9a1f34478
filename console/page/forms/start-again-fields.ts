// What a person may change when something is started again: where, which size, and the times. The rest stays as it was.

import type { FormField } from '../../desk/desk-view.ts';
import { formatDuration } from './durations.ts';
import type { Values } from './form-values.ts';

type Input = Readonly<Record<string, unknown>>;

const KINDS: ReadonlySet<FormField['kind']> = new Set([
  'pickUpPoint',
  'locker',
  'size',
  'duration',
  'instant',
]);

/** Those of the fields that start the flow, with the groups around them. */
export const changeableOf = (fields: readonly FormField[]): FormField[] =>
  fields.flatMap((field) => {
    if (KINDS.has(field.kind)) return [field];
    if (field.kind !== 'group' || field.path === 'tell') return [];
    const children = changeableOf(field.children ?? []);
    return children.length > 0 ? [{ ...field, children }] : [];
  });

const optional = { isRequired: false, description: null } as const;
const side = (name: string): FormField => ({
  ...optional,
  path: `request.dimension.${name}`,
  label: name,
  kind: 'number',
});

/** For processes of several flows: the names of the interface. */
export const changeableOfMany: readonly FormField[] = [
  {
    ...optional,
    path: 'request',
    label: 'request',
    kind: 'group',
    isRequired: true,
    children: [
      { ...optional, path: 'request.pupUid', label: 'pupUid', kind: 'pickUpPoint' },
      {
        ...optional,
        path: 'request.dimension',
        label: 'dimension',
        kind: 'size',
        at: 'request.pupUid',
        children: ['width', 'height', 'length'].map(side),
      },
    ],
  },
  { ...optional, path: 'waitForLocker', label: 'waitForLocker', kind: 'duration' },
];

export const leavesOf = (fields: readonly FormField[]): FormField[] =>
  fields.flatMap((field) => (field.children ? leavesOf(field.children) : [field]));

const isMap = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueAt(input: unknown, path: string): unknown {
  let value = input;
  for (const name of path.split('.')) value = isMap(value) ? value[name] : undefined;
  return value ?? null;
}

/** As the fields show the input; one that it does not have is empty, whatever a new start would suggest. */
export const valuesOf = (fields: readonly FormField[], input: Input): Values =>
  Object.fromEntries(
    leavesOf(fields).map(({ path, kind }) => {
      const text = `${valueAt(input, path) ?? ''}`;
      return [path, kind === 'duration' ? formatDuration(text) : text];
    }),
  );

/** What differs, as a JSON merge patch. */
export function changeOf(fields: readonly FormField[], before: Input, after: Input): Input {
  const change: Record<string, unknown> = {};
  for (const { path } of leavesOf(fields)) {
    const [from, to] = [valueAt(before, path), valueAt(after, path)];
    if (from !== to) setAt(change, path.split('.'), to);
  }
  return change;
}

function setAt(
  change: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) change[name] = value;
  else {
    const inner = isMap(change[name]) ? { ...change[name] } : {};
    setAt(inner, rest, value);
    change[name] = inner;
  }
}
