// docs/connectors.md: Events
// The events that `emit` of a flow file sends, on a real Temporal: signed, in order, each with one id and repeated until the
// other side takes it. Those that the other side takes late, or after several runs, are in the long suite.
import { ApplicationFailure } from '@temporalio/common';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { json, type Reply, raw, startTestServer } from '../../shared/locker-api/test-server.ts';
import { eventsOf, textOfHistory } from '../../support/history.ts';
import { runningFiles, uniqueName, untilProgress, withShortRunsToo } from './running-files.ts';

const KEY = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const FORMER_KEY = `whsec_${Buffer.alloc(32, 4).toString('base64')}`;
const server = await startTestServer(json(204, null));
afterAll(() => server[Symbol.asyncDispose]());

withShortRunsToo((files, hasShortRuns) => {
  // A process that is about to continue takes its delivery back, and so costs one activity more.
  const filesOfOneRun = hasShortRuns ? runningFiles() : files;
  afterAll(() => files.connectors.close());
  beforeEach(() => {
    server.requests.length = 0;
    server.reply = json(200, {});
    use('events: hub');
  });

  function use(events: string): void {
    const used = new Connectors(
      readConnectors(
        `${events}
connectors:
  hub: { address: "${server.url}/hub", events: { path: /lockers, signingKeyFile: keys }, timeoutSeconds: 5 }
  other: { address: "${server.url}/other", events: { signingKeyFile: keys } }`,
        () => `${KEY}\n${FORMER_KEY}\n`,
      ),
    );
    files.connectors = used;
    filesOfOneRun.connectors = used;
  }

  const counting = (name: string) => `
name: ${name}
meaning: Tells the outside of each round.
context: { rounds: 0 }
initial: going
exit: { type: emit, params: { type: rounds.over, data: { rounds: "\${context.rounds}" } } }
states:
  going:
    on:
      round:
        actions:
          - { type: assign, params: { rounds: "\${context.rounds + 1}" } }
          - { type: emit, params: { type: rounds.one, data: { round: "\${context.rounds}" } } }
      elsewhere: { actions: { type: emit, params: { type: rounds.else, to: other } } }
      nowhere: { actions: { type: emit, params: { type: rounds.lost, to: gone } } }
      enough: over
  over: { type: final }
output: "\${context.rounds}"
`;

  interface Notification {
    readonly type: string;
    readonly timestamp: string;
    readonly number: number;
    readonly data: { readonly round?: number };
    readonly flow: { readonly version: number };
  }

  const notifications = (): Notification[] =>
    server.requests.map(({ body }) => JSON.parse(body) as Notification);
  const ids = () => server.requests.map(({ headers }) => headers['webhook-id']);

  async function begun(on = files) {
    const name = uniqueName('Rounds');
    await on.publish(counting(name));
    const { workflowId } = await on.start(name, { request: {} });
    // The handle names no run, so it follows the process into its next runs.
    const handle = on.client.workflow.getHandle(workflowId);
    await untilProgress(handle, ({ events }) => events.length > 0);
    return { name, handle, tell: (type: string) => handle.signal('event', { type }) };
  }

  test('an event is signed, and tells its process, its place and when it was emitted', async () => {
    const { name, handle, tell } = await begun();
    await tell('round');
    await vi.waitUntil(() => server.requests.length > 0, { timeout: 30_000 });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hub/lockers' });
    for (const key of [KEY, FORMER_KEY])
      expect(
        new Webhook(key).verify(request?.body ?? '', request?.headers as Record<string, string>),
      ).toEqual({
        type: 'rounds.one',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        data: { round: 1 },
        number: 1,
        flow: { key: handle.workflowId, name, version: 1 },
      });
    await tell('elsewhere');
    await vi.waitUntil(() => server.requests.some(({ path }) => path === '/other'), { timeout: 30_000 });
    await tell('enough');
    expect(await handle.result()).toBe(1);
    expect(await textOfHistory(handle)).not.toContain(KEY);
  });

  test('what is not taken is sent again under one id and in order, and the process goes on meanwhile and ends after it', async () => {
    const { handle, tell } = await begun(filesOfOneRun);
    const replies: Reply[] = [json(500, {}), raw('', 'reset'), json(404, {})];
    server.reply = (response, request) => (replies.shift() ?? json(200, {}))(response, request);
    for (const type of ['round', 'round', 'round', 'enough']) await tell(type);
    await untilProgress(handle, ({ activity }) => activity === 'Ended');
    expect(await handle.result()).toBe(3);
    expect(notifications().map(({ number }) => number)).toEqual([1, 1, 1, 1, 2, 3, 4]);
    expect(notifications().map(({ data }) => data.round)).toEqual([1, 1, 1, 1, 2, 3, undefined]);
    const [first] = notifications();
    expect(notifications().slice(1, 4)).toEqual([first, first, first]);
    const [id, ...rest] = ids();
    expect(rest.slice(0, 3)).toEqual([id, id, id]);
    expect(new Set(ids()).size).toBe(4);
    // Each event has one activity, which Temporal repeats. So no try adds to the history.
    const events = await eventsOf(handle);
    expect(events.filter((type) => type === 'ACTIVITY_TASK_SCHEDULED')).toHaveLength(4);
  }, 90_000);

  test('a process that is given up first delivers what it has emitted', async () => {
    const name = uniqueName('Broken');
    const replies: Reply[] = [json(503, {})];
    server.reply = (response, request) => (replies.shift() ?? json(200, {}))(response, request);
    files.answer = () => {
      throw ApplicationFailure.nonRetryable('no such shipment', 'InvalidShipment');
    };
    await files.publish(`
name: ${name}
meaning: Calls the locker API, and does not expect a refusal.
initial: calling
states:
  calling:
    entry: { type: emit, params: { type: call.begun } }
    invoke: { src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: over }
  over: { type: final }
`);
    const handle = await files.start(name, { request: {} });
    await untilProgress(handle, ({ phase }) => phase === 'NeedsPerson');
    await handle.executeUpdate('giveUp');
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'FailureUnhandled' } });
    expect(notifications().at(-1)).toMatchObject({ type: 'call.begun', number: 1 });
    expect(replies).toEqual([]);
    expect(notifications()).toHaveLength(2);
  });

  test('a cancelled process delivers what it has emitted before it closes', async () => {
    const { handle, tell } = await begun();
    server.reply = json(503, {});
    await tell('round');
    await vi.waitUntil(() => server.requests.length > 0, { timeout: 30_000 });
    await handle.cancel();
    const before = server.requests.length;
    server.reply = json(200, {});
    await expect(handle.result()).rejects.toThrow();
    expect(server.requests.length).toBeGreaterThan(before);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(notifications().at(-1)).toMatchObject({ type: 'rounds.one', number: 1 });
  }, 90_000);

  /** The numbers of the events that the other side takes. It takes none until `isBack` is true. */
  function away() {
    const taken: number[] = [];
    const isBack = { now: false };
    server.reply = (response, request) => {
      if (!isBack.now) return json(503, {})(response, request);
      taken.push(JSON.parse(request.body).number);
      return json(200, {})(response, request);
    };
    return { taken, isBack };
  }

  const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

  test('a process ends while the other side is away, and its events are delivered in order when that is back', {
    tags: 'long',
    timeout: 180_000,
  }, async () => {
    const { handle, tell } = await begun();
    const { taken, isBack } = away();
    for (const type of ['round', 'round', 'enough']) await tell(type);
    expect(await handle.result()).toBe(2);
    expect((await handle.describe()).status.name).toBe('COMPLETED');
    const relay = await vi.waitUntil(
      async () => {
        for await (const { workflowId } of files.client.workflow.list({
          query: `WorkflowType = 'EventDelivery' AND ExecutionStatus = 'Running'`,
        }))
          if (workflowId.startsWith(`${handle.workflowId}/events/`)) return workflowId;
        return false;
      },
      { timeout: 30_000, interval: 100 },
    );
    expect(taken).toEqual([]);
    // One worker begins the relay and another one ends it. In between, the other side is back.
    await files.restartWorker(async () => {
      isBack.now = true;
    });
    await files.client.workflow.getHandle(relay).result();
    expect(taken).toEqual([1, 2, 3]);
    expect(new Set(ids()).size).toBe(3);
  });

  if (hasShortRuns)
    test('a process that emits much while the other side is away carries a bounded part of it, and nothing is lost', {
      timeout: 300_000,
    }, async () => {
      const { handle, tell } = await begun();
      const { taken, isBack } = away();
      // More than it may carry. Not many more: how long the other side was away is how long the next attempt may wait.
      await Promise.all(oneTo(130).map(() => tell('round')));
      await untilRounds(handle, 130);
      const { runId } = await handle.describe();
      let rounds = 130;
      // The process hands over the events that are too many to carry. It continues as a new run at the first event after that.
      while ((await handle.describe()).runId === runId) {
        await tell('round');
        rounds += 1;
        await untilRounds(handle, rounds);
        expect(rounds, 'it goes on in its run').toBeLessThan(500);
      }
      const carried = await carriedEvents(handle);
      expect(carried).toBeGreaterThan(0);
      expect(carried).toBeLessThanOrEqual(100);
      await tell('enough');
      const patient = Date.now() + 120_000;
      expect(await files.client.withDeadline(patient, () => handle.result())).toBe(rounds);
      expect(taken).toEqual([]);
      await files.restartWorker();
      isBack.now = true;
      await vi.waitUntil(() => taken.includes(rounds + 1), { timeout: 150_000, interval: 100 });
      expect(taken).toEqual(oneTo(rounds + 1));
    });

  /** How many events the present run of the process got from the run before it. */
  async function carriedEvents(handle: Awaited<ReturnType<typeof begun>>['handle']): Promise<number> {
    const { events } = await handle.fetchHistory();
    const [, continued] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    const text = continued?.data ? Buffer.from(continued.data).toString() : '{}';
    const { outbox } = JSON.parse(text) as { outbox?: { waiting: readonly unknown[] } };
    return outbox?.waiting.length ?? 0;
  }

  if (hasShortRuns)
    test('a continued run delivers what the former one could not, under the same id, and counts on', {
      timeout: 180_000,
    }, async () => {
      const { handle, tell } = await begun();
      const { runId } = await handle.describe();
      server.reply = json(503, {});
      for (let round = 1; round <= 12; round += 1) {
        await tell('round');
        await untilRounds(handle, round);
      }
      expect((await handle.describe()).runId).not.toBe(runId);
      expect(new Set(ids()).size).toBe(1);
      server.reply = json(200, {});
      await tell('enough');
      expect(await handle.result()).toBe(12);
      const taken = notifications().map(({ number }) => number);
      expect([...new Set(taken)]).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
      expect(taken).toEqual([...taken].sort((one, other) => one - other));
      expect(new Set(ids()).size).toBe(13);
    });

  test('where the worker has no connector for events, they go nowhere and hold nothing up', async () => {
    use('');
    const { handle, tell } = await begun();
    await tell('round');
    await tell('enough');
    expect(await handle.result()).toBe(1);
    expect(server.requests).toHaveLength(0);
  });

  function untilRounds(
    handle: Awaited<ReturnType<typeof begun>>['handle'],
    rounds: number,
  ): Promise<unknown> {
    return vi.waitUntil(
      async () => {
        // A run that has not begun its first step has none.
        const { context } = await handle.query<{ context?: { rounds: number } }, [object]>('progress', {
          context: true,
        });
        return context?.rounds === rounds;
      },
      { timeout: 30_000, interval: 30 },
    );
  }
});
