// The notifier on a real Temporal: its schedule, what it keeps from round to round, a webhook that fails, and the command line.
import { randomBytes } from 'node:crypto';
import { Client, ScheduleOverlapPolicy } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { notificationChannel } from '../../../activities/connectors/notification-channel.ts';
import { LockerFlows } from '../../../client/locker-flows.ts';
import type { NotifyResult } from '../../../contract/flows/notifications.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { entryKinds } from '../../../processes/inbox/inbox-entry.ts';
import { notificationActivities } from '../../../processes/notifications/notification-activities.ts';
import { ensureNotifier, notifierId } from '../../../processes/notifications/notifier.ts';
import { dataConverter } from '../../../shared/codec/data-converter.ts';
import { readPayloadKeys } from '../../../shared/codec/payload-keys.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import type { Language } from '../../../shared/texts/text.ts';
import { run, runJson } from '../../cli/lockerflow-program.ts';
import { startTestServer, type TestServer, text } from '../../shared/locker-api/test-server.ts';
import { textOfHistory } from '../../support/history.ts';
import { newTaskQueue, type RunningWorker, runWorker, temporalClient } from '../../support/temporal.ts';

const [locker] = examples.GetLockers.response.items;

/** A wall as the locker service tells of it. */
class Wall {
  stuck: readonly string[] = [];

  readonly service = {
    call: async (operation: string, request: { readonly doorStayedShut?: boolean }) => {
      if (operation === 'GetPickUpPoints') return { items: [{ pupUid: 'pup-central', name: 'Central' }] };
      const items = request.doorStayedShut ? this.stuck.map((name) => this.#locker(name)) : [];
      return { items, totalItems: items.length };
    },
    sandboxClock: async () => ({ aheadMs: 0 }),
  };

  #locker(lockerName: string) {
    return {
      ...locker,
      lockerUid: `pup-central-${lockerName}`,
      lockerName,
      doorFailure: { occurredAt: '2026-11-28T10:00:00.000', reason: 'jammed', wallOffline: false },
    };
  }
}

async function notifierAt(
  webhook: TestServer,
  keys: Parameters<typeof dataConverter>[0] = null,
  language: Language = 'en',
) {
  const taskQueue = newTaskQueue();
  const { connection } = await temporalClient();
  const client = new Client({ connection, dataConverter: dataConverter(keys) });
  const wall = new Wall();
  const settings = readConnectors(
    `connectors: { chat: { address: "${webhook.url}", notify: {} } }`,
    () => '',
  );
  const connectors = new Connectors(settings);
  const startWorker = () =>
    runWorker({
      taskQueue,
      dataConverter: dataConverter(keys),
      activities: {
        ...notificationActivities(
          {
            client,
            taskQueue,
            flows: new LockerFlows(client, { taskQueue }),
            service: wall.service as never,
            serviceClock: { aheadMs: async () => 0 },
          },
          {
            settings: {
              connector: 'chat',
              kinds: new Set(entryKinds),
              quietHours: null,
              quietPriority: 80,
              againAfterMs: 7_200_000,
              language,
              consoleUrl: 'https://console.example',
            },
            send: notificationChannel(settings, connectors, 'chat'),
          },
        ),
      },
    });
  let worker: RunningWorker = await startWorker();
  await ensureNotifier(client, taskQueue, true);
  const schedule = client.schedule.getHandle(notifierId(taskQueue));
  // Its own minute must not come in between.
  await schedule.pause();
  onTestFinished(async () => {
    await schedule.delete().catch(() => undefined);
    await worker.stop();
    await connectors.close();
  });
  const begun = async () => {
    const before = (await schedule.describe()).info.recentActions.length;
    // As it begins one by itself: with another policy, Temporal does not hand on the last result.
    await schedule.trigger(ScheduleOverlapPolicy.SKIP);
    const runs = async () => (await schedule.describe()).info.recentActions.slice(before);
    await expect.poll(async () => (await runs()).length, { timeout: 10_000 }).toBe(1);
    const [started] = await runs();
    return client.workflow.getHandle<() => Promise<NotifyResult>>(started?.action.workflow.workflowId ?? '');
  };
  return {
    client,
    taskQueue,
    wall,
    schedule,
    begun,
    round: async () => await (await begun()).result(),
    restartWorker: async () => {
      await worker.stop();
      worker = await startWorker();
    },
  };
}

const bodiesOf = ({ requests }: TestServer) =>
  requests.map(({ body }) => JSON.parse(Buffer.from(body, 'latin1').toString()));

test('people are notified of what is new, once, whatever becomes of the worker', async () => {
  await using webhook = await startTestServer(text(200, 'text/plain', 'ok'));
  const { wall, round, restartWorker } = await notifierAt(webhook);
  expect(await round()).toMatchObject({ notification: null, answer: null });
  wall.stuck = ['7'];
  expect(await round()).toMatchObject({ answer: 'HTTP 200: ok' });
  await restartWorker();
  expect(await round()).toMatchObject({ notification: null });
  wall.stuck = ['7', '8'];
  // Two doors of one wall are one entry of Work, another one than that of the single door.
  await round();
  expect(bodiesOf(webhook)).toMatchObject([
    {
      reason: 'new',
      title: 'Work, new: The door of locker 7 of Central stayed shut',
      entries: [{ group: 'urgent', link: 'https://console.example/walls/pup-central' }],
    },
    { reason: 'new', title: 'Work, new: 2 doors of Central stay shut' },
  ]);
});

test('what is kept from round to round is encrypted, and read again', async () => {
  await using webhook = await startTestServer(text(200, 'text/plain', 'ok'));
  const keys = readPayloadKeys(`2026:${randomBytes(32).toString('base64')}`);
  const { wall, begun, round } = await notifierAt(webhook, keys);
  wall.stuck = ['7'];
  const handle = await begun();
  expect(await handle.result()).toMatchObject({ notification: { reason: 'new' } });
  expect(await textOfHistory(handle)).not.toMatch(/locker 7|"highest"/);
  expect(await round()).toMatchObject({ notification: null, state: { highest: 90 } });
});

test('a webhook that fails gets the same message again, and none is lost', async () => {
  await using webhook = await startTestServer(text(503, 'text/plain', 'down'));
  const { wall, begun } = await notifierAt(webhook);
  wall.stuck = ['7'];
  const handle = await begun();
  await expect.poll(() => webhook.requests.length, { timeout: 10_000 }).toBe(1);
  // What becomes new meanwhile is not in it: the message that is sent again is the same one.
  wall.stuck = ['7', '8'];
  webhook.reply = text(200, 'text/plain', 'ok');
  expect(await handle.result()).toMatchObject({ answer: 'HTTP 200: ok' });
  const [first, second] = webhook.requests;
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  expect(second?.body).toBe(first?.body);
});

test('a round that fails leaves nothing out of the next one, and repeats nothing', async () => {
  await using webhook = await startTestServer(text(200, 'text/plain', 'ok'));
  const { wall, begun, round } = await notifierAt(webhook);
  wall.stuck = ['7'];
  await round();
  webhook.reply = text(503, 'text/plain', 'down');
  wall.stuck = ['8'];
  const failing = await begun();
  await expect.poll(() => webhook.requests.length, { timeout: 10_000 }).toBe(2);
  await failing.terminate('as after half an hour without success');
  webhook.reply = text(200, 'text/plain', 'ok');
  wall.stuck = ['7'];
  expect(await round()).toMatchObject({ notification: null });
  wall.stuck = ['8'];
  expect(await round()).toMatchObject({ notification: { title: expect.stringContaining('locker 8') } });
});

test('the command line shows what would be sent, sends a test, and says what came back', async () => {
  await using webhook = await startTestServer(text(200, 'text/plain', 'ok'));
  const { taskQueue, wall, round } = await notifierAt(webhook);
  wall.stuck = ['7'];
  const dryRun = await run(['notify', '--dry-run'], { taskQueue });
  expect(dryRun).toMatchObject({ code: 0, out: expect.stringContaining('locker 7 of Central stayed shut') });
  expect(webhook.requests).toEqual([]);
  await round();
  expect(await run(['notify', '--dry-run'], { taskQueue })).toMatchObject({
    out: expect.stringContaining('nothing would be sent now'),
  });
  const sent = await runJson<NotifyResult>(['notify', '--test'], { taskQueue });
  expect(sent).toMatchObject({ answer: 'HTTP 200: ok', notification: { reason: 'test' } });
  webhook.reply = text(404, 'text/plain', 'no such channel');
  const failed = await run(['notify', '--test'], { taskQueue });
  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('chat answered HTTP 404') });
  expect(webhook.requests).toHaveLength(3);
  expect(await run(['notify'], { taskQueue })).toMatchObject({ code: 2 });
  expect(await run(['notify', '--test', '--dry-run'], { taskQueue })).toMatchObject({ code: 2 });
});

test('people are notified in the language of the installation', async () => {
  await using webhook = await startTestServer(text(200, 'text/plain', 'ok'));
  const { wall, round } = await notifierAt(webhook, null, 'nl');
  wall.stuck = ['7'];
  await round();
  const [{ title, text: words }] = bodiesOf(webhook);
  expect(title).toBe('Werk, nieuw: De deur van vak 7 van Central bleef dicht');
  expect(words).toBe(`Nieuw, dringend:
- De deur van vak 7 van Central bleef dicht, sinds za 28 nov, 10:00 UTC
  https://console.example/walls/pup-central

Al het werk: https://console.example/inbox`);
});

test('a worker without a connector takes the schedule away', async () => {
  await using webhook = await startTestServer(text(200, 'text/plain', 'ok'));
  const { client, taskQueue, schedule } = await notifierAt(webhook);
  await ensureNotifier(client, taskQueue, true);
  expect((await schedule.describe()).spec.intervals).toMatchObject([{ every: 60_000 }]);
  await ensureNotifier(client, taskQueue, false);
  await expect(schedule.describe()).rejects.toThrow(/not found/i);
});
