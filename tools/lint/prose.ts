// Finds code that decides by a text for people: a regular expression with two words, or a comparison with a beginning or a part of
// a sentence. What decides is data; texts change. (`npm run check`)
import { pathToFileURL } from 'node:url';
import { codeFiles } from './imports.ts';

/** Where processes are decided about. */
const folders = ['client/', 'console/', 'driver/', 'flow-files/machine/', 'processes/', 'workflows/'];

/** Texts that are not ours, or that a user has written: nothing else says it. */
export const allowed: Readonly<Record<string, string>> = {
  'client/codec-server/sign-in.ts': 'the header of HTTP',
  'client/command-line/verbs/setup.ts': 'the message of Temporal: it has no code for this',
  'driver/chart/drawing.ts': 'the event of a chart, as xstate names a delay',
  'console/flows/flow-charts.ts': 'the event of a chart, as xstate names a delay',
  'console/process/event-words.ts': 'the event of a chart, as xstate names a delay or the end of a call',
  'flow-files/machine/machine.ts': 'the message of xstate: it has no code for this',
  'processes/outcome.ts': 'the message of Temporal: it has no code for this',
};

const WORDS = '[A-Za-z]+:? [A-Za-z({]';
const patterns: readonly RegExp[] = [
  // A regular expression with two words.
  new RegExp(
    String.raw`(?:^|[(=,:!])\s*/(?![/*])(?:\\.|[^/\\\n])*?${WORDS}(?:\\.|[^/\\\n])*/[dgimsuvy]*(?:\.|[,;)])`,
  ),
  // A beginning, an end or a part of a sentence.
  new RegExp(
    String.raw`\.(?:startsWith|endsWith|includes|indexOf)\('(?:[^'\n]*${WORDS}[^'\n]*|[a-z]+:? )'\)`,
  ),
];

export interface Found {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export function proseIn(file: string, text: string): Found[] {
  return text.split('\n').flatMap((line, index) => {
    const isComment = /^\s*(?:\/\/|\*|\/\*)/.test(line);
    const isFound = !isComment && patterns.some((pattern) => pattern.test(line));
    return isFound ? [{ file, line: index + 1, text: line.trim() }] : [];
  });
}

export function problems(): string[] {
  const found = [...codeFiles()]
    .filter(([file]) => folders.some((folder) => file.startsWith(folder)))
    .flatMap(([file, text]) => proseIn(file, text));
  const used = new Set(found.map(({ file }) => file));
  return [
    ...found
      .filter(({ file }) => !Object.hasOwn(allowed, file))
      .map(({ file, line, text }) => `${file}:${line} decides by a text for people; expected data: ${text}`),
    ...Object.keys(allowed)
      .filter((file) => !used.has(file))
      .map((file) => `${file} no longer decides by a text: take it out of tools/lint/prose.ts`),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = problems();
  for (const problem of found) process.stderr.write(`${problem}\n`);
  if (found.length > 0) process.exitCode = 1;
}
