// Reads the settings of a program from the environment. One error names every wrong setting: what it must be and, if it is no
// secret, what it is. Only this file knows the form of that error.
import { z } from 'zod';
import { plainMessages, shortened } from '../../contract/wire/format-issue.ts';
import { secretSettings } from './secret-files.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Throws an Error. @param head begins it, like "The worker cannot start; these settings are wrong" */
export function readSettings<Schema extends z.ZodType>(
  head: string,
  schema: Schema,
  variables: Variables,
): z.output<Schema> {
  // Compose files and shells give an empty variable for one that is not set.
  const values = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const { success, data, error } = schema.safeParse(values, plainMessages);
  if (success) return data;
  // A list of which several elements are wrong is named once.
  const lines = new Set(error.issues.map((issue) => lineOf(issue, values)));
  throw new Error(`${head}:\n${[...lines].join('\n')}`);
}

function lineOf({ path, code, input, message }: z.core.$ZodIssue, values: Variables): string {
  const name = String(path[0]);
  const value = values[name];
  if (input === undefined && code === 'invalid_type')
    return `  ${name}: is required${message.startsWith('must ') ? `; it ${message}` : ''}`;
  // A message that quotes a part of the value, or begins with a file's name, has said it.
  const isHidden =
    value === undefined || isSecret(name) || message.includes('"') || message.startsWith(value);
  return `  ${name}: ${message}${isHidden ? '' : `; it is ${quoted(value)}`}`;
}

const secrets: ReadonlySet<string> = new Set([...secretSettings, 'CONSOLE_LINK_SECRET']);
const isSecret = (name: string): boolean => secrets.has(name);

const LONGEST_SHOWN = 100;

/** In quotes. An address may have a password before its host. */
function quoted(value: string): string {
  const text = value.replace(/\/\/[^/@]*@/g, '//…@');
  return JSON.stringify(shortened(text, LONGEST_SHOWN));
}

/** A setting that `read` reads. What it throws says what is wrong. @param missing what it must be, if it is absent */
export const readBy = <Value>(read: (text: string) => Value, missing?: string) =>
  z.string(missing).transform((text, context): Value => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });
