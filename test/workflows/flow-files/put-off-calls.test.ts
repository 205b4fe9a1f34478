// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// A run with a long history leaves calls of bookings to the run that continues it, and begins them itself where there is none.
import { expect, test, vi } from 'vitest';
import type { Json } from '../../../flows/language/flow-file.ts';
import { Outside } from '../outside.ts';
import { booking } from '../stories.ts';
import { runningFilesOfShortRuns, uniqueName, untilProgress } from './running-files.ts';

const files = runningFilesOfShortRuns();

const issues = `{ id: loan, src: book, input: { operation: CreateLocalShipmentAsIssue, request: { ${JSON.stringify(booking).slice(1, -1)}, toUserUid: user-anna } }, onDone: over, onError: over }`;

async function begun(text: string, name: string) {
  await files.publish(text);
  const { workflowId } = await files.start(name, { request: {} });
  const outside = new Outside();
  files.attend(workflowId, outside);
  return { handle: files.client.workflow.getHandle(workflowId), workflowId, outside };
}

test('a call that an update waits for is not left to a next run, which waits for the update', async () => {
  const name = uniqueName('Lending');
  const { handle, workflowId } = await begun(
    `
name: ${name}
meaning: Issues an item.
initial: lent
states:
  lent: { invoke: ${issues} }
  over: { type: final }
`,
    name,
  );
  await untilProgress(handle, ({ bookings }) => bookings.some(({ shipments }) => shipments.issue));
  const runs = new Set<string>();
  // At some of them the task of the update is the first that is to be continued.
  for (let number = 1; number <= 12; number++) {
    for (let tick = 0; tick < number % 6; tick++) await handle.signal('event', { type: 'tick' });
    const args: [object] = [{ role: 'issue', toUserUid: `user-${number}` }];
    await handle.executeUpdate('setReceiver', { args }).catch(() => undefined);
    runs.add((await handle.describe()).runId);
  }
  expect(runs.size).toBeGreaterThan(1);
  await handle.cancel();
  await handle.result().catch(() => undefined);
  await files.replays(workflowId);
}, 60_000);

test('a booking begins a minute later in a run that cannot end, because a call is under way', {
  tags: 'long',
}, async () => {
  const name = uniqueName('Lending');
  const { promise: answered, resolve: answer } = Promise.withResolvers<Json>();
  vi.spyOn(files, 'answer').mockImplementation(() => answered as never);
  const { handle, outside } = await begun(
    `
name: ${name}
meaning: Issues an item while a service does not answer.
type: parallel
states:
  asking:
    initial: looking
    states:
      looking: { invoke: { id: look, src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: over, onError: over } }
      over: { type: final }
  lending:
    initial: waiting
    states:
      waiting: { on: { lend: lent } }
      lent: { invoke: ${issues} }
      over: { type: final }
`,
    name,
  );
  await untilProgress(handle, ({ waitingFor }) => waitingFor.length > 0);
  for (let tick = 0; tick < 20; tick++) {
    await handle.signal('event', { type: 'tick' });
    await handle.query('progress');
  }
  await handle.signal('event', { type: 'lend' });
  await expect.poll(() => outside.calls.length, { timeout: 120_000 }).toBe(1);
  answer({});
});

test('a process that has more to carry than a next run may have goes on in its long one', {
  tags: 'long',
}, async () => {
  const name = uniqueName('Keeping');
  const { handle } = await begun(
    `
name: ${name}
meaning: Waits for parcels that come too early.
initial: waiting
states:
  waiting: { on: { go: taking } }
  taking: { on: { parcel: over } }
  over: { type: final }
`,
    name,
  );
  const parcel = { type: 'parcel', data: 'x'.repeat(31_000), keepForMs: 86_400_000 };
  for (let number = 0; number < 80; number++)
    await handle.signal('event', { ...parcel, id: `parcel-${number}` });
  await handle.executeUpdate('note', { args: [{ text: 'It is still there', by: 'noor' }] });
  await handle.signal('event', { type: 'go' });
  await handle.result();
});
