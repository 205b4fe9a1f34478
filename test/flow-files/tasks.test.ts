// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Questions as tasks: who may claim, release, assign and answer them, what the process hears of it, and reminders. Played on the
// driver that runs it in production.
import { describe, expect, test } from 'vitest';
import type { FlowFile, JsonObject } from '../../flow-files/flow-file.ts';
import { lintFindings } from '../../flow-files/lint/lint.ts';
import { personOf } from '../../flow-files/machine/tasks.ts';
import { Player, PlayRefused } from '../../flow-files/playing/player.ts';
import { readFlowFile } from '../../flow-files/reading/read-flow-file.ts';
import { namesForTests } from './names.ts';

const on = `
      check.claimed: { actions: { type: assign, params: { heard: "\${context.heard + ['claimed by ' + event.by]}" } } }
      check.released: { actions: { type: assign, params: { heard: "\${context.heard + ['released']}" } } }
      check.assigned: { actions: { type: assign, params: { heard: "\${context.heard + ['assigned']}" } } }
`;

/** @param task fields of the input of `ask`, as YAML of one line each */
function read(task = '', heard = on, before = 'null') {
  return readFlowFile(
    `
name: Approval
meaning: Somebody approves.
input: { type: object, properties: { first: { type: string, default: anna }, people: {} } }
context: { heard: [], before: ${before} }
initial: asking
states:
  asking:
    invoke:
      id: check
      src: ask
      input:
        of: desk
        question: May it be bought?
        fields: { ok: { type: yesNo } }
        ${task}
      onDone: over
      onError: late
    on:
      other: { actions: { type: log, params: { message: it came } } }
      ${heard.trim()}
  late: { type: final }
  over: { type: final }
`,
    namesForTests,
  );
}

function file(task?: string, heard?: string): FlowFile {
  const { file: sound, findings } = read(task, heard);
  expect(findings).toEqual([]);
  return sound as FlowFile;
}

const playing = (task?: string, heard?: string, input: JsonObject = {}) =>
  new Player(file(task, heard), { input });
const question = (player: Player) => player.progress.questions[0];
const heardBy = (player: Player) => player.context.heard;

function codeOf(act: () => void): string {
  try {
    act();
    return 'taken';
  } catch (error) {
    if (!(error instanceof PlayRefused)) throw error;
    return error.code;
  }
}

describe('a question that somebody has claimed', () => {
  test('is answered by nobody else, who reads who holds it', () => {
    const player = playing();
    player.change('claim', 'check', { by: 'anna' });
    expect(question(player)).toMatchObject({ holder: 'anna', heldSince: '2026-01-05T09:00:00.000Z' });
    expect(() => player.answer('check', { ok: true }, 'ben')).toThrow(
      'check is held by anna since 2026-01-05T09:00:00.000Z',
    );
    expect(codeOf(() => player.change('claim', 'check', { by: 'ben' }))).toBe('HeldByAnother');
    player.answer('check', { ok: true }, 'anna');
    expect(player.status).toBe('done');
  });

  test('is claimed once, however often the same person does so', () => {
    const player = playing();
    for (const by of ['anna', 'anna', ' Anna by shop (API)']) player.change('claim', 'check', { by });
    expect(heardBy(player)).toEqual(['claimed by anna']);
  });

  test('is open to everybody again when its holder has released it', () => {
    const player = playing();
    expect(codeOf(() => player.change('release', 'check', { by: 'anna' }))).toBe('NotHeld');
    player.change('claim', 'check', { by: 'anna' });
    expect(codeOf(() => player.change('release', 'check', { by: 'ben' }))).toBe('HeldByAnother');
    player.change('release', 'check', { by: 'anna' });
    expect(question(player)).not.toHaveProperty('holder');
    player.answer('check', { ok: true }, 'ben');
    expect(heardBy(player)).toEqual(['claimed by anna', 'released']);
  });

  test('is taken over by whoever it is assigned to', () => {
    const player = playing();
    player.change('claim', 'check', { by: 'anna' });
    player.change('assign', 'check', { by: 'chef', to: 'ben' });
    expect(codeOf(() => player.answer('check', { ok: true }, 'anna'))).toBe('HeldByAnother');
    player.answer('check', { ok: true }, 'ben');
  });
});

test('a question that is assigned to another inbox is in that one, and nobody holds it', () => {
  const player = playing('candidates: [anna, ben]');
  player.change('claim', 'check', { by: 'anna' });
  player.change('assign', 'check', { by: 'chef', of: 'repairs' });
  expect(question(player)).toMatchObject({ of: 'repairs' });
  expect(question(player)).not.toHaveProperty('holder');
  // The candidates were those of the first inbox.
  player.change('claim', 'check', { by: 'rita' });
  expect(heardBy(player)).toEqual(['claimed by anna', 'assigned', 'claimed by rita']);
});

test('claims, candidates and four eyes are judged by who sends it, and not by whom it is said to be for', () => {
  const program = { by: 'shop (API)', onBehalfOf: 'ben' };
  expect(codeOf(() => playing('not: shop (API)').change('claim', 'check', program))).toBe('FourEyes');
  expect(codeOf(() => playing('candidates: [ben]').change('claim', 'check', program))).toBe('NotCandidate');
  expect(codeOf(() => playing('assignee: ben').change('claim', 'check', program))).toBe('HeldByAnother');
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

test('an assignment says to whom', () => {
  const player = playing();
  expect(codeOf(() => player.change('assign', 'check', { by: 'chef' }))).toBe('InvalidChange');
  expect(codeOf(() => player.change('assign', 'check', { by: 'chef', to: ' ' }))).toBe('InvalidChange');
  expect(codeOf(() => player.change('assign', 'check', { by: 'chef', of: 'x'.repeat(81) }))).toBe(
    'InvalidChange',
  );
});

test('candidates alone claim and answer, and whoever somebody assigns it to', () => {
  const player = playing('candidates: "${input.people}"', on, { people: ['anna', 'ben'] });
  expect(codeOf(() => player.answer('check', { ok: true }, 'rita'))).toBe('NotCandidate');
  expect(codeOf(() => player.change('claim', 'check', { by: 'rita' }))).toBe('NotCandidate');
  player.change('assign', 'check', { by: 'anna', of: 'desk' });
  expect(codeOf(() => player.change('claim', 'check', { by: 'rita' }))).toBe('NotCandidate');
  player.change('assign', 'check', { by: 'anna', to: 'rita' });
  player.answer('check', { ok: true }, 'rita');
});

test('an assignee holds it from the start', () => {
  const player = playing('assignee: "${input.first}"');
  expect(question(player)).toMatchObject({ holder: 'anna' });
  expect(codeOf(() => player.answer('check', { ok: true }, 'ben'))).toBe('HeldByAnother');
});

describe('four eyes', () => {
  test('whoever is excluded neither claims nor answers nor gets it', () => {
    const player = playing('not: "${input.first}"');
    for (const by of ['anna', 'ANNA', 'anna by shop (API)']) {
      expect(codeOf(() => player.answer('check', { ok: true }, by))).toBe('FourEyes');
      expect(codeOf(() => player.change('claim', 'check', { by }))).toBe('FourEyes');
      expect(codeOf(() => player.change('assign', 'check', { by: 'ben', to: by }))).toBe('FourEyes');
    }
    player.answer('check', { ok: true }, 'ben');
  });

  test('nobody is excluded by null', () => {
    playing('not: ["${context.before}"]').answer('check', { ok: true }, 'anna');
  });

  test('an assignee who may not decide halts the process, and so do candidates of whom nobody may', () => {
    expect(() => playing('not: anna\n        assignee: "${input.first}"')).toThrow(
      'somebody who may decide it',
    );
    expect(() => playing('not: [anna]\n        candidates: [anna]')).toThrow('all are in not');
  });

  test('a person is the same one through a program, but a program is no person', () => {
    expect(personOf('Anna by the shop (API)')).toBe(personOf(' anna'));
    expect(personOf('shop (API)')).toBe('shop (api)');
  });
});

const times = `
      check.reminder: { actions: { type: assign, params: { heard: "\${context.heard + [event.number]}" } } }
      check.overdue: { actions: { type: assign, params: { heard: "\${context.heard + [string(event.holder)]}" } } }
`;

test('it reminds at each moment, says when it is overdue, and ends in time', () => {
  const task = 'remind: [P3D, P1D]\n        due: P2D\n        within: P4D';
  const player = playing(task, times);
  expect(question(player)).toMatchObject({ due: '2026-01-07T09:00:00.000Z' });
  player.pass('P1D');
  expect(heardBy(player)).toEqual([1]);
  player.change('claim', 'check', { by: 'anna' });
  player.pass('P5D');
  expect(heardBy(player)).toEqual([1, 'anna', 2]);
  expect(player.states).toEqual(['late']);
});

test('what an answer comes before does not happen', () => {
  const player = playing('remind: P1D\n        within: P2D', times);
  player.answer('check', { ok: true });
  player.pass('P9D');
  expect(player.states).toEqual(['over']);
  expect(heardBy(player)).toEqual([]);
});

test('nobody outside can speak for a task', () => {
  const player = playing();
  expect(() => player.send('check.claimed')).toThrow('only the process itself makes');
});

test('a process that does not listen takes no step for a claim', () => {
  const player = playing('', '');
  player.change('claim', 'check', { by: 'anna' });
  expect(player.states).toEqual(['asking']);
  expect(question(player)).toMatchObject({ holder: 'anna' });
});

test('each question of an `each` is a task of its own, and the process hears whose', () => {
  const { file: each, findings } = readFlowFile(
    `
name: Stocktaking
meaning: Somebody counts each locker.
context: { heard: [] }
initial: counting
states:
  counting:
    invoke:
      id: count
      src: each
      input:
        of: [1, 2]
        do: { src: ask, input: { of: desk, question: "Locker \${item}?", fields: { number: { type: number } } } }
      onDone: over
      onError: over
    on:
      count.claimed: { actions: { type: assign, params: { heard: "\${context.heard + [event.by + string(event.item)]}" } } }
  over: { type: final }
`,
    namesForTests,
  );
  expect(findings).toEqual([]);
  const player = new Player(each as FlowFile);
  player.change('claim', 'count.1', { by: 'anna' });
  expect(heardBy(player)).toEqual(['anna2']);
  expect(codeOf(() => player.answer('count.1', { number: 1 }, 'ben'))).toBe('HeldByAnother');
  player.answer('count.0', { number: 1 }, 'ben');
});

test('the process says what can be done to its task, and what follows', () => {
  const player = playing();
  const { actions } = player.asked();
  const possible = (command: string) => actions.find((each) => each.command === command)?.isPossible;
  expect(['claim', 'release', 'assign'].map(possible)).toEqual([true, false, true]);
  const verdict = player.asked({ command: 'claim', fields: { by: 'anna' } });
  expect(verdict).toMatchObject({
    isPossible: true,
    consequence: { event: 'check.claimed', after: { state: 'asking' } },
  });
  expect(question(player)).not.toHaveProperty('holder');
  player.change('claim', 'check', { by: 'anna' });
  expect(player.asked({ command: 'claim', fields: { by: 'ben' } })).toMatchObject({
    isPossible: false,
    refusal: { code: 'HeldByAnother' },
  });
});

test.each([
  ['priority: 101', 'a whole number from 0 to 100'],
  ['remind: [tomorrow]', 'DelayInvalid'],
  ['due: 3', 'DelayInvalid'],
])('%s is refused', (task, expected) => {
  expect(JSON.stringify(read(task, times).findings)).toContain(expected);
});

test.each([
  ['', times, ['EventNeverComes', 'EventNeverComes']],
  ['remind: P1D\n        due: P1D', times, []],
  ['', on, []],
])('lint finds of %j and %j: %j', (task, heard, expected) => {
  const codes = lintFindings(file(`within: P9D\n        ${task}`, heard)).map(({ code }) => code);
  expect(codes.filter((code) => code === 'EventNeverComes')).toEqual(expected);
});
