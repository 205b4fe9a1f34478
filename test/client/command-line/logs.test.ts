// `lockerflow logs`: one life from the log files of several processes; the lines of the service are its own.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { examples } from '../../../contract/operations/examples.ts';
import { callerAs } from '../../support/caller.ts';
import { withService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { run } from './lockerflow-program.ts';

const logs = (home: string, ...words: string[]) =>
  run(['logs', ...words], { variables: { LOCKERFLOW_HOME: home } });

test('shows the lines that name the flow, and those of its shipments, in order of time', {
  timeout: 60_000,
}, async () => {
  const home = await temporaryFolder();
  const uid = await withService(async ({ address, logLines }) => {
    const call = await callerAs(address);
    const booking = { ...examples.CreateLocalShipmentAsIssue.request, allowLargerLockers: true };
    const details = { referenceCaseNo: 'order-1042' };
    const { body } = await call('CreateLocalShipmentAsIssue', { ...booking, details });
    const [shipmentUid] = body.shipmentUids as [string];
    await call('CreateLocalShipmentAsIssue', { ...booking, details: { referenceCaseNo: 'order-2' } });
    await call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
    await vi.waitUntil(() => logLines.filter(({ msg }) => msg === 'answered').length >= 4, {
      timeout: 60_000,
    });
    await writeFile(join(home, 'service.log'), logLines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return shipmentUid;
  });
  const receiver = { level: 30, time: Date.now() + 1_000, part: 'receiver', msg: 'callback' };
  const worker = { level: 40, time: Date.now() + 2_000, part: 'worker', msg: 'Activity failed' };
  await writeFile(
    join(home, 'receiver.log'),
    [
      'not an event',
      JSON.stringify({ ...receiver, shipmentUid: uid, workflowIds: ['order-1042'], became: 'signalled' }),
      JSON.stringify({ ...receiver, shipmentUid: 'another', workflowIds: ['order-10421'] }),
    ].join('\n'),
  );
  await writeFile(
    join(home, 'worker.log'),
    `${JSON.stringify({ ...worker, workflowId: 'order-1042', err: { message: 'no\nanswer' } })}\n`,
  );
  for (const key of ['order-1042', uid]) {
    const { out, err } = await logs(home, key, '--json');
    const { events } = JSON.parse(out);
    expect(err).toBe('');
    expect(
      events.map(({ part, operation, msg }: Record<string, string>) => `${part} ${operation ?? msg}`),
    ).toEqual([
      'service CreateLocalShipmentAsIssue',
      'service UnlockShipmentLocker',
      'receiver callback',
      ...(key === uid ? [] : ['worker Activity failed']),
    ]);
  }
  const { out } = await logs(home, 'order-1042');
  expect(out).toMatch(
    /^\S+Z {2}service {3}info {3}answered {2}.*operation=UnlockShipmentLocker .*shipmentUids=/m,
  );
  expect(out).toMatch(/^\S+Z {2}worker {4}warn {3}Activity failed: no answer {2}workflowId=order-1042$/m);
  expect(await logs(home, 'order-9')).toMatchObject({
    code: 3,
    err: expect.stringContaining('names order-9'),
  });
});

test('without log files it says where they are expected', { timeout: 60_000 }, async () => {
  const { code, err } = await logs('/nonexistent', 'order-1');
  expect(code).toBe(2);
  expect(err).toContain('there are no log files in /nonexistent');
});
