// Stories of a process that goes over to another version of its file: what the plan says, what is refused.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
import { expect, test } from 'vitest';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import type { Versions } from '../../../flows/simulation/story-events.ts';
import { type Story, storyFileProblems } from '../../../flows/simulation/story-file.ts';
import { fileOf } from '../language/names.ts';

const head = (context: string, initial: string) => `
name: Parcel
meaning: Keeps a parcel until somebody fetches it.
context: ${context}
initial: ${initial}
states:
`;

const before = fileOf(`${head('{ reminders: 0 }', 'kept')}
  kept:
    entry: { type: emit, params: { type: parcel.kept } }
    after: { P10D: returned }
    on:
      fetched: over
      remind: { actions: { type: assign, params: { reminders: "\${context.reminders + event.data.count}" } } }
  returned: { on: { fetched: over } }
  over: { type: final }
`);

const after = fileOf(`${head('{ reminders: 0, shelf: none }', 'waiting')}
  waiting:
    was: kept
    after: { P7D: returned }
    on:
      collected: { target: over, was: fetched }
      remind: { actions: { type: assign, params: { reminders: "\${context.reminders + event.data}" } } }
  returned: { on: { collected: { target: over, was: fetched } } }
  over: { type: final }
`);

const withoutWas = fileOf(`${head('{ reminders: 0 }', 'kept')}
  kept: { on: { collected: over } }
  over: { type: final }
`);

const versions: Versions = new Map<string, FlowFile>([
  ['old', before],
  ['new', after],
  ['renamed', withoutWas],
]);

function problemsOf(text: string): readonly string[] {
  const { data, findings } = parsedText(text);
  expect(findings).toEqual([]);
  const stories = [{ story: 'It is so.', ...(data as object) }];
  expect(storyFileProblems({ flow: 'x', stories } as never)).toEqual([]);
  return play(after, stories[0] as Story, { versions }).problems;
}

test.each([
  [
    'a process goes over with its context, and by both names of an event',
    `
given: { version: old }
steps:
  - when: { event: remind, data: { count: 2 } }
  - when: { passes: P3D }
  - when: { migrates: new }
    then: { state: waiting, context: { reminders: 2, shelf: none } }
  - when: { passes: P3DT23H }
    then: { state: waiting }
  - when: { passes: PT1H }
    then: { state: returned }
  - when: { event: collected }
    then: { status: done }
`,
  ],
  [
    'one that is late by the new delay needs a plan',
    `
given: { version: old }
steps:
  - when: { passes: P8D }
  - when: { migrates: new }
    then: { refused: TimerOverdue, state: kept }
  - when: { migrates: new, plan: { overdue: { grace: 3600000 } } }
    then: { state: waiting }
  - when: { passes: PT1H }
    then: { state: returned }
`,
  ],
  [
    'one whose late timer is to fire now fires it with the next time that passes',
    `
given: { version: old }
steps:
  - when: { passes: P8D }
  - when: { migrates: new, plan: { overdue: now } }
    then: { state: waiting }
  - when: { passes: PT1S }
    then: { state: returned }
`,
  ],
  [
    'whoever could leave the state by an event alone that is called otherwise now is refused, and carried by the plan',
    `
given: { version: old }
steps:
  - when: { migrates: renamed }
    then: { refused: Stranded, state: kept }
  - when: { migrates: renamed, plan: { events: { fetched: collected } } }
    then: { state: kept, events: [collected] }
  - when: { event: collected }
    then: { status: done }
`,
  ],
  [
    'a process that has halted takes its event again',
    `
given: { version: old }
steps:
  - when: { event: remind, data: 5 }
    then: { failure: ExpressionFailed }
  - when: { migrates: new }
    then: { state: waiting, context: { reminders: 5 } }
`,
  ],
])('%s', (_, text) => {
  expect(problemsOf(text)).toEqual([]);
});

test('what differs is said', () => {
  expect(
    problemsOf('given: { version: old }\nsteps: [ { when: { migrates: new }, then: { state: kept } } ]'),
  ).toEqual(['step 1 (migrates new): state: expected "kept", but it is "waiting"']);
  const [problem] = problemsOf('given: { version: old }\nsteps: [ { when: { migrates: renamed } } ]');
  expect(problem).toMatch(
    /^step 1 \(migrates renamed\): Stranded: kept was left by .*; if fetched is called collected now/,
  );
});

test('the form of what a story says of versions is checked', () => {
  const problems = (given: object, when: object) =>
    storyFileProblems({ flow: 'x', stories: [{ story: 's', given, steps: [{ when }] }] } as never).map(
      ({ at, message }) => `${at.slice(2).join('.')}: ${message}`,
    );
  expect(problems({ version: 0, at: 3 }, { migrates: true, plan: 1 })).toEqual([
    'given.version: version must be string, not 0',
    'given.at: at must be string, not 3',
    'steps.0.when.migrates: migrates must be string, not true',
    'steps.0.when.plan: plan must be object, not 1',
  ]);
});

test.each([
  ['asked anew', '{ there: { type: yesNo } }', '{ where: { type: text } }'],
  [
    'asked with more choices',
    '{ there: { choice: [yes, no] } }',
    '{ there: { choice: [yes, no, unclear] } }',
  ],
])(
  'a question that was %s has the time that it had, once the process is back on the former version',
  (_, fields, others) => {
    const asking = (given: string) =>
      fileOf(`
name: Parcel
meaning: Asks whether it is there.
initial: asked
states:
  asked:
    invoke: { id: desk, src: ask, input: { of: desk, question: Is it there?, fields: ${given}, within: P7D }, onDone: over, onError: unanswered }
    on: { noted: { actions: { type: log, params: { message: noted } } } }
  unanswered: {}
  over: { type: final }
`);
    const given = new Map([
      ['one', asking(fields)],
      ['two', asking(others)],
    ]);
    const story = (between: string) =>
      parsedText(`
story: It goes there and back.
given: { version: one, at: 2026-01-05T09:00:00Z }
steps:
  - when: { passes: P2D }
  - when: { migrates: two }
  - when: { passes: P1D }${between}
  - when: { migrates: one }
    then: { questions: { desk: { askedAt: 2026-01-05T09:00:00Z, until: 2026-01-12T09:00:00Z } } }
  - when: { passes: P4D }
    then: { state: unanswered }
`).data as unknown as Story;
    const file = given.get('two') as FlowFile;
    expect(play(file, story(''), { versions: given }).problems).toEqual([]);
    expect(play(file, story('\n  - when: { event: noted }'), { versions: given }).problems).toEqual([]);
  },
);

test('a plan that the update refuses is refused in the file of stories, with its place', () => {
  const step = (plan: object) => ({ when: { migrates: 'new', plan } });
  const problems = (plan: object) =>
    storyFileProblems({ flow: 'x', stories: [{ story: 'It goes over.', steps: [step(plan)] }] } as never);
  expect(problems({ overdue: 'now' })).toEqual([]);
  expect(problems({ overdoe: 'now' })).toEqual([
    {
      at: ['stories', 0, 'steps', 0, 'when', 'plan'],
      message: expect.stringMatching(
        /^plan is wrong: expected plan, a map with any of states, .*, not "overdoe"$/,
      ),
    },
  ]);
  expect(problems({ overdue: 'later' })).toEqual([expect.anything()]);
});
