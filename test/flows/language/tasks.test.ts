// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Questions as tasks: who may claim, release, assign and answer them, what the process hears of it, and reminders. Played on the
// engine that runs it in production.
import { expect, test } from 'vitest';
import type { Actions } from '../../../contract/flows/actions.ts';
import type { FlowFile, JsonObject } from '../../../flows/language/flow-file.ts';
import { lintFindings } from '../../../flows/language/lint/lint.ts';
import { personOf } from '../../../flows/language/machine/tasks.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { PlayRefused } from '../../../flows/simulation/not-playable.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import { Player } from '../../../flows/simulation/player.ts';
import type { Step } from '../../../flows/simulation/story-file.ts';
import { fileOf, namesForTests } from './names.ts';

const hears = (words: string) => ({
  actions: { type: 'assign', params: { heard: `\${context.heard + [${words}]}` } },
});
const changes = {
  'check.claimed': hears("'claimed by ' + event.by"),
  'check.released': hears("'released'"),
  'check.assigned': hears("'assigned'"),
};
const times = {
  'check.reminder': hears('string(event.number)'),
  'check.overdue': hears("'overdue, of ' + string(event.holder)"),
};

/** @param task fields of the input of `ask` */
const textOf = (task: object = {}, on: object = changes) =>
  JSON.stringify({
    name: 'Approval',
    meaning: 'Somebody approves.',
    initial: 'asking',
    input: { type: 'object', properties: { first: { type: 'string', default: 'anna' }, people: {} } },
    context: { heard: [], before: null },
    states: {
      asking: {
        invoke: {
          id: 'check',
          src: 'ask',
          onDone: 'over',
          onError: 'late',
          input: { of: 'desk', question: 'May it be bought?', fields: { ok: { type: 'yesNo' } }, ...task },
        },
        on: { other: { actions: { type: 'log', params: { message: 'it came' } } }, ...on },
      },
      late: { type: 'final' },
      over: { type: 'final' },
    },
  });

const file = (task?: object, on?: object): FlowFile => fileOf(textOf(task, on));

const stories = parsedText(`
- story: whoever has claimed it answers it, and nobody else
  steps:
    - when: { claim: check, by: anna }
      then: { questions: { check: { holder: anna, heldSince: "2026-01-05T09:00:00Z" } } }
    - { when: { answer: check, with: { ok: true }, by: ben }, then: { refused: HeldByAnother } }
    - { when: { claim: check, by: ben }, then: { refused: HeldByAnother } }
    - { when: { answer: check, with: { ok: true }, by: anna }, then: { status: done } }
- story: it is claimed once, however often the same person does so
  steps:
    - { when: { claim: check, by: anna } }
    - { when: { claim: check, by: " Anna by shop (API)" }, then: { context: { heard: [claimed by anna] } } }
- story: it is open to everybody again when its holder has released it
  steps:
    - { when: { release: check, by: anna }, then: { refused: NotHeld } }
    - { when: { claim: check, by: anna } }
    - { when: { release: check, by: ben }, then: { refused: HeldByAnother } }
    - { when: { release: check, by: anna } }
    - when: { answer: check, with: { ok: true }, by: ben }
      then: { status: done, context: { heard: [claimed by anna, released] } }
- story: whoever it is assigned to takes it over
  steps:
    - { when: { claim: check, by: anna } }
    - { when: { assign: check, to: ben, by: chef } }
    - { when: { answer: check, with: { ok: true }, by: anna }, then: { refused: HeldByAnother } }
    - { when: { answer: check, with: { ok: true }, by: ben }, then: { status: done } }
- story: assigned to another inbox it is in that one, nobody holds it, and its candidates were those of the first
  task: { candidates: [anna, ben] }
  steps:
    - { when: { claim: check, by: anna } }
    - { when: { assign: check, of: repairs, by: chef }, then: { questions: { check: { of: repairs } } } }
    - when: { claim: check, by: rita }
      then: { context: { heard: [claimed by anna, assigned, claimed by rita] } }
- story: an assignment says to whom
  steps:
    - { when: { assign: check, by: chef }, then: { refused: InvalidChange } }
    - { when: { assign: check, to: " ", by: chef }, then: { refused: InvalidChange } }
    - { when: { assign: check, of: ${'x'.repeat(81)}, by: chef }, then: { refused: InvalidChange } }
- story: candidates alone claim and answer, and whoever somebody assigns it to
  task: { candidates: "\${input.people}" }
  given: { input: { people: [anna, ben] } }
  steps:
    - { when: { answer: check, with: { ok: true }, by: rita }, then: { refused: NotCandidate } }
    - { when: { claim: check, by: rita }, then: { refused: NotCandidate } }
    - { when: { assign: check, of: desk, by: anna } }
    - { when: { claim: check, by: rita }, then: { refused: NotCandidate } }
    - { when: { assign: check, to: rita, by: anna } }
    - { when: { answer: check, with: { ok: true }, by: rita }, then: { status: done } }
- story: an assignee holds it from the start
  task: { assignee: "\${input.first}" }
  steps:
    - then: { questions: { check: { holder: anna } } }
    - { when: { answer: check, with: { ok: true }, by: ben }, then: { refused: HeldByAnother } }
- story: whoever is excluded neither claims nor answers nor gets it
  task: { not: "\${input.first}" }
  steps:
    - { when: { answer: check, with: { ok: true }, by: anna }, then: { refused: FourEyes } }
    - { when: { claim: check, by: ANNA }, then: { refused: FourEyes } }
    - { when: { assign: check, to: anna by shop (API), by: ben }, then: { refused: FourEyes } }
    - { when: { answer: check, with: { ok: true }, by: ben }, then: { status: done } }
- story: nobody is excluded by null
  task: { not: ["\${context.before}"] }
  steps: [{ when: { answer: check, with: { ok: true }, by: anna }, then: { status: done } }]
- story: it reminds at each moment, says when it is overdue, and ends in time
  task: { remind: [P3D, P1D], due: P2D, within: P4D }
  steps:
    - then: { questions: { check: { due: "2026-01-07T09:00:00Z" } } }
    - { when: { passes: P1D }, then: { context: { heard: ["1"] } } }
    - { when: { claim: check, by: anna } }
    - { when: { passes: P5D }, then: { state: late, context: { heard: ["1", "overdue, of anna", "2"] } } }
- story: what an answer comes before does not happen
  task: { remind: P1D, within: P2D }
  steps:
    - { when: { answer: check, with: { ok: true } } }
    - { when: { passes: P9D }, then: { state: over, context: { heard: [] } } }
- story: nobody outside can speak for a task
  steps: [{ when: { event: check.claimed }, then: { refused: true } }]
- story: a process that does not listen takes no step for a claim
  task: { due: P9D }
  steps: [{ when: { claim: check, by: anna }, then: { state: asking, questions: { check: { holder: anna } } } }]
`).data as unknown as {
  readonly story: string;
  readonly task?: JsonObject;
  readonly given?: { readonly input?: JsonObject };
  readonly steps: readonly Step[];
}[];

test.each(stories)('$story', ({ story, task = {}, given = {}, steps }) => {
  const on = 'remind' in task || 'due' in task ? times : changes;
  expect(play(file(task, on), { story, given, steps }).problems).toEqual([]);
});

const playing = (task?: object) => new Player(file(task));
const question = (player: Player) => player.progress.questions[0];

function codeOf(act: () => void): string {
  try {
    act();
    return 'taken';
  } catch (error) {
    if (!(error instanceof PlayRefused)) throw error;
    return error.code;
  }
}

test('who wants to answer what another one holds reads who that is', () => {
  const player = playing();
  player.change('claim', 'check', { by: 'anna' });
  expect(() => player.answer('check', { ok: true }, 'ben')).toThrow(
    'check is held by anna since 2026-01-05T09:00:00.000Z',
  );
});

test('claims, candidates and four eyes are judged by who sends it, and not by whom it is said to be for', () => {
  const program = { by: 'shop (API)', onBehalfOf: 'ben' };
  expect(codeOf(() => playing({ not: 'shop (API)' }).change('claim', 'check', program))).toBe('FourEyes');
  expect(codeOf(() => playing({ candidates: ['ben'] }).change('claim', 'check', program))).toBe(
    'NotCandidate',
  );
  expect(codeOf(() => playing({ assignee: 'ben' }).change('claim', 'check', program))).toBe('HeldByAnother');
  const player = playing();
  player.change('claim', 'check', program);
  expect(question(player)).toMatchObject({ holder: 'shop (API)' });
  expect(codeOf(() => player.answer('check', { ok: true }, 'ben'))).toBe('HeldByAnother');
});

test('what is meant for one inbox is taken in no other', () => {
  const player = playing();
  player.change('assign', 'check', { by: 'chef', of: 'repairs' });
  for (const action of ['claim', 'release', 'assign'] as const)
    expect(codeOf(() => player.change(action, 'check', { by: 'anna', to: 'anna', inbox: 'desk' }))).toBe(
      'AnotherInbox',
    );
  expect(codeOf(() => player.answer('check', { ok: true }, 'anna', 'desk'))).toBe('AnotherInbox');
  player.change('claim', 'check', { by: 'anna', inbox: 'repairs' });
  player.answer('check', { ok: true }, 'anna', 'repairs');
  expect(player.status).toBe('done');
});

test.each([
  [{ not: 'anna', assignee: '${input.first}' }, 'somebody who may decide it'],
  [{ not: ['anna'], candidates: ['anna'] }, 'all are in not'],
])('where nobody may decide, the process halts: %j', (task, why) => {
  expect(() => playing(task)).toThrow(why);
});

test('a person is the same one through a program, but a program is no person', () => {
  expect(personOf('Anna by the shop (API)')).toBe(personOf(' anna'));
  expect(personOf('shop (API)')).toBe('shop (api)');
});

test('each question of an `each` is a task of its own, and the process hears whose', () => {
  const each = fileOf(`
name: Stocktaking
meaning: Somebody counts each locker.
context: { heard: [] }
initial: counting
states:
  counting:
    invoke:
      id: count
      src: each
      input: { of: [1, 2], do: { src: ask, input: { of: desk, question: "Locker \${item}?" } } }
      onDone: over
      onError: over
    on:
      count.claimed: { actions: { type: assign, params: { heard: "\${context.heard + [event.by + string(event.item)]}" } } }
  over: { type: final }
`);
  const player = new Player(each);
  player.change('claim', 'count.1', { by: 'anna' });
  expect(player.context.heard).toEqual(['anna2']);
  expect(codeOf(() => player.answer('count.1', {}, 'ben'))).toBe('HeldByAnother');
  player.answer('count.0', {}, 'ben');
});

test('the process says what can be done to its task, and what follows', () => {
  const player = playing();
  const { actions } = player.process.actions(undefined) as Actions;
  const possible = (command: string) => actions.find((each) => each.command === command)?.isPossible;
  expect(['claim', 'release', 'assign'].map(possible)).toEqual([true, false, true]);
  expect(player.process.actions({ command: 'claim', fields: { by: 'anna' } })).toMatchObject({
    isPossible: true,
    consequence: { event: 'check.claimed', after: { state: 'asking' } },
  });
  expect(question(player)).not.toHaveProperty('holder');
  player.change('claim', 'check', { by: 'anna' });
  expect(player.process.actions({ command: 'claim', fields: { by: 'ben' } })).toMatchObject({
    isPossible: false,
    refusal: { code: 'HeldByAnother' },
  });
});

test.each([
  [{ priority: 101 }, 'a whole number from 0 to 100'],
  [{ remind: ['tomorrow'] }, 'DelayInvalid'],
  [{ due: 3 }, 'DelayInvalid'],
])('%j is refused', (task, expected) => {
  expect(JSON.stringify(readFlowFile(textOf(task, times), namesForTests).findings)).toContain(expected);
});

test.each([
  [{}, times, 2],
  [{ remind: 'P1D', due: 'P1D' }, times, 0],
  [{}, changes, 0],
])('events that never come are found by lint: of %j with %j %d', (task, on, expected) => {
  const codes = lintFindings(file({ within: 'P9D', ...task }, on)).map(({ code }) => code);
  expect(codes.filter((code) => code === 'EventNeverComes')).toHaveLength(expected);
});

test('a question that ends says where the process goes on without an answer', () => {
  expect(question(playing({ within: 'P2D' }))?.unanswered).toEqual([{ state: 'late' }]);
  expect(question(playing())?.unanswered).toBeUndefined();
});
