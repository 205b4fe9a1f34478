// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// All that a workflow does without a pause has one budget of expressions: whatever a file does for each of many items or fields, a
// worker gives its other processes their turn.
import { expect, test } from 'vitest';
import { fromPromise } from 'xstate';
import { stringify } from 'yaml';
import { can, firstStep, nextStep } from '../../../engine/stepper.ts';
import { expressionFailureIn } from '../../../flows/language/expressions/failure.ts';
import { isOfChild } from '../../../flows/language/machine/incoming.ts';
import { machineOf } from '../../../flows/language/machine/machine.ts';
import { flowFileMigration } from '../../../flows/language/machine/migration.ts';
import { Work } from '../../../flows/language/machine/work.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf as readFile } from './names.ts';

/** More than a step may do. */
const HEAVY = '${range(900).all(x, range(900).all(y, y < 1000))}';
/** About a tenth of a step. */
const BIG = '${range(5000).all(x, x >= 0)}';

const fileOf = (given: object) => readFile(stringify(given));

const sending = (input: string, more: object = {}) =>
  fileOf({
    name: 'Recall',
    meaning: 'Calls devices back.',
    input: { type: 'object', properties: { items: {} } },
    context: { error: null },
    initial: 'calling',
    states: {
      calling: {
        invoke: {
          id: 'recall',
          src: 'each',
          input: {
            of: '${input.items}',
            tolerate: 'all',
            ...more,
            do: { src: 'IssueFromStock', input: { request: { priorShipmentUid: input } } },
          },
          onDone: 'over',
          onError: {
            target: 'failed',
            actions: { type: 'assign', params: { error: '${event.error.code}' } },
          },
        },
      },
      over: { type: 'final' },
      failed: { type: 'final' },
    },
  });

const items = (count: number) => ({ input: { items: Array.from({ length: count }, (_, index) => index) } });

test('ten thousand items whose expressions are over the budget end the each, in the time of one activation', () => {
  const player = new Player(sending(HEAVY), items(10_000));
  expect(player.context.error).toBe('TooMuchWork');
});

test('an item over the budget of a step is one failed item, and the others go on', () => {
  const player = new Player(
    sending("${item == 1 ? string(range(900).all(x, range(900).all(y, y < 1000))) : 'b'}"),
    items(3),
  );
  expect(player.open.map(({ id }) => id)).toEqual(['recall.0', 'recall.2']);
});

test('ten thousand items that fail are not counted anew for each by an expression of `enough`', () => {
  const player = new Player(sending('${item.none}', { enough: '${done.size() > 5}' }), items(10_000));
  expect(player.context.error).toBe('TooMuchWork');
});

const counting = fileOf({
  name: 'Counting',
  meaning: 'Counts.',
  context: { is: true },
  initial: 'counting',
  states: {
    counting: {
      on: { go: { guard: `${BIG.slice(0, -1)} || true}`, actions: { type: 'assign', params: { is: BIG } } } },
    },
  },
});
const flow = { key: 'k', name: counting.name, version: 1, startedAt: '1970-01-01T00:00:00.000Z' };

function counter(work: Work) {
  const machine = machineOf(
    counting,
    () => fromPromise(() => Promise.reject(new Error('not in this test'))),
    {
      now: () => 0,
      work,
    },
  );
  let { snapshot } = firstStep(machine, { input: {}, flow });
  const go = { type: 'go' };
  return {
    step: () => {
      snapshot = nextStep(machine, snapshot, go).snapshot;
    },
    ask: () => can(snapshot, go),
  };
}

/** Together more than all that may be done at once. */
const OFTEN = 60;
const often = (run: () => void) => () => {
  for (let times = 0; times < OFTEN; times++) run();
};

test('steps of one moment have one budget together, and those of the next their own', () => {
  let now = 1;
  const work = new Work(() => now);
  const { step } = counter(work);
  expect(codeOf(() => work.turn(often(step)))).toBe('TooMuchWork');
  now = 2;
  expect(codeOf(() => work.turn(step))).toBeUndefined();
});

test('a process that has done much rests, for as long as all before it took too much time', () => {
  let now = 1;
  let steps = 0;
  const work = new Work(() => now);
  const { step } = counter(work);
  const turn = () =>
    work.turn(() => {
      while (work.restMs === 0) {
        step();
        steps++;
      }
      return work.restMs;
    });
  const rests = Array.from({ length: 40 }, () => {
    const rest = turn();
    now += rest;
    return rest;
  });
  // The first turns are at the expense of what every process may do at once.
  expect(rests[0]).toBe(1);
  expect(now / steps).toBeGreaterThan(500);
  now += 3_600_000;
  expect(turn()).toBe(1);
});

test('what is asked of a process costs it nothing, and a whole question has one budget', () => {
  const work = new Work(() => 1);
  const { step, ask } = counter(work);
  expect(codeOf(often(ask))).toBeUndefined();
  expect(work.restMs).toBe(0);
  expect(codeOf(() => work.turn(step))).toBeUndefined();
  expect(codeOf(() => work.question(often(ask)))).toBe('TooMuchWork');
  expect(codeOf(() => work.question(ask))).toBeUndefined();
});

test('the fields of a migration plan have one budget together', () => {
  const published = (version: number) => ({ file: counting, version }) as never;
  const context = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, BIG]));
  const work = new Work();
  const { obstacles = [] } = work.beside(() =>
    flowFileMigration({
      from: published(1),
      to: published(2),
      plan: { context },
      now: () => 0,
      work,
      before: { input: {}, flow, context: {} } as never,
      actors: [],
    }),
  );
  expect(JSON.stringify(obstacles)).toContain('TooMuchWork');
});

test('an outside event does not enter a state that waits for whatever a task says', () => {
  const file = fileOf({
    name: 'Printing',
    meaning: 'Prints.',
    initial: 'a',
    states: {
      a: {
        invoke: { id: 'approval', src: 'ask', input: { of: 'desk', question: 'Ready?' }, onDone: 'over' },
        on: { 'approval.*': 'over', 'approval.jammed': 'over' },
      },
      over: { type: 'final' },
    },
  });
  const types = ['approval', 'approval.claimed', 'approval.y', 'approval.jammed', 'other'];
  expect(types.filter(isOfChild(file))).toEqual(['approval', 'approval.claimed', 'approval.y']);
});

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return expressionFailureIn(error)?.code ?? String(error);
  }
}
