// What is done to a process by a program that acts for a person, with a reason: who and why are told the same by the history over
// HTTP, its sentences, `show`, and Temporal itself, which its Web UI shows.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import type { ProcessHistory } from '../../../processes/views/happened.ts';
import type { TimelineEntry } from '../../../processes/views/timeline.ts';
import { run } from '../../cli/lockerflow-program.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, useConsoleOf } from '../console-world.ts';
import { clientsOf, demoToken, type Program, programOf } from './program.ts';

const installation = useInstallation(ourService);
const client = `shop-${randomUUID().slice(0, 8)}`;
const flow = `Check${randomUUID().slice(0, 8)}`;
const loan = `loan-${randomUUID()}`;
const check = `check-${randomUUID()}`;
const by = `${client} (API)`;
const onBehalfOf = 'Anna';

const server = useConsoleOf(installation);
let shop: Program;
beforeAll(async () => {
  const at = installation();
  const publisher = programOf(server().address, await demoToken(at.service.address));
  const text = `
name: ${flow}
meaning: A desk checks what was paid for.
input: { type: object, properties: { order: { type: string } } }
correlate: { order: "\${input.order}" }
initial: waiting
states:
  waiting: { on: { paid: coming } }
  coming: { on: { came: asking } }
  asking:
    invoke:
      id: whole
      src: ask
      input: { of: desk, question: Is it whole?, fields: { state: { choice: [whole, broken] } } }
      onDone: over
  over: { type: final }
`;
  const published = await publisher.post('/v1/flows', { files: [{ path: 'check.flow.yaml', text }] });
  expect(published).toMatchObject({ status: 200 });
  const scopes = ['flows:read', 'flows:decide', 'flows:start'];
  shop = await clientsOf(server, installation)(client, ...scopes);
});

const path = (key: string, more = '') => `/v1/processes/${encodeURIComponent(key)}${more}`;
const sent = async (to: string, body: object) => {
  const answer = await shop.post(to, body, { 'x-on-behalf-of': onBehalfOf });
  expect(answer).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
};

const reasons = {
  start: 'order 1042',
  extend: 'she is ill',
  cancel: 'the order was withdrawn',
  event: 'the bank said so',
  correlated: 'the parcel has come',
  claim: 'she is at the desk',
  answer: 'she has looked',
} as const;

/** By what they are in the timeline. */
const done: readonly (readonly [key: string, why: string, is: (data: TimelineEntry['data']) => boolean])[] = [
  [loan, reasons.start, ({ type }) => type === 'started'],
  [loan, reasons.extend, (data) => data.type === 'updated' && data.name === 'extendDeadline'],
  [loan, reasons.cancel, ({ type }) => type === 'cancelRequested'],
  [check, reasons.start, ({ type }) => type === 'started'],
  [check, reasons.event, (data) => data.type === 'signalled' && data.event === 'paid'],
  [check, reasons.correlated, (data) => data.type === 'signalled' && data.event === 'came'],
  [check, reasons.claim, (data) => data.type === 'updated' && data.name === 'claim'],
  [check, reasons.answer, (data) => data.type === 'updated' && data.name === 'answer'],
];

test('who has done what, and why, is told the same everywhere', async () => {
  const at = installation();
  const until = (key: string, isSo: (progress: Record<string, unknown>) => boolean) =>
    vi.waitUntil(
      async () => {
        const { body } = await shop.get<{ progress: Record<string, unknown> | null }>(path(key));
        return body.progress !== null && isSo(body.progress);
      },
      { timeout: 60_000, interval: 50 },
    );
  await sent('/v1/processes', { flow: 'Issue', key: loan, why: reasons.start, request: issueRequest });
  await sent('/v1/processes', { flow, key: check, why: reasons.start, request: { order: check } });
  await until(loan, ({ activity }) => activity === 'Following');
  const deadline = { role: 'issue', stage: 'pickUp', fromNow: 'P2D' };
  await sent(path(loan, '/commands/extend'), { ...deadline, why: reasons.extend });
  await sent(path(loan, '/commands/cancel'), { why: reasons.cancel });
  await sent(path(check, '/events'), { type: 'paid', why: reasons.event });
  await sent('/v1/events', { type: 'came', where: { order: check }, why: reasons.correlated });
  await until(check, ({ questions }) => (questions as unknown[]).length === 1);
  await sent(path(check, '/commands/claim'), { why: reasons.claim });
  await sent(path(check, '/answers'), { values: { state: 'whole' }, why: reasons.answer });
  for (const key of [loan, check]) await until(key, ({ activity }) => activity === 'Ended');

  for (const key of [loan, check]) {
    const { body: history } = await shop.get<ProcessHistory>(path(key, '/history'));
    const shown = (await run(['show', key], { taskQueue: at.taskQueue })).out;
    const kept = JSON.stringify(await at.client.workflow.getHandle(key).fetchHistory(), (name, value) =>
      name === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value,
    );
    // The identity of who asked Temporal.
    expect(kept).toContain(`"${onBehalfOf} by ${by}"`);
    for (const [of, why, is] of done) {
      if (of !== key) continue;
      const who = { by, onBehalfOf, why };
      expect(history.entries.filter(({ data }) => is(data))).toEqual([expect.objectContaining(who)]);
      expect(history.happened.filter((row) => row.why === why).length, why).toBe(1);
      expect(shown).toMatch(new RegExp(`Anna by ${client} \\(API\\).*because ${why}`));
      expect(kept).toContain(why);
    }
  }
});
