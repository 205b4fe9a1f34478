// A file of the operator, of connectors or of walls: YAML or JSON, checked as a whole, with all errors named at
// once. No message here shows the content of a file.
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { formatIssue, plainMessages } from '../../contract/wire/format-issue.ts';

export class SettingsFileWrong extends Error {
  override readonly name = 'SettingsFileWrong';
  /** One for each error. */
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** What the file's text says. Throws SettingsFileWrong, which names all errors. */
export function settingsIn<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const { success, data, error } = schema.safeParse(parsed(text), plainMessages);
  if (success) return data;
  throw new SettingsFileWrong(error.issues.map(lineOfIssue));
}

function parsed(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'error', merge: false });
  const [error] = document.errors;
  // The library's message shows the lines around the error, and one of them may have a secret.
  if (error)
    throw new SettingsFileWrong([`line ${error.linePos?.[0].line ?? 1}: this is neither YAML nor JSON`]);
  return document.toJS({ maxAliasCount: 0 }) ?? {};
}

function lineOfIssue(issue: z.core.$ZodIssue): string {
  const { path } = issue;
  const message = (issue.code === 'invalid_key' && issue.issues[0]?.message) || formatIssue(issue);
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
}

/** The name of a connector. */
export const entryName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    'must be a name: a letter, then letters, digits, _ and -, 64 at most',
  );

export const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of a header');

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The one of them that is given. */
export const exactlyOne = (values: Readonly<Record<string, unknown>>): boolean =>
  Object.values(values).filter((value) => value !== undefined).length === 1;

/** Throws an Error that says why. */
export type ReadFile = (path: string) => string;

/** The content of a file that holds a secret. */
export function secretFile(read: ReadFile, check: (secret: string) => string | undefined = () => undefined) {
  return z
    .string('must be the path of a file')
    .min(1)
    .transform((path, context): string => {
      const problem = (message: string) => {
        context.addIssue({ code: 'custom', message, input: path });
        return z.NEVER;
      };
      try {
        const secret = read(path).replace(/\r?\n$/, '');
        const wrong = secret === '' ? 'is empty; it must hold the secret' : check(secret);
        return wrong === undefined ? secret : problem(`the file ${path} ${wrong}`);
      } catch (error) {
        return problem(
          `cannot be read (${error instanceof Error ? error.message : String(error)}); check the path and who may read it`,
        );
      }
    });
}
