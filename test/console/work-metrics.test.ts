// What the console tells Prometheus of Work: by kind and by inbox, of a bounded number, and nothing that cannot be read.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { measureWork } from '../../console/work-metrics.ts';
import { freePort } from '../../local/ports.ts';
import type { InboxView } from '../../processes/inbox/inbox-entry.ts';
import type { Telemetry } from '../../shared/telemetry/spans.ts';
import { startMetrics } from '../../shared/telemetry/telemetry.ts';

const NOW = Date.parse('2031-05-01T12:00:00Z');
const MINUTE_MS = 60_000;

let address: string;
let metrics: Telemetry;
/** What is read is kept for a while: each test is later than the one before. */
let at = NOW;
let reads = 0;
let view: () => object = () => ({});

const counts = { open: 9, needsPerson: 1, needsUs: 3, waitsForAnswer: 2, overdue: 4, failed: 5, ended: 0 };

// OpenTelemetry takes one provider in a process.
beforeAll(async () => {
  address = `127.0.0.1:${await freePort()}`;
  metrics = await startMetrics('CONSOLE_METRICS_ADDRESS', address);
  const inbox = async () => {
    reads += 1;
    return { unread: [], entries: [], ...view() } as unknown as InboxView;
  };
  measureWork({ inbox, counts: async () => counts }, () => at);
});
afterAll(() => metrics.stop());
beforeEach(() => {
  at += MINUTE_MS;
});

const entry = (id: string, more: object) => ({ id, clockAheadMs: 0, since: '2031-05-01T11:00:00Z', ...more });

/** By its name and labels. */
async function told(): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(`http://${address}/metrics`)).text();
  const samples = text.split('\n').filter((line) => line.startsWith('lockerflow_'));
  return Object.fromEntries(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

test('entries that nobody has snoozed are counted by kind, with the age of the oldest by its own clock', async () => {
  const entries = [
    entry('late:1', { kind: 'late' }),
    entry('late:2', { kind: 'late', since: '2031-05-01T12:30:00Z', clockAheadMs: 7_200_000 }),
    entry('late:3', { kind: 'late', since: '2031-04-01T12:00:00Z' }),
    entry('door:1', { kind: 'door', since: null }),
  ];
  const snoozed = new Map([['late:3', {}]]);
  view = () => ({ entries, snoozed, unread: [{ kind: 'unmatched' }] });
  at = NOW;
  expect(await told()).toMatchObject({
    lockerflow_work_is_read: 1,
    'lockerflow_work_entries{kind="late"}': 2,
    'lockerflow_work_oldest_seconds{kind="late"}': 5_400,
    'lockerflow_work_entries{kind="door"}': 1,
    'lockerflow_work_oldest_seconds{kind="door"}': 0,
    'lockerflow_work_entries{kind="question"}': 0,
    'lockerflow_work_unread{kind="unmatched"}': 1,
    'lockerflow_work_unread{kind="late"}': 0,
    'lockerflow_cases{state="overdue"}': 4,
    'lockerflow_cases{state="needs_person"}': 1,
  });
});

test('of more than 20 inboxes the others are one', async () => {
  const entries = Array.from({ length: 25 }, (_, index) =>
    entry(`question:${index}`, {
      kind: 'question',
      task: { inbox: `desk-${String(index).padStart(2, '0')}` },
    }),
  );
  view = () => ({ entries });
  const questions = Object.entries(await told()).filter(([name]) => name.startsWith('lockerflow_questions'));
  expect(questions).toHaveLength(21);
  expect(Object.fromEntries(questions)).toMatchObject({
    'lockerflow_questions{inbox="desk-00"}': 1,
    'lockerflow_questions{inbox="others"}': 5,
  });
});

test('what cannot be read is not told as nothing, and is asked again', async () => {
  view = () => {
    throw new Error('Temporal does not answer');
  };
  reads = 0;
  expect(await told()).toMatchObject({ lockerflow_work_is_read: 0 });
  view = () => ({});
  expect(await told()).toMatchObject({
    lockerflow_work_is_read: 1,
    'lockerflow_work_entries{kind="door"}': 0,
  });
  // An inbox that is empty now does not keep its number.
  expect(await told()).toMatchObject({ 'lockerflow_questions{inbox="desk-00"}': 0 });
  // Prometheus asks more often than people must know.
  await told();
  expect(reads).toBe(2);
});
