// @module-tag invariant
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Events by correlation from a program, while the receiver that takes them, and the worker that hands them out, are
// killed again and again right after an answer: each of 500 events reaches its process once, also a process that begins
// later.
import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { expect, inject, test } from 'vitest';
import { untilDone } from '../../../../../scripts/cluster/temporal/until-it-works.ts';
import { killedProcess } from '../../../../proofs/killed/killed-process.ts';
import { killable } from '../../../../support/processes/killable.ts';
import { nodeProgram } from '../../../../support/processes/node-program.ts';

const EVENTS = 500;
const KILLS = 8;
const AT_ONCE = 8;

const file = (name: string) => `
name: ${name}
meaning: Counts the returns of a device until it is checked.
input: { type: object, required: [device], properties: { device: { type: string } } }
correlate: { device: "\${input.device}" }
context: { heard: [] }
initial: lent
states:
  lent:
    on:
      device.returned: { target: back, actions: { type: assign, params: { heard: "\${context.heard + [event.data]}" } } }
  back:
    on:
      device.returned: { actions: { type: assign, params: { heard: "\${context.heard + [event.data]}" } } }
      device.checked: over
  over: { type: final }
output: "\${context.heard}"
`;

test(`${EVENTS} events reach ${EVENTS} processes once, whatever is killed`, async () => {
  await using working = await killedProcess('Returned', file);
  const { client, taskQueue, name } = working;
  let url = '';
  await using receiver = await killable(async () => {
    const program = 'test/proofs/killed/event-receiver.ts';
    const child = nodeProgram([program, inject('temporalAddress'), taskQueue]);
    await child.until(() => child.out() !== '');
    url = child.out().trim();
    return child;
  });
  const devices = Array.from({ length: EVENTS }, () => randomUUID());
  const begin = (device = '') =>
    client.workflow.start(name, {
      taskQueue,
      workflowId: `${name}-${device}`,
      args: [{ request: { device } }],
      workflowTaskTimeout: '2 s',
    });
  /** Sent again, as the same event, until a receiver has answered. */
  const send = async (type: string, index: number): Promise<void> => {
    const event = { type, where: { device: devices[index] }, id: `${type} ${devices[index]}`, data: index };
    await untilDone(async () => {
      const { status } = await fetch(url, { method: 'POST', body: JSON.stringify(event) });
      if (status !== 202) throw new Error(`${event.id} was answered with ${status}`);
    });
  };
  // Every second process begins only when its event has been answered.
  const lanes = pLimit(AT_ONCE);
  await lanes.map(devices, async (device, index) => {
    if (index % 2 === 0) await begin(device);
  });
  let sent = 0;
  let killed = 0;
  let killing = Promise.resolve();
  await lanes.map(devices, async (device, index) => {
    await send('device.returned', index);
    sent += 1;
    if (killed < KILLS && sent >= ((killed + 1) * EVENTS) / (KILLS + 1)) {
      killed += 1;
      // Right after an answer; the next receiver and the next worker begin meanwhile.
      killing = killing.then(async () => void (await Promise.all([receiver.kill(), working.kill()])));
    }
    if (index % 2 === 1) await begin(device);
    await send('device.checked', index);
  });
  await killing;
  expect(killed).toBe(KILLS);
  const results = await Promise.all(
    devices.map((device) => client.workflow.getHandle(`${name}-${device}`).result()),
  );
  expect(results).toEqual(devices.map((_, index) => [index]));
});
