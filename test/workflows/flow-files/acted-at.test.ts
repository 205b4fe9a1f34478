// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// A process says by a search attribute when somebody last acted on it: the log of a shift finds it by that.
import { expect, test } from 'vitest';
import { runningFilesOfShortRuns, uniqueName, untilProgress } from './running-files.ts';

const files = runningFilesOfShortRuns();

const rounds = (name: string) => `
name: ${name}
meaning: Counts rounds.
context: { rounds: 0 }
initial: resting
states:
  resting:
    on:
      round: { actions: { type: assign, params: { rounds: "\${context.rounds + 1}" } } }
      enough: over
  over: { type: final }
output: "\${context.rounds}"
`;

async function started() {
  const name = uniqueName('Rounds');
  await files.publish(rounds(name));
  const { workflowId } = await files.start(name, { request: {} });
  const handle = files.client.workflow.getHandle(workflowId);
  await untilProgress(handle, ({ state }) => state === 'resting');
  const actedAt = async () =>
    (await handle.describe()).searchAttributes.LockerActedAt?.[0] as Date | undefined;
  const sent = (who?: object) => handle.signal('event', { type: 'round', ...(who && { who }) });
  /** Temporal answers a query once the process has taken what came before. */
  const took = () => handle.query('progress');
  return { handle, workflowId, actedAt, sent, took };
}

test('a note, and an event in a person’s name are acts; what programs send by themselves is not', async () => {
  const { handle, workflowId, actedAt, sent, took } = await started();
  await sent();
  await sent({ by: 'shop (API)' });
  await took();
  expect(await actedAt()).toBeUndefined();
  await handle.executeUpdate('note', { args: [{ text: 'Charger is missing', by: 'noor' }] });
  const noted = await actedAt();
  expect(Math.abs(Date.now() - Number(noted))).toBeLessThan(60_000);
  await sent({ by: 'shop (API)', onBehalfOf: 'mila' });
  await took();
  expect(Number(await actedAt())).toBeGreaterThan(Number(noted));
  await sent({ by: 'noor' });
  await sent();
  await handle.signal('event', { type: 'enough' });
  await handle.result();
  await files.replays(workflowId);
});

test('the run that continues a process has it too', async () => {
  const { handle, workflowId, actedAt, sent, took } = await started();
  await handle.executeUpdate('note', { args: [{ text: 'Charger is missing', by: 'noor' }] });
  const noted = await actedAt();
  const { runId } = await handle.describe();
  while ((await handle.describe()).runId === runId) {
    await sent();
    await took();
  }
  expect(await actedAt()).toEqual(noted);
  await handle.executeUpdate('note', { args: [{ text: 'It is here', by: 'noor' }] });
  expect(Number(await actedAt())).toBeGreaterThan(Number(noted));
  await handle.signal('event', { type: 'enough' });
  await handle.result();
  await files.replays(workflowId);
}, 120_000);

test('a cancellation is an act: Temporal says only in the history who has asked for it', async () => {
  const { handle, workflowId, actedAt } = await started();
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
  expect(await actedAt()).toBeInstanceOf(Date);
  await files.replays(workflowId);
});
