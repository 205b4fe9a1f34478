// What happened since a moment, as the next shift reads it: two people, a program, a failure and a halt; over HTTP and by the
// command line.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { LogPage } from '../../../processes/log/log.ts';
import type { LogEntry } from '../../../processes/log/log-entries.ts';
import { run, runJson } from '../../cli/lockerflow-program.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, type Name, useConsoleOf } from '../console-world.ts';
import { type Answered, clientsOf, codeOf, type Program, patience } from './program.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const id = randomUUID().slice(0, 8);
const client = `shop-${id}`;
const flow = `Check${id}`;
const keys = {
  noted: `noted-${id}`,
  extended: `extended-${id}`,
  cancelled: `cancelled-${id}`,
  answered: `answered-${id}`,
  onlyAnswered: `only-answered-${id}`,
  untouched: `untouched-${id}`,
  halted: `halted-${id}`,
  failed: `failed-${id}`,
  started: `started-${id}`,
  late: `late-${id}`,
};
const since = new Date().toISOString();

const file = `
name: ${flow}
meaning: A desk checks what has come.
initial: waiting
states:
  waiting:
    on:
      came: asking
      paid: { guard: "\${event.data.amount > 0}", target: over }
  asking:
    invoke:
      id: whole
      src: ask
      input: { of: desk, question: Is it whole?, fields: { state: { choice: [whole, broken] } } }
      onDone: over
  over: { type: final }
`;

const asks = `${flow}Asks`;
const askingFile = file
  .replace(`name: ${flow}`, `name: ${asks}`)
  .replace('initial: waiting', 'initial: asking');

let reader: Program;
let decider: Program;
beforeAll(async () => {
  const { flows } = installation();
  await flows.publish([
    { path: 'check.flow.yaml', text: file },
    { path: 'asks.flow.yaml', text: askingFile },
  ]);
  const clients = clientsOf(server, installation);
  const scopes = ['flows:read', 'flows:decide', 'flows:start'];
  decider = await clients(client, ...scopes);
  reader = await clients(`${client}-reader`, 'flows:read');
  for (const key of [keys.noted, keys.answered, keys.untouched, keys.halted])
    await decider.post('/v1/processes', { flow, key, request: {} });
  await decider.post('/v1/processes', { flow: asks, key: keys.onlyAnswered, request: {} });
  for (const key of [keys.extended, keys.cancelled])
    await flows.start('Issue', key, { request: issueRequest });
  const deadlines = { issue: { dropOff: 'PT1S' } };
  await flows.start('Issue', keys.late, { request: issueRequest, deadlines });
  await flows.start('Issue', keys.failed, { request: { ...issueRequest, pupUid: 'pup-nowhere' } });
  for (const key of [keys.extended, keys.cancelled])
    await vi.waitUntil(async () => (await flows.handle(key).progress()).activity === 'Following', patience);
  await installation()
    .client.workflow.getHandle(keys.failed)
    .result()
    .catch(() => undefined);

  await act('bram', keys.noted, 'commands/note', { text: 'Key of locker 20 is at reception' });
  const deadline = { role: 'issue', stage: 'pickUp', fromNow: 'P3D' };
  await act('bram', keys.extended, 'commands/extend', { ...deadline, why: 'she is ill' });
  await act('olga', keys.cancelled, 'commands/cancel', { why: 'recalled' });
  await act('olga', keys.answered, 'events', { type: 'came', why: 'it is here' });
  await vi.waitUntil(
    async () => (await flows.fileHandle(keys.answered).progress()).questions?.length === 1,
    patience,
  );
  await act('olga', keys.answered, 'answers', { values: { state: 'broken' } });
  await vi.waitUntil(
    async () => (await flows.fileHandle(keys.onlyAnswered).progress()).questions?.length === 1,
    patience,
  );
  await act('bram', keys.onlyAnswered, 'answers', { values: { state: 'whole' } });
  await act('olga', '', '', { flow, key: keys.started, request: {}, why: 'asked for by phone' });
  // In nobody's name.
  await decider.post(path(keys.halted, 'events'), { type: 'paid', data: {} });
  await vi.waitUntil(
    async () => (await flows.fileHandle(keys.halted).progress()).phase === 'NeedsPerson',
    patience,
  );
  await vi.waitFor(async () => expect((await mine()).length).toBe(10), patience);
}, 240_000);

const path = (key: string, more: string) =>
  key === '' ? '/v1/processes' : `/v1/processes/${encodeURIComponent(key)}/${more}`;

async function act(who: Name, key: string, what: string, body: object): Promise<void> {
  const headers = { cookie: await server().cookieOf(who) };
  const answer = await server().post(path(key, what), body, headers);
  expect(answer.status, await answer.text()).toBeLessThan(300);
}

/** All pages: other files of tests act too. */
async function everything(wanted: Record<string, string> = {}, by = reader): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: URLSearchParams = new URLSearchParams({ since, ...wanted, ...(cursor && { cursor }) });
    const { status, body }: Answered<LogPage> = await by.get<LogPage>(`/v1/log?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.unread).toEqual([]);
    entries.push(...body.entries);
    cursor = body.next;
  }
  return entries;
}

const ours: ReadonlySet<string> = new Set(Object.values(keys));
const mine = async (wanted: Record<string, string> = {}, by = reader) =>
  (await everything(wanted, by)).filter(({ key }) => ours.has(key));

const of = (entries: readonly LogEntry[], key: string) => entries.filter((entry) => entry.key === key);

describe('the log', () => {
  test('says who did what to which process and why, what failed by itself, and notes', async () => {
    const entries = await mine();
    expect(of(entries, keys.noted)).toEqual([
      expect.objectContaining({
        kind: 'note',
        by: 'bram',
        words: 'Bram notes: Key of locker 20 is at reception.',
        flow,
        saysWho: true,
      }),
    ]);
    expect(of(entries, keys.extended)).toEqual([
      expect.objectContaining({ kind: 'command', by: 'bram', why: 'she is ill', saysWhy: false }),
    ]);
    const [cancelled] = of(entries, keys.cancelled);
    expect(cancelled).toMatchObject({ kind: 'command', by: 'olga', why: 'recalled' });
    expect(cancelled?.data).toEqual({ type: 'cancelRequested' });
    expect(of(entries, keys.answered).map(({ kind, data, by }) => ({ kind, type: data.type, by }))).toEqual([
      { kind: 'command', type: 'updated', by: 'olga' },
      { kind: 'command', type: 'signalled', by: 'olga' },
    ]);
    // Nothing else was done to it.
    expect(of(entries, keys.onlyAnswered)).toMatchObject([{ kind: 'command', by: 'bram' }]);
    expect(of(entries, keys.started)).toEqual([
      expect.objectContaining({ kind: 'command', by: 'olga', why: 'asked for by phone' }),
    ]);
    expect(of(entries, keys.failed)).toEqual([expect.objectContaining({ kind: 'failure', by: null })]);
    expect(of(entries, keys.halted)).toEqual([
      expect.objectContaining({ kind: 'failure', by: `${client} (API)`, did: ['It needs a person now.'] }),
    ]);
    expect(of(entries, keys.late)).toMatchObject([
      { kind: 'late', by: null, words: expect.stringMatching(/\S/), did: ['It is overdue now.'] },
    ]);
    // A program has started it, and nobody has done anything since.
    expect(of(entries, keys.untouched)).toEqual([]);
  });

  test('tells nobody who may only read what was answered', async () => {
    const values = async (by: Program) =>
      of(await mine({}, by), keys.answered).map(({ data }) => ('values' in data ? data.values : null));
    expect(await values(reader)).toEqual([null, null]);
    expect(await values(decider)).toEqual([{ state: 'broken' }, null]);
    const words = (by: Program) => mine({}, by).then((all) => all.map((each) => each.words).join());
    expect(await words(reader)).not.toContain('broken');
    expect(await words(decider)).toContain('broken');
  });

  test('names whom a process is about to those who may act on processes', async () => {
    const people = async (by: Program) =>
      of(await mine({}, by), keys.extended).map(({ about }) => about?.people);
    await vi.waitFor(
      async () => expect(await people(decider)).toEqual([[{ userUid: 'user-anna', name: 'Anna Jansen' }]]),
      patience,
    );
    expect(await people(reader)).toEqual([undefined]);
  });

  test('is of one person, and of a span', async () => {
    const byBram = await mine({ by: 'BRAM' });
    expect(byBram.map(({ key }) => key).sort()).toEqual([keys.extended, keys.noted, keys.onlyAnswered]);
    const all = await mine();
    const [noted] = of(all, keys.noted);
    expect(of(await mine({ until: noted?.at ?? '' }), keys.noted)).toEqual([]);
    expect(of(await mine({ since: noted?.at ?? '' }), keys.noted)).toHaveLength(1);
    const later = new Date(Date.parse(noted?.at ?? '') + 1).toISOString();
    expect(of(await mine({ since: later }), keys.noted)).toEqual([]);
  });

  test('comes page by page, of so many processes each, and none twice', async () => {
    const ids = (entries: readonly LogEntry[]) =>
      entries.map(({ runId, eventId }) => `${runId} ${eventId}`).sort();
    expect(ids(await mine({ size: '2' }))).toEqual(ids(await mine()));
    const { body } = await reader.get<LogPage>(`/v1/log?since=${since}&size=2`);
    expect(new Set(body.entries.map(({ key }) => key)).size).toBeLessThanOrEqual(2);
    expect(body.next).not.toBeNull();
    expect(codeOf(await reader.get(`/v1/log?since=${since}&cursor=bm9uZQ`))).toBe('400 InvalidRequest');
  });

  test('refuses what is no moment, what is still to come, and a span that ends before it begins', async () => {
    const refused = async (query: string) => {
      const answer = await reader.get<{ detail: string }>(`/v1/log?${query}`);
      expect(codeOf(answer), query).toBe('400 InvalidRequest');
      return answer.body.detail;
    };
    expect(await refused('')).toContain('since');
    expect(await refused('since=yesterday')).toContain('since must be an instant with its offset');
    expect(await refused('since=2026-11-27T22:00:00')).toContain('since must be an instant with its offset');
    expect(await refused('since=2999-01-01T00:00:00Z')).toContain('still to come');
    expect(await refused(`since=${since}&until=2020-01-01T00:00:00Z`)).toContain('is not before until');
    expect(await refused(`since=${since}&size=51`)).toContain('1 to 50');
  });

  test('is for nobody who may not read processes', async () => {
    const clerk = await clientsOf(server, installation)(`${client}-clerk`, 'inbox:desk', 'flows:start');
    expect(codeOf(await clerk.get(`/v1/log?since=${since}`))).toBe('403 ScopeMissing');
  });
});

test('a process says when somebody acted on it, never who', async () => {
  const attributesOf = async (key: string) => {
    const { searchAttributes } = await installation().client.workflow.getHandle(key).describe();
    return searchAttributes as Record<string, Date[] | undefined>;
  };
  for (const key of [keys.noted, keys.extended, keys.cancelled, keys.answered, keys.started]) {
    const attributes = await attributesOf(key);
    const [at] = attributes.LockerActedAt ?? [];
    expect(at && at.toISOString() >= since, key).toBe(true);
    expect(JSON.stringify(attributes)).not.toMatch(/bram|olga/i);
  }
  for (const key of [keys.untouched, keys.halted, keys.failed])
    expect((await attributesOf(key)).LockerActedAt, key).toBeUndefined();
});

describe('the command line', () => {
  const lockerflow = (...words: string[]) => run(words, { taskQueue: installation().taskQueue });

  test('lists it for people, and as JSON', async () => {
    const { code, out, err } = await lockerflow('log', '--since', since.replace(/\.\d+/, ''));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^What people did \(\d+\)\nwhen \(\S+\) +who/);
    expect(out).toMatch(
      new RegExp(`\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  olga +${keys.cancelled} .*recalled\n`),
    );
    expect(out).toMatch(new RegExp(`What failed by itself \\(\\d+\\)\n(.*\n)+.*${keys.failed}`));
    expect(out).toMatch(new RegExp(`Notes \\(\\d+\\)\n(.*\n)+.*bram +${keys.noted}`));
    const log = await runJson<{ entries: LogEntry[]; isComplete: boolean }>(
      ['log', '--since', '8h', '--by', 'olga'],
      { taskQueue: installation().taskQueue },
    );
    expect(log.isComplete).toBe(true);
    expect(new Set(log.entries.map(({ by }) => by))).toEqual(new Set(['olga']));
  });

  test('in nobody’s name it is no person: neither what it starts nor what it sends is in the log', async () => {
    const [started, own] = [`line-${id}`, `olga-line-${id}`];
    expect(await lockerflow('start', flow, '--key', started)).toMatchObject({ code: 0 });
    expect(await lockerflow('start', flow, '--key', own, '--by', 'olga')).toMatchObject({ code: 0 });
    for (const key of [started, own])
      expect(await lockerflow('event', key, 'came')).toMatchObject({ code: 0 });
    const shown = await vi.waitUntil(async () => {
      const all = await everything();
      return all.some(({ key }) => key === own) && all.filter(({ key }) => [started, own].includes(key));
    }, patience);
    expect(shown).toMatchObject([{ kind: 'command', key: own, by: 'olga' }]);
  });

  test('says so if nothing happened, and refuses what is no moment', async () => {
    const nothing = await lockerflow('log', '--since', '1min', '--by', `nobody-${id}`);
    expect(nothing).toMatchObject({ code: 0, out: expect.stringMatching(/^nothing happened since \d{4}-/) });
    expect(await lockerflow('log')).toMatchObject({ code: 2 });
    expect(await lockerflow('log', '--since', 'yesterday')).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected one like 22:00, 8h, 30min, 2026-11-27'),
    });
    expect(await lockerflow('log', '--since', '2999-01-01')).toMatchObject({ code: 2 });
    expect((await lockerflow('log', '--help')).out).toContain('lockerflow log --since 22:00');
  });
});
