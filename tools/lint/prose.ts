// Finds code that decides by a text for people: a regular expression with two words, a comparison with a beginning or a part of a
// sentence, or any look into a message. What decides is data; texts change. (`npm run check`)
import { pathToFileURL } from 'node:url';
import { codeFiles } from './imports.ts';

/** Where something is decided that people read about. */
const folders = [
  ...['activities/', 'client/', 'console/', 'contract/', 'driver/', 'flow-files/', 'machines/', 'processes/'],
  ...['runtime/', 'service/', 'worker/', 'workflows/'],
];

/** Texts that are not ours, or that a user has written: nothing else says it. */
export const allowed: Readonly<Record<string, string>> = {
  'activities/api/evidence.ts': 'the words of a peer around a number, which is masked or shown',
  'activities/api/http-exchange.ts': 'the message of the system, to which its code is added',
  'client/flow-errors.ts': 'a message, to which its code is added once',
  'contract/wire/issue-words.ts': 'the words of a schema, which stay as they are',
  'flow-files/reading/yaml.ts': 'the message of the YAML library, without the place that it repeats',
  'runtime/settings/read-settings.ts': 'the words of a schema, to which the value is added',
  'runtime/terminal/listening.ts': 'the words of the system: Temporal passes on no code',
  'service/accounts/suggestions/workbook-rows.ts': 'the message of the library: it has no code for this',
  'service/administration/commands/failure-words.ts': 'the message of the driver: it has no code for this',
  'worker/worker.ts': 'the message of the library, of which a person reads the innermost',
  'client/codec-server/sign-in.ts': 'the header of HTTP',
  'client/command-line/verbs/setup.ts': 'the message of Temporal: it has no code for this',
  'driver/chart/drawing.ts': 'the event of a chart, as xstate names a delay',
  'processes/views/flows.ts': 'the event of a chart, as xstate names a delay',
  'console/process/event-words.ts': 'the event of a chart, as xstate names a delay or the end of a call',
  // Words for people from those for developers: what they do not know stays as it is.
  'console/process/glance/headline.ts': 'the words of what is awaited, without their times',
  'console/process/glance/readable.ts': 'the message of a step that failed, without what its author needs',
  'console/process/process-details.ts':
    'the words of a flow that is awaited, which says itself what comes next',
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
  // A look into a text that has the name of one for people, whatever it looks for.
  /\b(?:because|detail|message|problem|sentence)\??\.(?:startsWith|endsWith|includes|indexOf|match|search)\(/,
  // These may be a list of words too, in which one is looked for.
  /\bwords\??\.(?:startsWith|endsWith|match|search)\(/,
  /\.(?:test|exec)\([\w.?]*\b(?:because|detail|message|problem|sentence|words)\)/,
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
