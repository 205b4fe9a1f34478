// Whoever watches `npm start` sees the warnings and errors of the processes, one line each; the log file has everything.
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { formatEndReasons, reportingErrors } from '../../../local/components/error-lines.ts';

test('warnings and errors are shown in one line each, and every line goes to the log', async () => {
  const log = new PassThrough();
  const told: string[] = [];
  const lines = reportingErrors(log, (words, level) => told.push(`${level} ${words}`));
  const all = [
    '{"level":30,"msg":"callback"}',
    '{"level":40,"msg":"not ready","err":{"message":"connect ECONNREFUSED\\n  127.0.0.1:1"}}',
    '(node:1) ExperimentalWarning: something of its own',
    '{"level":50,"msg":"request failed"}',
    '{ no event',
    '',
  ].join('\n');
  // As a pipe may cut it.
  for (const chunk of [all.slice(0, 40), all.slice(40, 120), all.slice(120)]) lines.write(chunk);
  lines.end();
  expect(await text(log)).toBe(all);
  expect(told).toEqual(['warn not ready: connect ECONNREFUSED 127.0.0.1:1', 'error request failed']);
});

test('a log on a slow disk gets every line of a process that has ended', async () => {
  let written = '';
  const slow = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk;
      setImmediate(done);
    },
  });
  const lines = reportingErrors(slow, () => undefined);
  for (const word of ['first\n', 'second\n', 'third\n']) lines.write(word);
  lines.end();
  await finished(slow);
  expect(written).toBe('first\nsecond\nthird\n');
});

test('the line of a flow that failed names its key', () => {
  const told: string[] = [];
  const log = new PassThrough();
  const lines = reportingErrors(log, (words) => told.push(words));
  const failed = {
    level: 40,
    msg: 'Workflow failed',
    workflowId: 'order-1042',
    err: { message: 'no locker' },
  };
  lines.write(`${JSON.stringify(failed)}\n`);
  expect(told).toEqual(['Workflow failed (order-1042): no locker']);
});

test('the last message is one line, after any output', () => {
  const said = [
    'first',
    '{"level":30,"msg":"worker started"}',
    '{"level":50,"msg":"it fails","err":{"message":"no\\ndisk"}}',
    'Killed',
    '',
  ];
  expect(formatEndReasons(said.join('\n'))).toMatch(
    /^first; it fails: no disk; Killed \(SIGKILL: .*memory\)$/,
  );
});

test('what a process did as usual is no reason of its end; it is told where it has said nothing else', () => {
  const usual = '{"level":30,"msg":"answered"}\n{"level":30,"msg":"answered"}\n';
  expect(formatEndReasons(`${usual}Killed\n`)).toMatch(/^Killed/);
  expect(formatEndReasons(usual)).toBe('answered; answered');
});
