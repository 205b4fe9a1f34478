// The page docs/flow-file-reference.md: all that a flow file may contain, and every code. It is made from the tables that the
// checks use.

import type { z } from 'zod';
import { accountOperationSchemas } from '../contract/flows/account-operations.ts';
import { calendarMeanings } from '../flows/language/expressions/calendar-functions.ts';
import { failureRemedies } from '../flows/language/expressions/failure.ts';
import {
  dataMeanings,
  functionNames,
  methodNames,
  variables,
} from '../flows/language/expressions/language.ts';
import { momentFunctions } from '../flows/language/expressions/moment-functions.ts';
import { bounds } from '../flows/language/flow-file.ts';
import { lintRules } from '../flows/language/lint/lint-finding.ts';
import { operationsOfFiles } from '../flows/language/machine/actor-kinds.ts';
import { actionParams, guardParams } from '../flows/language/reading/action-vocabulary.ts';
import { findingCodes } from '../flows/language/reading/report.ts';
import {
  calendarDeadlineFields,
  calendarFields,
  eventFields,
  type Fields,
  fileFields,
  inputFields,
  invokeFields,
  questionFields,
  retryFields,
  scheduleFields,
  startFields,
  stateFields,
  transitionFields,
} from '../flows/language/reading/vocabulary.ts';

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const code = (word: string) => `\`${word}\``;

/** As the pages that are written by hand are. */
const wrapped = (text: string) => text.replaceAll(/(.{1,128})(?: |$)/g, '$1\n').trimEnd();

const fieldRows = (fields: Fields) =>
  Object.entries(fields).map(([name, { meaning, required, values }]) => [
    `${code(name)}${required ? ', required' : ''}`,
    `${meaning}${values && values.length > 1 ? ` One of ${values.map(code).join(', ')}.` : ''}`,
  ]);

const fieldTable = (fields: Fields) => table(['field', 'is'], fieldRows(fields));

/** A file is a state too: it has these fields in common with each of its states. */
const inCommon = Object.keys(fileFields).filter(
  (name) => fileFields[name] !== undefined && fileFields[name] === stateFields[name],
);
const ownOfFile = Object.fromEntries(
  Object.entries(fileFields).filter(([name]) => !inCommon.includes(name)),
) as Fields;

const codeTable = (rules: Readonly<Record<string, string>>) =>
  table(
    ['code', 'what is wrong', 'what to do'],
    Object.entries(rules).map(([name, rule]) => {
      const at = rule.indexOf('; ');
      return [code(name), rule.slice(0, at), rule.slice(at + 2)];
    }),
  );

const section = (title: string, ...parts: readonly string[]) => [`## ${title}`, ...parts].join('\n\n');

const boundRows: readonly (readonly [string, string])[] = [
  ['a file', `${bounds.fileBytes / 1024} kB`],
  ['states', String(bounds.states)],
  ['transitions', String(bounds.transitions)],
  ['invokes', String(bounds.invokes)],
  ['schedules; starts', `${bounds.schedules}; ${bounds.starts}`],
  ['calendars', `${bounds.calendars}, with ${bounds.closedDays} closed days each`],
  [
    'the list of an `each`',
    `${bounds.items} items, ${bounds.itemsBytes / 1024} kB, at most ${bounds.atOnce} at once`,
  ],
  ['what an `each` keeps of its items', `${bounds.outcomesBytes / 1024} kB`],
  ['an expression', `${bounds.expressionLength} characters`],
  ['the context, after every step; each value that an expression gives', `${bounds.contextBytes / 1024} kB`],
  [
    'a whole value with its expressions filled in: the input of an invoke, an emitted event, an output',
    `${bounds.valueBytes / 1024} kB`,
  ],
  ['steps that one event leads to (`always`, `raise`, `onDone`)', String(bounds.microsteps)],
  [
    'levels of maps and lists: in a file, in each value that an expression gives, in the request of a start',
    String(bounds.depth),
  ],
];

/** One table for all actions: each in a row, its params in the rows below it. */
const actions = table(
  ['action', 'param', 'is'],
  Object.entries(actionParams).flatMap(([type, { meaning, params }]) => [
    [code(type), '', meaning],
    ...fieldRows(params ?? {}).map((cells) => ['', ...cells]),
  ]),
);

const guards = Object.entries(guardParams)
  .map(([type, params]) => {
    const words = Object.entries(params).map(([name, { meaning }]) => `${code(name)}: ${meaning}`);
    return `- ${code(type)}, with ${words.join(' ')}`;
  })
  .join('\n');

const ofExpressions = section(
  'Expressions',
  `Variables: ${variables.map(code).join(', ')}; in \`keep\` of a call \`status\`, \`headers\`, \`body\`.`,
  `Functions: ${functionNames.map(code).join(', ')}.`,
  'Beside those of CEL:',
  table(
    ['function', 'gives'],
    Object.entries({ ...dataMeanings, ...calendarMeanings }).map(([name, meaning]) => [code(name), meaning]),
  ),
  `Methods of texts, lists, maps and optional values: ${methodNames.map(code).join(', ')}.`,
  `Of moments and durations, as ISO 8601 texts: ${Object.keys(momentFunctions).map(code).join(', ')}.`,
);

const ofFile = section(
  'A file',
  fieldTable(ownOfFile),
  `Beside them it has these fields of [a state](#a-state): ${inCommon.map(code).join(', ')}.`,
);

const ofCalendars = section(
  'A calendar',
  'A field of `calendars`, and of `calendars.yaml`:',
  fieldTable(calendarFields),
  'A deadline of a leg that it counts has `open` or `date`:',
  fieldTable(calendarDeadlineFields),
);

const ofEvents = section('An event', 'A field of `events`:', fieldTable(eventFields));
const ofStarts = section('A start by an event', fieldTable(startFields));

const ofSchedules = section('A schedule', fieldTable(scheduleFields));

/** One table for several parts: the name of each stands in its first row. */
const partsTable = (head: string, parts: Readonly<Record<string, Fields>>) =>
  table(
    [head, 'field', 'is'],
    Object.entries(parts).flatMap(([part, fields]) =>
      fieldRows(fields).map((cells, index) => [index === 0 ? code(part) : '', ...cells]),
    ),
  );

const retryRows = fieldRows(retryFields).map(([name = '', is = '']) => [name.replace('`', '`retry.'), is]);

const ofInputs = section(
  'The input of an invoke',
  'A flow and an operation have the input that they describe themselves.',
  partsTable('`src`', inputFields),
  [
    '- `ask` sends `<id>.claimed`, `<id>.released` and `<id>.assigned` when a person does that, `<id>.reminder` and `<id>.overdue` in time. Each has `event.of` (the inbox), `event.holder` (or null) and `event.by` (null if it is a time), a reminder also `event.number`, from 1. An answer has the fields, and `by`: the person who gave it.',
    '- `each` gives three lists as `event.output`: `done` (each `index`, `item`, `output`), `failed` (each `index`, `item`, `error`) and `left`, the items that did not begin or were cancelled (each `index`, `item`). A failure has the same lists in `event.error.detail`. It sends `<id>.done` for each item that is done, with `event.output`, `<id>.failed` for each that fails, with `event.error`, and the events of its flows as `<id>.<event>`. All have `event.index` and `event.item`; the first two also say how many are `event.done` and `event.failed` so far.',
    '- `undo` invokes what undoes a step as `<id>.<step>`, and asks about what cannot be undone as `<id>.<step>.failed`: the answer has `action`, `again` or `undoneByHand`. `event.output.undone` lists the steps, each with `step`, and `by` if a person has undone it.',
  ].join('\n'),
  'A field of a question has `type` or `choice`:',
  fieldTable(questionFields),
);

/** The other operations are those of the locker API. */
const ofAccounts = section(
  '`FindAccount` and `SetAccount`',
  "Two operations of lockerflow's own: [Accounts](flow-files.md#accounts).",
  table(
    ['operation', 'field', 'is'],
    [
      ...Object.entries(accountOperationSchemas).flatMap(([name, { input, result }]) => [
        ...rowsOf(name, 'input', input),
        ...rowsOf(name, 'output', result),
      ]),
      [
        code('FindAccount'),
        code('input.isWhole'),
        'True, in place of all others: it takes what the process is started with.',
      ],
    ],
  ),
);

function rowsOf(operation: string, of: string, { shape }: z.ZodObject): string[][] {
  return Object.entries(shape).map(([name, field]) => [
    code(operation),
    code(`${of}.${name}`),
    `${(field as z.ZodType).meta()?.description ?? ''}.`,
  ]);
}

export function flowFileReference(): string {
  return `${[
    '# Flow files: reference',
    '<!-- Written by `npm run docs` from flows/language/; a test fails when it is not current. -->',
    'All that a flow file may contain, and every code for what can be wrong with it. [Flow files](flow-files.md) explains it.',
    ofFile,
    ofCalendars,
    ofEvents,
    ofSchedules,
    ofStarts,
    section('A state', fieldTable(stateFields)),
    section(
      'A transition',
      'A transition that is only a text is its target. Of a list of transitions, the first one whose guard holds is taken.',
      fieldTable(transitionFields),
    ),
    section(
      'An invoke',
      table(['field', 'is'], [...fieldRows(invokeFields), ...retryRows]),
      `Operations that a file may invoke: ${operationsOfFiles.map(code).join(', ')}.`,
    ),
    ofInputs,
    ofAccounts,
    section('Actions', actions),
    section('Guards', 'An expression that gives true or false, or this as `{ type, params }`:', guards),
    ofExpressions,
    section('Bounds', table(['of', 'at most'], boundRows)),
    section(
      'Codes of a file that is refused',
      '`lint`, `publish` and `test` report all findings at once, the first 50. Each says its line, column and path, what is wrong, what was expected and what to do.',
      wrapped(findingCodes.map(code).join(', ')),
    ),
    section(
      'Codes of `lint`',
      'The file is valid, but does not do what its author expects.',
      codeTable(lintRules),
    ),
    section(
      'Codes of a process that stands still',
      'A step cannot be taken. The process stays where it was, and the event is kept. Correct the file, publish it, and [migrate](changing-flows.md#a-process-that-has-halted) the process: it takes the event again. Or an [operator](operate.md) continues without the event (`drop-event`) or ends the process (`give-up`).',
      table(
        ['code', 'what to change in the file'],
        Object.entries(failureRemedies).map(([name, remedy]) => [code(name), remedy]),
      ),
    ),
  ].join('\n\n')}\n`;
}
