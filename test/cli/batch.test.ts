// Batches by the command line: started by a verb of a command, followed, controlled and tried again.
import { expect, test } from 'vitest';
import { formatBatch } from '../../cli/verbs/batch.ts';
import type { BatchView } from '../../processes/batches/read-batches.ts';
import { runningFiles, timesOf, uniqueName, untilProgress } from '../workflows/flow-files/running-files.ts';
import { run, runJson } from './lockerflow-program.ts';

const files = runningFiles();
const { taskQueue } = files;
const by = ['--by', 'anna', '--why', 'closed on Monday'];

test('a verb leaves its flows to a batch, which is shown, listed, and tells its exit code', async () => {
  const name = uniqueName('Lending');
  await files.publish(
    JSON.stringify({
      name,
      meaning: 'Lends something.',
      initial: 'lent',
      states: { lent: { after: { P10D: 'over' } }, over: { type: 'final' } },
    }),
  );
  const handles = await Promise.all([files.start(name, {}), files.start(name, {})]);
  for (const handle of handles) await untilProgress(handle, (each) => timesOf(each).length === 1);
  const query = ['--query', handles.map(({ workflowId }) => `WorkflowId = '${workflowId}'`).join(' OR ')];
  const extend = ['extend', ...query, '--next', '--extend-by', 'P1D', ...by];
  expect(await run([...extend, '--detach', '--dry-run'], { taskQueue })).toMatchObject({ code: 2 });
  const { batch: id } = await runJson<{ batch: string }>([...extend, '--detach', '--yes'], { taskQueue });
  const shown = await runJson<BatchView>(['batch', 'show', id, '--wait', '--all'], { taskQueue });
  expect(shown).toMatchObject({
    id,
    status: { phase: 'done', total: 2, done: 2 },
    outcomes: Array(2).fill({ words: expect.stringMatching(/^extended: \S+ → \S+$/) }),
  });
  const list = await run(['batch', 'list'], { taskQueue });
  expect(list).toMatchObject({ code: 0, out: expect.stringContaining(`${id}: extend, done, 2 of 2 done`) });
  const undone = await runJson<BatchView>(['batch', 'undo', id, ...by], { taskQueue });
  expect(undone).toMatchObject({ command: 'undoExtension', undoes: id, by: 'anna' });
  const undo = await run(['batch', 'show', undone.id, '--wait', '--all'], { taskQueue });
  expect(undo).toMatchObject({ code: 0, out: expect.stringContaining('2 of 2 done') });
  for (const what of ['pause', 'retry'])
    expect(await run(['batch', what, id, '--by', 'bo'], { taskQueue })).toMatchObject({ code: 1 });
  expect(await run(['batch', 'show', 'nothing'], { taskQueue })).toMatchObject({ code: 3 });
  for (const handle of handles) await handle.terminate();
});

test('what was started again and has failed again since is counted beside what is done', () => {
  const status = { phase: 'done', total: 3, done: 3, refused: 0, unknown: 0 };
  const view = {
    id: 'b-1',
    command: 'startAgain',
    by: 'anna',
    why: null,
    startedAt: '2031-05-01T12:00:00Z',
    status,
  };
  const failedAgain = { now: { short: 'failed again' } };
  const outcomes = [failedAgain, failedAgain, { now: { short: null } }];
  expect(formatBatch(view as never, outcomes as never)).toContain('done, 3 of 3 done, 2 failed again; since');
});
