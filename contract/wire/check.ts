// Checks a value from the wire against a schema. Names match in upper and lower case. Every issue names its field by its
// name on the wire, like `Dimension.width`.
import type { z } from 'zod';
import { type DuplicateKey, fromWire, wirePath } from './casing.ts';
import type { FieldIssue } from './contract-error.ts';
import { formatIssue, plainMessages } from './format-issue.ts';

type Checked<Data> =
  | { readonly data: Data; readonly issues: readonly [] }
  | { readonly data?: never; readonly issues: readonly [FieldIssue, ...FieldIssue[]] };

export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): Checked<z.infer<Schema>> {
  const duplicates: DuplicateKey[] = [];
  const { data, error } = schema.safeParse(fromWire(schema, value, duplicates), plainMessages);
  const [first, ...others] = [
    ...duplicates.map(duplicateIssue),
    ...(error?.issues ?? []).map((issue) => fieldIssue(schema, issue)),
  ];
  if (first) return { issues: [first, ...others] };
  return { data: data as z.infer<Schema>, issues: [] };
}

const duplicateIssue = ({ path, keys }: DuplicateKey): FieldIssue => ({
  field: [...path, keys[0]].join('.'),
  message: `is given more than once (${keys.join(' and ')}); upper and lower case make no difference in names, so send one of them`,
});

function fieldIssue(schema: z.ZodType, issue: z.core.$ZodIssue): FieldIssue {
  const field = wirePath(schema, issue.path);
  return { field, message: field === '' ? 'the body must be a JSON object' : formatIssue(issue) };
}
