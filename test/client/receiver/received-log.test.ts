// What strangers may write to the receiver's log: few short lines in a minute, and a number.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LINES_A_MINUTE, ReceivedLog } from '../../../client/receiver/received-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function newLog() {
  const lines: [level: string, fields: object, message: string][] = [];
  const level = (name: string) => (fields: object, message: string) =>
    void lines.push([name, fields, message]);
  const log = new ReceivedLog({ info: level('info'), warn: level('warn'), error: level('error') });
  const refuse = (why: 'form' | 'key', times: number) => {
    for (let number = 0; number < times; number += 1)
      log.write({
        status: 401,
        shipmentUid: null,
        became: 'unauthentic',
        workflowIds: [],
        refused: { why, words: 'wrong', claimedShipmentUid: null },
      });
  };
  const counted = () => lines.flatMap(([, fields]) => ('count' in fields ? [fields] : []));
  return { log, lines, refuse, counted };
}

test('the first refusals of a minute are logged one by one, the others are counted at its end', () => {
  const { lines, refuse, counted } = newLog();
  refuse('form', 1_000);
  expect(lines).toHaveLength(LINES_A_MINUTE);
  vi.advanceTimersByTime(60_000);
  expect(counted()).toEqual([{ why: 'form', count: 1_000 - LINES_A_MINUTE }]);
  refuse('form', 1);
  expect(lines).toHaveLength(LINES_A_MINUTE + 2);
});

test('a flood of one reason does not hide a refusal for another', () => {
  const { lines, refuse } = newLog();
  refuse('form', 1_000);
  refuse('key', 1);
  expect(lines.at(-1)).toMatchObject(['warn', { why: 'key' }, 'callback refused (key): wrong']);
});

test('what was counted is logged when the receiver stops, and nothing where nothing was', () => {
  const { log, lines, refuse, counted } = newLog();
  refuse('key', LINES_A_MINUTE + 3);
  log.close();
  log.close();
  expect(counted()).toEqual([{ why: 'key', count: 3 }]);
  vi.advanceTimersByTime(120_000);
  expect(lines).toHaveLength(LINES_A_MINUTE + 1);
});

test('callbacks that are taken, or that Temporal does not take, are all logged', () => {
  const { log, lines } = newLog();
  const genuine = { shipmentUid: 'S-1', workflowIds: [] };
  for (let number = 0; number < 50; number += 1) {
    log.write({ ...genuine, status: 204, became: 'signalled' });
    log.write({ ...genuine, status: 503, became: 'notTaken', error: new Error('away') });
  }
  expect(lines.filter(([level]) => level === 'info')).toHaveLength(50);
  expect(lines.filter(([level]) => level === 'error')).toHaveLength(50);
});

test('a long uid or case number is shortened, also where callbacks are not authenticated', () => {
  const { log, lines } = newLog();
  const [shipmentUid, caseNumber] = ['u'.repeat(60_000), 'c'.repeat(60_000)];
  log.write({ shipmentUid, caseNumber, workflowIds: [], status: 202, became: 'unmatched' });
  expect(JSON.stringify(lines).length).toBeLessThan(500);
});
