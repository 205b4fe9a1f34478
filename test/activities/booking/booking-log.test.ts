// What the worker's log tells of a booking: its case number, and of a try that failed when the next one is.
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { createActivities } from '../../../activities/all-activities.ts';
import { readServiceProfile, serviceProfileSettings } from '../../../contract/wire/service-profile.ts';
import { failure, type Reply } from '../../shared/locker-api/test-server.ts';
import { inTurn, issueInput, reset, startTestApi, succeeded } from '../activity-harness.ts';

const operation = 'CreateLocalShipmentAsIssue';
const input = issueInput({ lockerWaitEndsAt: Date.now() + 3_600_000 });

// Nothing is kept of its shipments, and nothing else is asked of Temporal.
const client = {
  workflow: { getHandle: () => ({ signal: async () => undefined }) },
  withAbortSignal: (_: AbortSignal, run: () => unknown) => run(),
} as unknown as Client;

/** The lines of one attempt, and what it told with its heartbeat. */
async function logged(...replies: [Reply, ...Reply[]]) {
  const { api } = await startTestApi({ [operation]: inTurn(...replies) });
  const { book } = createActivities({
    api,
    serviceProfile: readServiceProfile(
      serviceProfileSettings.parse({ LOCKER_CAPABILITIES: 'idempotencyKey' }),
    ),
    setsReferences: true,
    keepFor: 'P30D',
    lockerRetryMs: 50,
    pace: { settleMs: 300, firstDelayMs: 20, longestDelayMs: 100 },
  });
  const lines: LogEntry[] = [];
  const info = {
    attempt: 1,
    currentAttemptScheduledTimestampMs: Date.now(),
    startToCloseTimeoutMs: 3_600_000,
    scheduleToCloseTimeoutMs: 0,
  };
  const logger = new DefaultLogger('INFO', (entry) => lines.push(entry));
  const environment = new MockActivityEnvironment(info, { logger, client });
  const heartbeats: unknown[] = [];
  environment.on('heartbeat', (told) => heartbeats.push(told));
  await environment.run(book, input).catch(() => undefined);
  return { lines: lines.map(({ level, message, meta }) => ({ level, message, ...meta })), heartbeats };
}

const booked = succeeded(operation, { shipmentUids: ['shipment-1'] });
const next = { attempt: 1, lastFailure: expect.stringContaining(operation), nextTryAt: expect.any(String) };

test('a booking is logged with its case number', async () => {
  const { lines } = await logged(booked);
  expect(lines).toEqual([
    expect.objectContaining({ message: 'booked', caseNumber: 'order-1', shipmentUids: ['shipment-1'] }),
  ]);
});

test('a booking in doubt is a warning with attempt, last failure and next try, which the heartbeat tells too', async () => {
  const { lines, heartbeats } = await logged(reset, booked);
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'WARN',
      message: 'a booking in doubt is tried again',
      caseNumber: 'order-1',
      ...next,
    }),
    expect.objectContaining({ message: 'booked' }),
  ]);
  expect(heartbeats[0]).toEqual({ trying: next });
});

test('a wait for a free locker is a warning with attempt, last failure and next try', async () => {
  const { lines } = await logged(failure(409, 'NoLockerAvailable'));
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'WARN',
      message: 'a booking is tried again',
      caseNumber: 'order-1',
      ...next,
      lastFailure: expect.any(String),
    }),
  ]);
});
