// The verbs that start, find, show, extend and cancel flows: the real program, a real Temporal, real flows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { formatMoment } from '../../cli/moments.ts';
import { examples } from '../../contract/operations/examples.ts';
import { flowQuery } from '../../processes/views/flow-query.ts';
import { flowsAtHand, newKey } from '../client/flows-at-hand.ts';
import { temporaryFolder } from '../support/set-up-process.ts';
import { run, runJson, type Setting, startProgram } from './lockerflow-program.ts';
import { hasTmux, noTmux, openTerminal } from './terminal-window.ts';

const at = flowsAtHand();
const { taskQueue } = at;
const input = { request: examples.CreateLocalShipmentAsIssue.request };

const set = (...pairs: readonly string[]) => pairs.flatMap((pair) => ['--set', pair]);
const place = [
  ...['request.pupUid=pup-central', 'request.toUserUid=user-anna'],
  'request.dimension={ "width": 20, "height": 10, "length": 30 }',
];

const options = (key: string) => [
  ...['start', 'Issue', '--key', key],
  ...set('request.details.referenceNo=R-7', 'deadlines.issue.pickUp=P3D', ...place),
];

describe('start', () => {
  test('takes its input from --set; the same call again gives the same flow', async () => {
    const key = newKey();
    const first = await runJson<{ workflowId: string }>(options(key), { taskQueue });
    expect(first).toEqual({ flow: 'Issue', workflowId: key, isNew: true });
    expect(await runJson(options(key), { taskQueue })).toEqual({ ...first, isNew: false });
    const other = await run([...options(key), ...set('request.lockerUid=another')], { taskQueue });
    expect(other).toMatchObject({ code: 1, out: '', err: expect.stringContaining('use another key') });
  });

  test('takes its input from the standard input, overridden by --set, and prints it in a dry run', async () => {
    const words = ['start', 'issue', '--key', newKey(), '--input', '-', '--dry-run'];
    const more = set(
      ...['request.details.description=a drill', 'request.details.referenceCaseNo=7', 'onOverdue=cancel'],
    );
    const { details, ...request } = input.request;
    const sent = await runJson<typeof input>([...words, ...more], { input: JSON.stringify(input) });
    expect(sent).toEqual({
      request: { ...request, details: { ...details, description: 'a drill', referenceCaseNo: '7' } },
      onOverdue: 'cancel',
    });
  });

  test('takes its input from a file, waits for the end and prints the result', async () => {
    const file = join(await temporaryFolder(), 'issue.json');
    await writeFile(file, JSON.stringify(input));
    const key = newKey();
    const words = ['start', 'Issue', '--key', key, '--input', file, '--wait', '--json'];
    const waiting = run(words, { taskQueue });
    await at.found(`WorkflowId = '${key}' AND LockerBookedAt IS NOT NULL`, 1);
    await at.outside.does(at.outside.uid('issue'), 'ItemDroppedOff');
    await at.outside.does(at.outside.uid('issue'), 'ItemPickedUp');
    const { code, out } = await waiting;
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, result: { outcome: 'Done' } });
    const again = await run(['start', 'Issue', '--key', key, '--input', file], { taskQueue });
    expect(again.out).toBe(`Issue ${key} has ended already; see how with: lockerflow show ${key}\n`);
  });

  test('ends with 5 when the flow that it waits for did not end as Done, as watch does', async () => {
    const key = newKey();
    const overdue = [...set('deadlines.issue.dropOff=PT1S', 'onOverdue=cancel'), '--wait', '--json'];
    const { code, out, err } = await run([...options(key), ...overdue], { taskQueue });
    expect({ code, err }).toEqual({ code: 5, err: `lockerflow: ${key} has ended as Overdue\n` });
    expect(JSON.parse(out)).toMatchObject({ workflowId: key, result: { outcome: 'Overdue' } });
    expect(await run(['watch', key])).toMatchObject({ code: 5, err });
  });

  test('ends with 5 when the flow that it waits for is refused', async () => {
    const key = newKey();
    at.refused.add(key);
    const ran = await run([...options(key), '--wait'], { taskQueue });
    expect(ran).toMatchObject({ code: 5, err: expect.stringContaining('NoLockerAvailable') });
  });

  test('what failed before it booked is started again by the pick up point at which it was to be', async () => {
    const [key, pupUid] = [newKey(), newKey('pup')];
    at.refused.add(key);
    await run([...options(key), ...set(`request.pupUid=${pupUid}`), '--wait'], { taskQueue });
    await at.found(`WorkflowId = '${key}' AND ExecutionStatus = 'Failed'`, 1);
    const again = ['start-again', '--dry-run', '--by', 'anna', '--why', 'a locker is free'];
    const elsewhere = await run([...again, '--pick-up-point', newKey('pup'), '--flow', 'Issue'], {
      taskQueue,
    });
    expect(elsewhere.out).toContain('would start-again 0 flows');
    const there = await run([...again, '--pick-up-point', pupUid], { taskQueue });
    expect(there.out).toContain(`${key}: Delivery starts again as ${key}`);
  });

  test('names every wrong field in one line, and starts nothing', async () => {
    const words = ['start', 'Issue', '--key', newKey(), ...set('deadlines.intake.pickUp=soon')];
    const { code, out, err } = await run(words, { taskQueue });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    for (const field of [
      ...['request.pupUid: ', 'request.toUserUid: ', 'request.dimension: ', 'deadlines.intake: '],
    ])
      expect(err).toContain(field);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test('refuses a deadline that the locker service could not tell to be met, if it knows the service', async () => {
    const key = newKey();
    const words = [
      ...['start', 'CollectByUser', '--key', key, '--dry-run'],
      ...set('request.keepBookedAfterPickUp=true', 'deadlines.collect.pickUp=P3D', ...place),
    ];
    const at = (capabilities: string) =>
      run(words, { taskQueue, variables: { LOCKER_CAPABILITIES: capabilities } });
    expect(await at('getShipments')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/deadlines\.collect\.pickUp: must not be given .*accessMessages/),
    });
    expect(await at('getShipments,accessMessages')).toMatchObject({ code: 0 });
    expect(await run(words, { taskQueue })).toMatchObject({ code: 0 });
    expect(await at('everything')).toMatchObject({
      code: 2,
      err: expect.stringContaining('LOCKER_CAPABILITIES is wrong'),
    });
  });
});

describe('list', () => {
  test('finds by flow, case, pick up point, shipment, phase, and open or closed', async () => {
    const { workflowId, shipmentUid } = await at.issue();
    const found = async (by: readonly string[], setting?: Setting) => {
      const words = ['list', '--shipment', shipmentUid, ...by];
      const { items } = await runJson<{ items: { key: string }[] }>(words, setting);
      return items.map(({ key }) => key);
    };
    const keysBy = (...by: string[]) => found(by);
    for (const by of [
      ['--flow', 'Issue', 'Stock'],
      ['--case', 'case'],
      ['--pick-up-point', 'pup-central'],
    ])
      expect(await keysBy(...by)).toEqual([workflowId]);
    const aMinuteAgo = new Date(Date.now() - 60_000).toISOString();
    expect(await keysBy('--started-after', aMinuteAgo)).toEqual([workflowId]);
    expect(await keysBy('--started-before', aMinuteAgo)).toEqual([]);
    expect(await keysBy('--started-after', '1min')).toEqual([workflowId]);
    expect(await keysBy('--started-before', '1h')).toEqual([]);
    expect(await run(['list', '--started-after', 'noon'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--started-after noon is not a moment; expected one like 22:00, 8h'),
    });
    // Without an offset it is UTC, wherever the command is typed: that needs a process of its own.
    const elsewhere = { variables: { TZ: 'America/New_York' } };
    expect(await found(['--started-after', aMinuteAgo.replace('Z', '')], elsewhere)).toEqual([workflowId]);
    expect(await keysBy('--phase', 'Open')).toEqual([workflowId]);
    expect(await keysBy('--definition', 'Issue@1', '--open')).toEqual([workflowId]);
    for (const by of [['--flow', 'Stock'], ['--closed'], ['--phase', 'Overdue'], ['--case', "it's"]])
      expect(await keysBy(...by)).toEqual([]);
  });

  test('goes on page by page, each flow once', async () => {
    const keys = [await at.issue(), await at.issue(), await at.issue()].map(({ workflowId }) => workflowId);
    const words = [
      'list',
      '--limit',
      '1',
      '--query',
      `WorkflowId IN (${keys.map((key) => `'${key}'`).join(', ')})`,
    ];
    const seen: string[] = [];
    for (let page: string | null | undefined; page !== null; ) {
      type Page = { count: number; items: { key: string }[]; next: string | null };
      const more = page === undefined ? [] : ['--page', page];
      const { count, items, next }: Page = await runJson<Page>([...words, ...more]);
      expect(count).toBe(3);
      seen.push(...items.map((each) => each.key));
      page = next;
    }
    expect(seen.sort()).toEqual(keys.sort());
  });

  test('refuses a value that cannot be searched, and a query that Temporal cannot read', async () => {
    const refused = await run(['list', '--query', 'foo bar']);
    expect(refused).toMatchObject({ code: 2, out: '' });
    for (const options of [
      { case: 'a"b' },
      { startedAfter: 'noon' },
      { startedAfter: '5' },
      { startedBefore: '2031-02-28T25:00:00Z' },
      { startedAfter: '2031-02-30' },
      { definition: 'Issue' },
      { startedBefore: '2031-02-30T12:00:00Z' },
    ])
      expect(() => flowQuery(options, 'lockerflow')).toThrow(
        /cannot be searched for|is not an instant|is not a version of a flow/,
      );
  });
});

const PATIENCE = { timeout: 30_000, interval: 100 };

describe('show', () => {
  test('shows the state of a flow, its events and its cost, from its history', async () => {
    const { workflowId, shipmentUid } = await at.issue({ deadlines: { issue: { pickUp: 'P3D' } } });
    await at.outside.does(shipmentUid, 'ItemDroppedOff');
    const { out } = await vi.waitFor(async () => {
      const shown = await run(['show', workflowId], { taskQueue });
      // What the report makes the flow do comes a moment after the report.
      expect(shown.out).toContain('5 actions');
      return shown;
    }, PATIENCE);
    expect(out).toContain('Issue@1: Following, Open');
    expect(out).toMatch(/It is started\.\n.* It is booked\.\n.* The delivery is to be picked up\.\n/);
    const { events } = await at.client.workflow.getHandle(workflowId).fetchHistory();
    // Started, one booking, one callback, one upsert, one timer.
    expect(out).toContain(`${events?.length} events, 5 actions`);
  });

  test('shows the history if no worker answers, and says so', { tags: 'long' }, async () => {
    const lonely = `${taskQueue}-without-a-worker`;
    const key = newKey();
    await runJson(options(key), { taskQueue: lonely });
    // It is open, although it has not come to say so yet.
    await at.found(`WorkflowId = '${key}'`, 1);
    const query = ['--query', `WorkflowId = '${key}'`];
    const open = ['list', '--phase', 'Open', ...query];
    expect(await runJson(open)).toMatchObject({ count: 1, items: [{ key, phase: 'Open', summary: null }] });
    const { code, out } = await run(['show', key]);
    expect(code).toBe(0);
    expect(out).toContain('its progress is not known: ');
    expect(out).toContain('It is started.');
  });

  test('a terminated flow is shown as that, with what it leaves booked, and is not followed for ever', async () => {
    const { workflowId, shipmentUid } = await at.issue({ deadlines: { issue: { dropOff: 'P3D' } } });
    await at.client.workflow.getHandle(workflowId).terminate('a test');
    const { out } = await run(['show', workflowId]);
    expect(out).toContain('Terminated: it has stopped, and has undone nothing.');
    expect(out).toContain(`still booked as far as it knew: ${shipmentUid}, ReadyForDropoff`);
    expect(out).not.toMatch(/, Open|waiting for|issue\.dropOff/);
    expect(await runJson(['show', workflowId])).toMatchObject({
      status: 'Terminated',
      progress: { activity: 'Ended', phase: null, waitingFor: [] },
    });
    expect(await run(['watch', workflowId])).toMatchObject({
      code: 5,
      err: expect.stringContaining('was terminated, and has undone nothing'),
    });
  });

  test('a cancelled flow tells what it left', async () => {
    const { workflowId, shipmentUid } = await at.issue();
    await at.outside.does(shipmentUid, 'ItemDroppedOff');
    await at.client.workflow.getHandle(workflowId).cancel();
    await at.found(`WorkflowId = '${workflowId}' AND ExecutionStatus = 'Canceled'`, 1);
    expect((await run(['show', workflowId])).out).toContain(
      'left in locker 7 of pup-central: the item of issue; somebody must fetch it',
    );
  });

  test('what is tried again is told: attempt, last failure, next try', async () => {
    const key = newKey();
    at.unreachable.add(key);
    await runJson(options(key), { taskQueue });
    const words = await vi.waitFor(async () => {
      const { out } = await run(['show', key]);
      expect(out).toContain('trying: book: attempt 2; ');
      return out;
    }, PATIENCE);
    expect(words).toMatch(/next try \S+Z; last failure: Unreachable: nobody listens/);
    at.unreachable.delete(key);
    await at.client.workflow.getHandle(key).terminate();
  });

  test('ends with 3 where there is no such flow', async () => {
    expect(await run(['show', newKey()])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^lockerflow: there is no process/),
    });
  });
});

describe('watch', () => {
  test('in a terminal, Ctrl-C ends it with 130 and the flow goes on', { tags: 'long' }, async ({ skip }) => {
    if (!hasTmux) skip(noTmux);
    const { workflowId } = await at.issue();
    const { shows, type } = await openTerminal('watch', workflowId);
    await shows('ReadyForDropoff');
    await type('C-c');
    await shows('ended with 130');
    expect((await at.client.workflow.getHandle(workflowId).describe()).status.name).toBe('RUNNING');
  });

  test('in a pipe, writes a line for each change, and ends with 5 when the flow did not end as Done', async () => {
    const { workflowId } = await at.issue();
    const watching = startProgram(['watch', workflowId]);
    await vi.waitUntil(() => watching.out().includes('issue ReadyForDropoff'), PATIENCE);
    await at.client.workflow.getHandle(workflowId).cancel();
    const { code, out, err } = await watching.ended;
    expect({ code, err }).toEqual({ code: 5, err: `lockerflow: ${workflowId} was cancelled\n` });
    const lines = out.trim().split('\n');
    expect(lines[0]).toMatch(
      /^\S+Z {2}Following, Open {2}issue ReadyForDropoff {2}waiting for: issue to be dropped off$/,
    );
    expect(lines.at(-1)).toContain('Ended, Cancelled  issue Cancelled');
    expect(out).not.toContain('\u001b');
  });

  test('ends with 3 where there is no such flow', async () => {
    expect(await run(['watch', newKey()])).toMatchObject({ code: 3, out: '' });
  });
});

describe('cancel and extend', () => {
  const reason = ['--by', 'anna', '--why', 'she is ill'];

  test('act on one flow', async () => {
    const { workflowId } = await at.issue();
    const extended = await runJson<object>([
      ...['extend', workflowId, '--deadline', 'issue.dropOff', '--until', '2101-05-01 12:00', ...reason],
    ]);
    const until = new Date(2101, 4, 1, 12).toISOString();
    expect(extended).toMatchObject({ workflowId, done: true, result: { until } });
    expect(
      await run(['extend', workflowId, '--deadline', 'issue.dropOff', '--until', '2101-05-02', ...reason]),
    ).toMatchObject({ code: 2, err: expect.stringContaining('--until 2101-05-02 is not a moment') });
    expect((await run(['show', workflowId])).out).toContain(until.slice(0, 19).replace('T', ' '));
    expect(await runJson(['cancel', workflowId])).toEqual({ workflowId, done: true });
    await expect(at.client.workflow.getHandle(workflowId).result()).rejects.toThrow();
    const deadline = ['--deadline', 'issue.dropOff', '--extend-by', 'P1D', ...reason];
    for (const words of [['cancel'], ['extend', ...deadline, '--dry-run']])
      expect(await run([...words, newKey()])).toMatchObject({ code: 3, out: '' });
  });

  test('extend before a stage begins says that the deadline will hold from then on, and show lists it', async () => {
    const { workflowId, shipmentUid } = await at.issue();
    const ahead = ['--deadline', 'issue.pickUp', '--until', '2101-05-01T12:00:00Z', ...reason];
    const holds = 'it holds once that begins';
    // In the time of the terminal, but for what is typed again.
    const end = formatMoment('2101-05-01T12:00:00Z');
    const change = `delivery to be picked up: no deadline → ${end}`;
    expect((await run(['extend', workflowId, ...ahead, '--dry-run'])).out).toContain(
      `${workflowId}: ${change}; ${holds}\n`,
    );
    const undo = `undo-extension ${workflowId} --deadline issue.pickUp --until 2101-05-01T12:00:00.000Z`;
    expect((await run(['extend', workflowId, ...ahead])).out).toBe(
      `${workflowId}: extended: no deadline → ${end}; ${holds}; to undo it: npx lockerflow ${undo}\n`,
    );
    expect((await run(undo.split(' '))).out).toContain('there is no deadline again');
    await run(['extend', workflowId, ...ahead]);
    expect((await run(['show', workflowId])).out).toMatch(/issue\.pickUp +2101-05-01 12:00:00 .*holds once/);
    await at.outside.does(shipmentUid, 'ItemDroppedOff');
    await vi.waitUntil(async () => !(await run(['show', workflowId])).out.includes('holds once'), {
      timeout: 60_000,
    });
    const later = ['--deadline', 'issue.pickUp', '--until', '2102-01-01T00:00:00Z', '--dry-run', ...reason];
    expect((await run(['extend', workflowId, ...later])).out).toContain(
      `${workflowId}: delivery to be picked up: ${end} → ${formatMoment('2102-01-01T00:00:00Z')}\n`,
    );
    const over = ['--deadline', 'issue.dropOff', '--from-now', 'P1D', '--dry-run', ...reason];
    expect(await run(['extend', workflowId, ...over])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('issue is ReadyForPickup, beyond dropOff'),
    });
  });

  test('more time, less time, and back: each is its own verb, and none does the other by accident', async () => {
    const { workflowId } = await at.issue({ deadlines: { issue: { dropOff: 'P14D' } } });
    const deadline = ['--deadline', 'issue.dropOff'];
    expect(await run(['extend', workflowId, ...deadline, '--extend-by', 'P1D'])).toMatchObject({ code: 2 });
    expect(await run(['extend', workflowId, '--next', '--from-now', 'P1D', ...reason])).toMatchObject({
      code: 1,
      err: expect.stringContaining('to give less time, shorten it'),
    });
    const extend = ['extend', workflowId, ...deadline, '--extend-by', 'P1D', ...reason];
    const { result } = await runJson<{ result: { from: string; until: string } }>(extend);
    expect(Date.parse(result.until) - Date.parse(result.from)).toBe(86_400_000);
    const ends = ['--from', result.from, '--until', result.until];
    expect((await run(['undo-extension', workflowId, ...deadline, ...ends])).out).toContain('what it was');
    expect(await run(['undo-extension', workflowId, ...deadline, ...ends])).toMatchObject({
      code: 1,
      err: expect.stringContaining('moved again meanwhile'),
    });
    const shorten = ['shorten', workflowId, ...deadline, '--shorten-by', 'P2D', ...reason];
    expect((await run([...shorten, '--dry-run'])).out).toContain(`${formatMoment(result.from)} → `);
    const shortened = (await run(shorten)).out;
    expect(shortened).toMatch(`${workflowId}: shortened: ${formatMoment(result.from)} → `);
    const [, undo = ''] = shortened.trim().split('to undo it: npx lockerflow ');
    expect((await run(undo.split(' '))).out).toContain('what it was');
    expect(
      await run(['extend', workflowId, '--extend-by', 'P1D', '--until', '2031-05-01', ...reason]),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'expected only one of --extend-by, --until, --from-now; expected one of --deadline, --timer, --next',
      ),
    });
    expect(await run(['undo-extension', workflowId, ...deadline])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--until is missing'),
    });
    const { out } = await run(['show', workflowId]);
    expect(out).toMatch(/is extended: .* → .*because she is ill/);
    expect(out).toMatch(/is put back: /);
    expect(out).toMatch(/is shortened: /);
  });

  test('set and remove a receiver: what a command says of itself is enough for its verb', async () => {
    const { workflowId } = await at.issue();
    const remove = ['remove-receiver', workflowId, '--role', 'issue'];
    expect((await run(remove)).out).toBe(`${workflowId}: the receiver of issue is removed\n`);
    const set = ['set-receiver', workflowId, '--role', 'issue', '--to-user-uid', 'user-bram'];
    expect((await run([...set, '--why', 'she is ill'])).out).toBe(
      `${workflowId}: the receiver of issue is set\n`,
    );
    expect((await run(['show', workflowId])).out).toMatch(/receiver.*because she is ill/);
    expect(await run(['set-receiver', workflowId, '--role', 'issue'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--to-user-uid is missing'),
    });
    expect(await run(['remove-receiver', workflowId, '--role', 'nobody'])).toMatchObject({ code: 2 });
    const { out } = await run(['set-receiver', '--help']);
    expect(out).toContain('sets the receiver of a shipment; one process by its key');
    expect(out).toContain('lockerflow set-receiver order-1042 --role issue --to-user-uid user-anna');
  });

  test('extend names the error of a deadline, and the nearest valid one', async () => {
    const wrong = (...words: string[]) => run(['extend', newKey(), ...words, ...reason]);
    expect(await wrong('--deadline', 'isue.pickUp', '--from-now', 'P1D')).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean issue.pickUp?'),
    });
    expect(await wrong('--deadline', 'issue.pickUp', '--from-now', 'P1M')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--from-now must be an ISO 8601 duration'),
    });
  });

  test('act on all that a query finds: counted in a dry run, confirmed, one failure does not stop the others', async () => {
    const one = await at.issue();
    const other = await at.issue();
    await at.outside.does(one.shipmentUid, 'ItemDroppedOff');
    const query = ['--query', `WorkflowId IN ('${one.workflowId}', '${other.workflowId}')`];

    const dry = await run(['cancel', ...query, '--dry-run']);
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('would cancel 2 flows') });
    expect(await run(['cancel', ...query])).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(await run(['cancel', ...query, '--dry-run', '--per-second', '201'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected a whole number from 1 to 200'),
    });

    // Of the one the stage has passed already.
    const stage = ['--deadline', 'issue.dropOff', '--from-now', 'P1D', '--yes', ...reason];
    const { code, out, err } = await run(['extend', ...query, ...stage]);
    expect({ code, err }).toEqual({ code: 1, err: 'lockerflow: 1 of 2 flows: done, 1 failed\n' });
    expect(out).toContain(`${other.workflowId}: extended`);
    expect(out).toContain(`${one.workflowId}: Issue: issue is ReadyForPickup, beyond dropOff`);

    const cancelled = await run(['cancel', ...query, '--yes', '--json']);
    const lines = cancelled.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toEqual({ summary: { found: 2, done: 2, failed: 0, notTried: 0 } });
  });

  test('ask in a terminal before they act on the flows of a query, and do nothing without a yes', {
    tags: 'long',
  }, async ({ skip }) => {
    if (!hasTmux) skip(noTmux);
    const { workflowId } = await at.issue();
    const statusOf = async () => (await at.client.workflow.getHandle(workflowId).describe()).status.name;
    const cancel = () => openTerminal('cancel', '--query', `WorkflowId = '${workflowId}'`);
    const refused = await cancel();
    await refused.shows('cancel 1 flow? [y/N]');
    await refused.type('n', 'Enter');
    await refused.shows('ended with 2');
    expect(await statusOf()).toBe('RUNNING');
    const agreed = await cancel();
    await agreed.shows('cancel 1 flow? [y/N]');
    await agreed.type('y', 'Enter');
    await agreed.shows('ended with 0');
    await expect(at.client.workflow.getHandle(workflowId).result()).rejects.toThrow();
    expect(await statusOf()).toBe('CANCELLED');
  });

  test('never take silence for every flow there is', async () => {
    expect(await run(['cancel', '--yes'])).toMatchObject({ code: 2, err: expect.stringContaining('--all') });
    expect(await run(['cancel', 'a', '--phase', 'Open', '--yes'])).toMatchObject({ code: 2 });
    expect(await run(['cancel', '--closed', '--flow', 'Issue', '--yes'])).toMatchObject({ code: 2 });
  });
});

describe('the program', () => {
  test('says in one line that Temporal cannot be reached, and ends with 4', { tags: 'long' }, async () => {
    const { code, err } = await run(['list'], { variables: { TEMPORAL_ADDRESS: '127.0.0.1:1' } });
    expect({ code, err }).toEqual({
      code: 4,
      err: 'lockerflow: Temporal cannot be reached at 127.0.0.1:1; start Temporal, or set TEMPORAL_ADDRESS to where it runs; where it has TLS, check TEMPORAL_TLS_*\n',
    });
  });

  test('says that a namespace does not exist, and ends with 2', async () => {
    const ran = await run(['list'], { variables: { TEMPORAL_NAMESPACE: 'nowhere' } });
    expect(ran).toEqual({
      code: 2,
      out: '',
      err: 'lockerflow: there is no such namespace in this Temporal; check TEMPORAL_NAMESPACE\n',
    });
  });

  test('ends with 130 on Ctrl-C while it waits', async () => {
    const key = newKey();
    const waiting = startProgram([...options(key), '--wait'], { taskQueue });
    await at.found(`WorkflowId = '${key}'`, 1);
    // More than one, as through npx, which passes on what the terminal sends to both.
    for (let signals = 0; signals < 5; signals++) {
      waiting.interrupt();
      await delay(2);
    }
    expect(await waiting.ended).toMatchObject({ code: 130, err: 'lockerflow: interrupted\n' });
  });
});
