// Who owns a shipment is remembered only where the answer was whole, and asked ahead only where callbacks need it.
import { expect, test } from 'vitest';
import { KnownOwners } from '../../../shared/routing/known-owners.ts';
import type { Holder } from '../../../shared/routing/owners.ts';

const holder = (workflowId: string, isRunning = true): Holder => ({
  workflowId,
  runId: `run of ${workflowId}`,
  type: 'Issue',
  isRunning,
  closedAt: isRunning ? null : 0,
});
const owner = (workflowId: string) => ({ workflowId, runId: `run of ${workflowId}` });
const booked = (workflowId: string, ...shipmentUids: string[]) => ({
  ...owner(workflowId),
  type: 'Issue',
  shipmentUids,
});

/** Answers when it is told to. */
function visibility(holders: Record<string, Holder[]>) {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const holdersOf = async (shipmentUid: string) => {
    asked.push(shipmentUid);
    await new Promise<void>((resolve) => answers.push(resolve));
    if (!holders[shipmentUid]) throw new Error('away');
    return holders[shipmentUid];
  };
  const answer = () => {
    for (const resolve of answers.splice(0)) resolve();
  };
  return { asked, answer, known: new KnownOwners(holdersOf) };
}

test('the running owners that a question has found are known, until they are forgotten', async () => {
  const { known, answer } = visibility({ a: [holder('one'), holder('ended', false)] });
  expect(known.of('a')).toBeNull();
  const asked = known.ask('a');
  expect(known.of('a')).toBeNull();
  answer();
  expect(await asked).toHaveLength(2);
  expect(known.of('a')).toEqual([owner('one')]);
  known.forget('a');
  expect(known.of('a')).toBeNull();
});

test('neither a missing owner nor an outage of Temporal is remembered', async () => {
  const { known, answer } = visibility({ a: [], b: [holder('ended', false)] });
  const all = Promise.allSettled(['a', 'b', 'c'].map((uid) => known.ask(uid)));
  answer();
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(['a', 'b', 'c'].map((uid) => known.of(uid))).toEqual([null, null, null]);
});

test('an owner that is seen later is one of them, also when it is seen during the question', async () => {
  const { known, answer } = visibility({ a: [holder('one')] });
  const asked = known.ask('a');
  known.see(booked('during', 'a'));
  answer();
  await asked;
  known.see(booked('later', 'a'));
  expect(new Set(known.of('a'))).toEqual(new Set([owner('one'), owner('during'), owner('later')]));
});

test('after one callback had to ask for its owner, the owners of new shipments are read before their callbacks come', async () => {
  const { known, answer, asked } = visibility({ a: [holder('one')], b: [holder('two')], c: [holder('two')] });
  known.see(booked('one', 'a'));
  expect(asked).toEqual([]);
  void known.ask('a');
  answer();
  known.see(booked('two', 'b', 'c'));
  expect(asked).toEqual(['a', 'b', 'c']);
  answer();
  await expect.poll(() => known.of('c')).toEqual([owner('two')]);
});

test('while owners are read ahead, those of later shipments wait, and each is asked for once', async () => {
  const { known, answer, asked } = visibility({
    a: [holder('one')],
    b: [holder('two')],
    c: [holder('three')],
  });
  void known.ask('a');
  answer();
  known.see(booked('two', 'b'));
  known.see(booked('three', 'c'));
  expect(asked).toEqual(['a', 'b']);
  answer();
  await expect.poll(() => asked).toEqual(['a', 'b', 'c']);
  answer();
  await expect.poll(() => known.of('c')).toEqual([owner('three')]);
  expect(known.of('b')).toEqual([owner('two')]);
});
