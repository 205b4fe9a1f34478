// The operator's file of connectors: YAML or JSON, checked as a whole, with all errors named at
// once. No message here shows the content of a file.
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { wordsOf } from '../../contract/wire/format-issue.ts';

export class SettingsFileWrong extends Error {
  override readonly name = 'SettingsFileWrong';
  /** One for each error. */
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** What the file's text says, not checked yet. Throws SettingsFileWrong. */
export function parsedSettingsFile(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'error', merge: false });
  const [error] = document.errors;
  // The library's message shows the lines around the error, and one of them may have a secret.
  if (error)
    throw new SettingsFileWrong([`line ${error.linePos?.[0].line ?? 1}: this is neither YAML nor JSON`]);
  return document.toJS({ maxAliasCount: 0 }) ?? {};
}

export function lineOfIssue(issue: z.core.$ZodIssue): string {
  const { path } = issue;
  const message = (issue.code === 'invalid_key' && issue.issues[0]?.message) || wordsOf(issue);
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
export const exactlyOne = (given: Readonly<Record<string, unknown>>): boolean =>
  Object.values(given).filter((value) => value !== undefined).length === 1;
