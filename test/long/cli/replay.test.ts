// `replay`: the real program and its replay process, against flows on a server and histories in files.
// It bundles the workflows itself.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { temporalProgram } from '../../../local/temporal/program.ts';
import { type Ran, runProcess } from '../../cli/lockerflow-program.ts';
import { flowsAtHand, newKey } from '../../client/flows-at-hand.ts';
import { startFailing, untilFailing } from '../../support/failing-workflows/failing-process.ts';

const at = flowsAtHand();
// A replay may bundle the workflows first.
const slow = { timeout: 600_000 };

async function run(words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return runProcess(words, { variables: more });
}

/** As an operator gets a history. */
async function shown(workflowId: string): Promise<string> {
  const words = ['workflow', 'show', '--workflow-id', workflowId, '--output', 'json'];
  const where = ['--address', inject('temporalAddress')];
  return (await promisify(execFile)(await temporalProgram(), [...words, ...where])).stdout;
}

test(
  'replays the running processes of a server, and names those that this checkout cannot replay',
  slow,
  async () => {
    const { workflowId, shipmentUid } = await at.issue({ deadlines: { issue: { dropOff: 'P3D' } } });
    await at.outside.does(shipmentUid, 'ItemDroppedOff');
    const [other, ended] = [await at.issue(), await at.issue()];
    await at.client.workflow.getHandle(ended.workflowId).cancel();
    const keys = [workflowId, other.workflowId, ended.workflowId].map((key) => `'${key}'`).join(', ');
    await at.found(`WorkflowId IN (${keys}) AND ExecutionStatus = 'Running'`, 2);
    const open = await run(['replay', '--open', '--query', `WorkflowId IN (${keys})`]);
    expect(open).toEqual({ code: 0, out: '2 replayed, 0 differently\n', err: '' });

    const folder = await mkdtemp(join(tmpdir(), 'lockerflow-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const history = JSON.parse(await shown(workflowId));
    const same = join(folder, 'same.json');
    await writeFile(same, JSON.stringify(history));
    const [started] = history.events;
    started.workflowExecutionStartedEventAttributes.workflowType.name = 'CollectByUser';
    const changed = join(folder, 'changed.json');
    await writeFile(changed, JSON.stringify(history));

    // Files need no Temporal.
    const alone = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
    const { code, out, err } = await run(['replay', '--file', same, changed], alone);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'lockerflow: 2 replayed, 1 differently; keep the old version of a definition that changes\n',
    });
    expect(out.split('\n')).toHaveLength(3);
  },
);

test('names a process whose next step a worker failed at', slow, async () => {
  const handle = await startFailing(at.client, 'Issue', newKey());
  await untilFailing(handle);
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'failing.json');
  await writeFile(file, await shown(handle.workflowId));
  const words =
    'the same as far as it has come; a worker failed at its next step, which no history has: structuredClone is not defined';
  for (const which of [[handle.workflowId], ['--file', file]])
    expect(await run(['replay', ...which])).toEqual({
      code: 0,
      out: `${handle.workflowId}: ${words}\n1 replayed, 0 differently; a worker failed at the next step of 1\n`,
      err: '',
    });
  await handle.terminate();
});

test('refuses a file that is not a history, a call without a target, and an unknown flow', slow, async () => {
  expect(await run(['replay'])).toMatchObject({ code: 2, err: expect.stringContaining('--open') });
  expect(await run(['replay', '--file', '/nonexistent'])).toMatchObject({ code: 2, out: '' });
  expect(await run(['replay', newKey()])).toMatchObject({ code: 3, out: '' });
});
