// Chaos ends in time where a flow stands still, and says what it waits for. It does not give up while something befalls.
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { newTaskQueue, temporalClient } from '../support/temporal.ts';
import { untilThere } from './patience.ts';
import { Progress } from './progress.ts';
import { whileItMoves } from './stands-still.ts';

const patience = { stillMs: 100, lookEveryMs: 10, answerWithinMs: 100 };

/** A flow for which no worker does anything. */
async function stillFlow() {
  const client = await temporalClient();
  const workflowId = randomUUID();
  const handle = await client.workflow.start('Issue', { workflowId, taskQueue: newTaskQueue() });
  onTestFinished(async () => void (await handle.terminate()));
  const completed = { shipmentUid: 'shipment-1', stateCode: 'Completed' };
  const acknowledged = { ...completed, id: 'event-1', stateStart: null, at: 0 };
  return {
    ...{ client, workflowId, pupUid: 'pup-1' },
    people: { shipmentsAt: async () => [completed] },
    twice: { acknowledged: [acknowledged, { ...acknowledged, shipmentUid: 'of another flow' }] },
  };
}

test('a flow that stands still is given up, with the words that tell where it stands', async () => {
  let gaveUp = false;
  const watched = { ...(await stillFlow()), progress: new Progress() };
  const playing = whileItMoves(
    watched,
    (attempt) => {
      attempt.peopleWaitFor = 'its end';
      attempt.giveUp.addEventListener('abort', () => (gaveUp = true));
      return new Promise(() => undefined);
    },
    patience,
  );
  await expect(playing).rejects.toThrow(
    new RegExp(
      [
        '^for \\d+ s no event came into its history, and nothing befell',
        'people wait for its end',
        'its progress cannot be asked .*',
        'to Temporal it is RUNNING with 2 events, and has under way: nothing',
        'the service has shipment-1 Completed',
        'the receiver has acknowledged shipment-1 Completed$',
      ].join('; '),
    ),
  );
  expect(gaveUp).toBe(true);
});

test('no flow is given up while processes are killed and the network fails', async () => {
  let looked = 0;
  const progress = {
    get quietMs() {
      looked += 1;
      return 0;
    },
  };
  const longEnough = () => untilThere('further looks', async () => (looked > 30 ? 'ended' : undefined));
  const watched = { ...(await stillFlow()), progress };
  expect(await whileItMoves(watched, longEnough, patience)).toBe('ended');
});
