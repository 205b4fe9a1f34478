// Calls into Temporal's sandbox are most of what a flow costs: each call starts a thread for its time limit. If a flow waited
// with `condition` for the answer of an activity, each answer would take one more call.
import { Script } from 'node:vm';
import { Worker } from '@temporalio/worker';
import { expect, test, vi } from 'vitest';
import { bundleOf } from '../support/bundles.ts';
import { historyOf, recordings } from './recording/recordings.ts';

const PATIENCE_MS = 240_000;

interface Context {
  readonly __temporal_args?: readonly [holder: unknown, name: string, args: unknown];
}

test('no answer of an activity takes one more call into the sandbox', { timeout: PATIENCE_MS }, async () => {
  const all = await recordings();
  const found = all.find(({ name }) => name === 'Issue@1/done');
  if (!found) throw new Error(`no process of Issue is recorded; there are ${all.map(({ name }) => name)}`);
  const calls: { readonly name: string; readonly answer: unknown }[] = [];
  const call = Script.prototype.runInContext;
  const spy = vi.spyOn(Script.prototype, 'runInContext').mockImplementation(function (this: Script, ...args) {
    const name = (args[0] as Context).__temporal_args?.[1];
    const answer: unknown = call.apply(this, args);
    if (name !== undefined) calls.push({ name, answer });
    return answer;
  });
  const replays = Worker.runReplayHistories(
    {
      workflowBundle: await bundleOf(),
      sinks: { trace: { step: { fn: () => undefined, callDuringReplay: false } } },
    },
    [{ workflowId: 'recorded', history: historyOf(found.recording) }],
  );
  for await (const { error } of replays) expect(error).toBeUndefined();
  spy.mockRestore();
  const asked = calls.filter(({ name }) => name === 'tryUnblockConditions');
  expect(asked.length).toBeGreaterThan(0);
  // Each answer is the number of conditions that became true in that call.
  expect(asked.map(({ answer }) => answer)).toEqual(asked.map(() => 0));
});
