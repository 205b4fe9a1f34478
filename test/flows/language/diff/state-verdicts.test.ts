// What two files alone say of the processes in each state holds for every process there: what is said to be carried is carried.
// A failure names its seed, and the seed is a test.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
import { expect, test } from 'vitest';
import { compared } from '../../../../flows/language/diff/compared.ts';
import { stateVerdicts } from '../../../../flows/language/diff/state-verdicts.ts';
import type { FlowFile } from '../../../../flows/language/flow-file.ts';
import { formerNames } from '../../../../flows/language/machine/former-names.ts';
import type { FlowFilePlan } from '../../../../flows/language/machine/migration.ts';
import { readFlowFile } from '../../../../flows/language/reading/read-flow-file.ts';
import { Player } from '../../../../flows/language/simulation/player.ts';
import { numbers, type Random } from '../../../support/random.ts';
import { bySuite, freshSeed, isLongSuite } from '../../../support/suite.ts';
import { namesForTests } from '../names.ts';
import { type Chart, chart, edited, fileOf } from './random-files.ts';

// A quarter of a minute, or a quarter of an hour.
const PAIRS = bySuite({ short: 15, long: 2_000 });

/** Null where a reader refuses it: an edit may leave an initial state or a target behind. */
function read(made: Chart): FlowFile | null {
  return readFlowFile(JSON.stringify(fileOf(made)), namesForTests).file;
}

/** Somewhere, by a few events, answers and some time; a step that fails is taken too. */
function wander(random: Random, player: Player, steps: number): void {
  for (let step = 0; step < steps && player.status === 'active'; step++)
    try {
      const kind = random(4);
      const [open] = player.open;
      if (kind === 0 && open) player.done(open.id, null);
      else if (kind === 1) player.pass(`PT${1 + random(60)}H`);
      else {
        const { events } = player;
        player.send(events[random(events.length)] ?? 'none');
      }
    } catch {
      // It was not possible there, or has halted the process.
    }
}

function linger(player: Player, random: Random): void {
  try {
    player.pass(`PT${12 * (1 + random(12))}H`);
  } catch {
    // A step has failed, and the process is halted.
  }
}

const over = { over: { type: 'final' } };
const fetched = { on: { fetched: 'over' } };
const wait = { on: { fetched: 'over' }, after: { P9D: 'over' } };
const computes = { type: 'assign', params: { n: '${context.n + 1}' } };

const ordered = (path: string) => ({ connector: 'shop', method: 'POST', path });
const asked = {
  invoke: {
    id: 'there',
    src: 'ask',
    input: { of: 'desk', question: 'There?' },
    onError: 'over',
    onDone: { actions: { type: 'log', params: { message: 'answered' } } },
  },
};

/** What is said of who is in `kept`, and why. */
function said(before: object, after: object, more: object = {}, plan: FlowFilePlan = {}): string[] {
  const file = (kept: object, data: object): FlowFile => {
    const made = { name: 'Parcel', meaning: 'Keeps a parcel.', initial: 'kept', context: { n: 0 }, ...data };
    const { file, findings } = readFlowFile(
      JSON.stringify({ ...made, states: { kept, ...over } }),
      namesForTests,
    );
    expect(findings).toEqual([]);
    return file as FlowFile;
  };
  const [old, now] = [file(before, {}), file(after, more)];
  const [{ verdict, obstacles } = { verdict: '', obstacles: [] }] = stateVerdicts(
    compared(old, now, formerNames(now)),
    plan,
  ).filter(({ state }) => state.startsWith('kept'));
  return [verdict, ...obstacles.map(({ code }) => code)];
}

const inner = (entry: object) => ({ initial: 'a', states: { a: { entry } }, ...fetched });

test.each<[string, string[], object, object, object?, FlowFilePlan?]>([
  ['the same', ['carried'], wait, wait],
  ['a longer delay', ['carried'], wait, { ...fetched, after: { P10D: 'over' } }],
  ['a shorter delay', ['depends', 'TimerOverdue'], wait, { ...fetched, after: { P8D: 'over' } }],
  [
    'a shorter delay that the plan knows',
    ['carried'],
    wait,
    { ...fetched, after: { P8D: 'over' } },
    {},
    { overdue: 'now' },
  ],
  ['a delay that is added', ['depends', 'TimerOverdue'], fetched, wait],
  [
    'a delay that is computed',
    ['depends', 'DelayFails', 'TimerOverdue'],
    wait,
    { ...fetched, after: { '${context.n > 1 ? "P1D" : "P2D"}': 'over' } },
  ],
  ['what is entered computes', ['depends', 'StepFails'], fetched, inner(computes)],
  [
    'what begins there computes its input',
    ['depends', 'StepFails'],
    fetched,
    { ...fetched, invoke: { id: 'order', src: 'call', input: ordered('/${context.n}'), onError: 'over' } },
  ],
  [
    'what begins there computes nothing',
    ['carried'],
    fetched,
    { ...fetched, invoke: { id: 'order', src: 'call', input: ordered('/orders'), onError: 'over' } },
  ],
  // While the question is open, or once the delay has fired, nothing is missing.
  [
    'a delay is removed that leaves it where its question has been answered',
    ['depends', 'Stranded'],
    { ...asked, after: { P9D: 'over' } },
    asked,
  ],
  [
    'what is entered computes nothing',
    ['carried'],
    fetched,
    inner({ type: 'log', params: { message: 'in' } }),
  ],
  [
    'what is left computes',
    ['depends', 'StepFails'],
    { ...inner(computes), states: { a: { exit: computes } } },
    fetched,
    {},
    { leave: ['kept.a'] },
  ],
  [
    '`always` is added',
    ['depends', 'StepFails'],
    fetched,
    { ...fetched, always: { guard: '${context.n > 3}', target: 'over' } },
  ],
  [
    'what an `always` enters again computes now, where its guard may hold already',
    ['depends', 'StepFails'],
    {
      ...inner({ type: 'log', params: { message: 'in' } }),
      always: { guard: '${context.n > 3}', target: 'kept' },
    },
    { ...inner(computes), always: { guard: '${context.n > 3}', target: 'kept' } },
  ],
  ['an event is removed', ['needsPlan', 'Stranded'], fetched, { on: { lost: 'over' } }],
  [
    'a field of the context has another type',
    ['depends', 'ContextUnknown'],
    fetched,
    fetched,
    { context: { n: 'none' } },
  ],
  [
    'a new field of the context is computed',
    ['depends', 'StepFails'],
    fetched,
    fetched,
    { context: { n: 0, day: '${now}' } },
  ],
  [
    'a field of the request is required',
    ['depends', 'InputUnknown'],
    fetched,
    fetched,
    { input: { type: 'object', required: ['a'] } },
  ],
  [
    'the state becomes final',
    ['needsPlan', 'FinalChanged'],
    { ...inner(computes), states: { a: {} } },
    { ...inner(computes), states: { a: { type: 'final' } } },
  ],
])('%s: %j', (_, expected, before, after, more, plan) => {
  expect(said(before, after, more, plan)).toEqual(expected);
});

test('with more combinations of states than can be looked at, nothing is sure', () => {
  const region = {
    initial: 'a',
    states: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((key) => [key, {}])),
  };
  const many = { type: 'parallel', states: { r: region, s: region, t: region, u: region }, ...fetched };
  expect(said(many, many)).toEqual(['depends', 'StatesExclude']);
});

/** Undefined: the chart has a circle of `always` right at its start. */
function begun(file: FlowFile): Player | undefined {
  try {
    return new Player(file);
  } catch (error) {
    if (String(error).includes('TooManySteps')) return undefined;
    throw error;
  }
}

test(`random pairs: who is in a state that is said to be carried, is carried (TEST_SEED=${freshSeed})`, {
  timeout: 3_600_000,
}, () => {
  const counts = { carried: 0, depends: 0, needsPlan: 0, refused: 0 };
  for (let seed = freshSeed; seed < freshSeed + PAIRS; seed++) {
    const random = numbers(seed);
    const before = chart(random);
    const old = read(before);
    if (!old) continue;
    const players = [1, 2, 3, 4, 5].flatMap(() => {
      const player = begun(old);
      if (!player) return [];
      wander(random, player, 1 + random(10));
      // Long enough for a delay that is shorter now.
      if (random(2) === 0) linger(player, random);
      // What is held takes its event again, and that may fail again: only the process itself can say.
      return player.status === 'active' && !player.isHalted ? [player] : [];
    });
    const occupied = new Set(players.flatMap(({ states }) => states));
    const now = read(edited(random, before, occupied));
    if (!now) continue;
    const verdicts = new Map(
      stateVerdicts(compared(old, now, formerNames(now))).map((each) => [each.state, each]),
    );
    for (const [walk, player] of players.entries()) {
      const there = player.states.map((state) => verdicts.get(state));
      expect(there, `seed ${seed}: every state has a verdict`).not.toContain(undefined);
      const said = new Set(there.map((each) => each?.verdict));
      const { verdict, obstacles } = player.verdict({ file: now, version: 2 });
      const where = `seed ${seed}, walk ${walk}, in ${player.states.join(', ')}`;
      for (const each of there) if (each) counts[each.verdict] += 1;
      if (said.size === 1 && said.has('carried'))
        expect([where, verdict, obstacles]).toEqual([where, 'carried', []]);
      if (said.has('needsPlan') || said.has('refused'))
        expect([where, verdict]).not.toEqual([where, 'carried']);
    }
  }
  // None is a rarity: else nothing is shown.
  expect(counts.carried).toBeGreaterThan(PAIRS / 2);
  expect(counts.depends).toBeGreaterThan(PAIRS / 10);
  if (isLongSuite) expect(counts.needsPlan).toBeGreaterThan(0);
});
