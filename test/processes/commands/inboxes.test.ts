// @module-tag invariant
// Who may act in one inbox acts on no question of another, also if the question changes while the request is on its way: its id
// and its inbox go with it, and the process decides. The process is a played one; the way to it is that of the console.
import { beforeEach, expect, test } from 'vitest';
import { UpdateRefused } from '../../../client/flow-errors.ts';
import { NotPlayable, PlayRefused } from '../../../flows/simulation/not-playable.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { answer } from '../../../processes/commands/answer.ts';
import { assign, claim, release } from '../../../processes/commands/task.ts';
import { CommandError, type Outcome } from '../../../processes/outcome.ts';
import type { CommandContext } from '../../../processes/temporal-context.ts';
import { fileOf } from '../../flows/language/names.ts';

const file = fileOf(`
name: Purchase
meaning: The desk checks a device, and the office grants the money for it.
type: parallel
states:
  device:
    initial: asking
    states:
      asking: { invoke: { id: check, src: ask, input: { of: desk, question: Whole? }, onDone: over } }
      over: { type: final }
  money:
    initial: asking
    states:
      asking: { invoke: { id: budget, src: ask, input: { of: office, question: Granted? }, onDone: over } }
      over: { type: final }
`);

let player: Player;
/** What happens between the look at the process and what is sent to it. */
let meanwhile: () => void;

beforeEach(() => {
  player = new Player(file, { input: {} });
  meanwhile = () => undefined;
});

type Sent = { readonly question: string; readonly inbox?: string; readonly by: string };

function sent(act: () => void) {
  meanwhile();
  try {
    act();
  } catch (error) {
    if (error instanceof PlayRefused) throw new UpdateRefused(error.code, error.message);
    if (error instanceof NotPlayable) throw new UpdateRefused('InvalidAnswer', error.message);
    throw error;
  }
}

const change = (action: 'claim' | 'release' | 'assign') => async (given: Sent) =>
  sent(() => player.change(action, given.question, given));

const handle = {
  progress: async () => player.progress,
  answer: async ({ question, by, inbox }: Sent) => sent(() => player.answer(question, {}, by, inbox)),
  claim: change('claim'),
  release: change('release'),
  assign: change('assign'),
};

const clerk = {
  by: 'clerk',
  taskQueue: 'none',
  may: () => false,
  client: {
    withDeadline: (_: number, ask: () => Promise<unknown>) => ask(),
    workflow: {
      getHandle: () => ({ describe: async () => ({ status: { name: 'RUNNING' }, type: 'Purchase' }) }),
    },
  },
  flows: { fileHandle: () => handle },
  inboxes: {
    has: (inbox: string) => inbox === 'desk',
    require(inbox: string) {
      if (inbox !== 'desk') throw new CommandError('forbidden', 'ScopeMissing', inbox);
    },
  },
} as unknown as CommandContext;

const codeOf = (outcome: Outcome<unknown>) => (outcome.done ? 'done' : outcome.error.code);
const open = () => player.progress.questions.map(({ id }) => id).sort();

test('a question of another inbox is neither answered nor claimed, released or assigned', async () => {
  const question = 'budget';
  expect(codeOf(await answer.do(clerk, 'order-1', { question, values: {} }))).toBe('ScopeMissing');
  for (const act of ['do', 'preview'] as const) {
    expect(codeOf(await claim[act](clerk, 'order-1', { question }))).toBe('ScopeMissing');
    expect(codeOf(await release[act](clerk, 'order-1', { question }))).toBe('ScopeMissing');
    expect(codeOf(await assign[act](clerk, 'order-1', { question, of: 'desk' }))).toBe('ScopeMissing');
  }
  expect(open()).toEqual(['budget', 'check']);
});

test('an id that is not found stands for no other question', async () => {
  for (const question of ['nothing', 'constructor'])
    expect(codeOf(await answer.do(clerk, 'order-1', { question, values: {} }))).toBe('AlreadyAnswered');
  expect(codeOf(await answer.do(clerk, 'order-1', { values: {} }))).toBe('done');
  // The one that is left is not theirs.
  const outcome = await answer.do(clerk, 'order-1', { values: {} });
  expect(codeOf(outcome)).toBe('AlreadyAnswered');
  expect(JSON.stringify(outcome)).not.toContain('budget');
  expect(open()).toEqual(['budget']);
});

test('a question that goes to another inbox meanwhile is not theirs any more', async () => {
  meanwhile = () => player.change('assign', 'check', { by: 'chef', of: 'office' });
  expect(codeOf(await answer.do(clerk, 'order-1', { question: 'check', values: {} }))).toBe('AnotherInbox');
  for (const command of [claim, release]) {
    player.change('assign', 'check', { by: 'chef', of: 'desk' });
    expect(codeOf(await command.do(clerk, 'order-1', {}))).toBe('AnotherInbox');
  }
  player.change('assign', 'check', { by: 'chef', of: 'desk' });
  expect(codeOf(await assign.do(clerk, 'order-1', { to: 'clerk' }))).toBe('AnotherInbox');
  expect(open()).toEqual(['budget', 'check']);
});

test('who answers their own question twice answers no other one', async () => {
  meanwhile = () => {
    meanwhile = () => undefined;
    player.answer('check', {});
  };
  const outcome = await answer.do(clerk, 'order-1', { values: {} });
  expect(outcome.done).toBe(false);
  expect(open()).toEqual(['budget']);
});
