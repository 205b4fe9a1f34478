// Words that people leave on a process for whoever looks at it next: over HTTP and by the command line, for a built-in flow and a
// flow file; told by the process, its timeline, and its row of the list.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Actions } from '../../../contract/flows/actions.ts';
import type { LogPage } from '../../../processes/log/log.ts';
import type { CaseHistory } from '../../../processes/views/case-history.ts';
import type { ProcessPage } from '../../../processes/views/process-list.ts';
import { run, runJson } from '../../cli/lockerflow-program.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { hostileMarkdown, hostileTexts } from '../../support/hostile-texts.ts';
import { issueRequest, newConsoleOf, useConsoleOf } from '../console-world.ts';
import { clientsOf, type Program, programOf } from './program.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const client = `shop-${randomUUID().slice(0, 8)}`;
const flow = `Keep${randomUUID().slice(0, 8)}`;
const loan = `loan-${randomUUID()}`;
const parcel = `parcel-${randomUUID()}`;
const again = `again-${randomUUID()}`;
const keys = { 'a built-in flow': loan, 'a flow file': parcel };
const text = 'Charger is missing, ask her when she comes.';
const patience = { timeout: 60_000, interval: 50 };

let shop: Program;
let reader: Program;
beforeAll(async () => {
  const { flows } = installation();
  const file = JSON.stringify({
    name: flow,
    meaning: 'Keeps a parcel until it is fetched.',
    initial: 'kept',
    states: { kept: { on: { fetched: 'over' } }, over: { type: 'final' } },
  });
  await flows.publish([{ path: 'keep.flow.yaml', text: file }]);
  const handle = await flows.startPublished(flow, parcel, {});
  await vi.waitUntil(async () => (await handle.progress()).version > 0, patience);
  await flows.start('Issue', loan, { request: issueRequest });
  const clients = clientsOf(server, installation);
  shop = await clients(client, 'flows:read', 'flows:decide');
  reader = await clients(`${client}-reader`, 'flows:read');
});

const path = (key: string, more = '') => `/v1/processes/${encodeURIComponent(key)}${more}`;
const notes = (key: string, body: unknown, by = shop, headers = {}) =>
  by.post<{ code?: string; words?: string; isDone?: boolean }>(path(key, '/commands/note'), body, headers);
const told = async (key: string) => {
  type Shown = { progress: { note?: object } | null; actions: Actions };
  const { body } = await vi.waitUntil(async () => {
    const shown = await reader.get<Shown>(path(key));
    return shown.body.progress !== null && shown;
  }, patience);
  return body;
};
const happened = async (key: string) => (await reader.get<CaseHistory>(path(key, '/history'))).body.happened;

test.each(Object.entries(keys))(
  '%s keeps the note of a person, and its timeline and the list tell it',
  async (_, key) => {
    const { actions } = await told(key);
    expect(actions.actions).toContainEqual(expect.objectContaining({ command: 'note', isPossible: true }));
    const preview = await shop.post(path(key, '/commands/note?dryRun=true'), { text });
    expect(preview.body).toMatchObject({
      isDone: false,
      refusal: null,
      words: expect.stringContaining('kept'),
    });
    expect((await told(key)).progress).not.toHaveProperty('note');

    const headers = { 'x-on-behalf-of': 'mila' };
    const done = await notes(key, { text: ` ${text} `, why: 'she called' }, shop, headers);
    expect(done).toMatchObject({ status: 200, body: { isDone: true, words: 'the note is kept' } });
    const note = { text, by: `${client} (API)`, onBehalfOf: 'mila', at: expect.any(String) };
    expect((await told(key)).progress).toMatchObject({ note });
    const row = (await happened(key)).find(({ words }) => words.includes(text));
    expect(row).toMatchObject({
      words: `Mila by ${client} (API) notes: ${text}`,
      by: null,
      why: 'she called',
      isByPeople: true,
      isBad: false,
    });
    const listed = await vi.waitUntil(async () => {
      const { body } = await reader.get<ProcessPage>(`/v1/processes?find=${key}`);
      return body.items[0]?.summary?.note && body.items[0];
    }, patience);
    expect(listed.summary?.note).toEqual(note);
  },
);

test.each(Object.entries(keys))('%s takes from nobody what cannot be a note', async (_, key) => {
  for (const wrong of [{}, { text: '  ' }, { text: 'x'.repeat(501) }, { text: 7 }, { text, more: 1 }])
    expect(await notes(key, wrong), JSON.stringify(wrong)).toMatchObject({ status: 400 });
  expect(await notes(key, { text }, reader)).toMatchObject({ status: 403 });
  expect(await notes(`${key}-another`, { text })).toMatchObject({ status: 404 });
});

test('the command line leaves one too, for one process at a time, and names who', async () => {
  const { taskQueue } = installation();
  const lockerflow = (...words: string[]) => run(words, { taskQueue });
  for (const key of Object.values(keys)) {
    const words = ['note', key, '--text', 'Key of locker 20 is at reception', '--by', 'noor'];
    expect(await lockerflow(...words)).toMatchObject({ code: 0, out: `${key}: the note is kept\n` });
    const { out } = await lockerflow('show', key);
    expect(out).toContain('Noor notes: Key of locker 20 is at reception.');
    expect(out).toMatch(/note: Key of locker 20 is at reception \(noor, \d{4}-.*\)/);
    const { progress } = await runJson<{ progress: object }>(['show', key], { taskQueue });
    expect(progress).toMatchObject({ note: { text: 'Key of locker 20 is at reception', by: 'noor' } });
  }
  expect(await lockerflow('note', loan, '--text', text)).toMatchObject({ code: 2 });
  expect(await lockerflow('note', loan, '--by', 'noor')).toMatchObject({ code: 2 });
  expect(await lockerflow('note', '--all', '--text', text, '--by', 'noor')).toMatchObject({ code: 2 });
  const { out: help } = await lockerflow('note', '--help');
  expect(help).toContain(
    'lockerflow note order-1042 --text "Charger is missing, ask her when she comes" --by anna',
  );
});

test('whatever people type stays what they have typed, and is obeyed by no terminal', async () => {
  for (const typed of [...hostileTexts, ...hostileMarkdown].map((each) => each.toWellFormed())) {
    const kept = typed.trim();
    expect(await notes(parcel, { text: typed }), typed).toMatchObject({ status: 200 });
    expect((await told(parcel)).progress).toMatchObject({ note: { text: kept } });
  }
  const words = (await happened(parcel)).map((row) => row.words).join('\n');
  for (const typed of hostileMarkdown) expect(words).toContain(typed.trim());
  const { out } = await run(['show', parcel], { taskQueue: installation().taskQueue });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal obeys.
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
});

test('the whole of the longest is told', async () => {
  const longest = `${'long '.repeat(99)}note.`;
  expect(longest).toHaveLength(500);
  await notes(loan, { text: longest });
  expect((await happened(loan)).at(-1)?.words).toContain(longest);
});

const listedNote = async (key: string, by = reader) => {
  const { body } = await by.get<ProcessPage>(`/v1/processes?state=all&find=${key}`);
  return body.items[0]?.note ?? null;
};
const logged = async (key: string, by: string) => {
  const since = new Date(Date.now() - 600_000).toISOString();
  const { body } = await reader.get<LogPage>(`/v1/log?${new URLSearchParams({ since, by })}`);
  return body.entries.filter((entry) => entry.key === key);
};

test('a case that has ended takes a note by the page, the API and the command line alike; it is no case itself', async () => {
  const late = 'Laptop came back scratched';
  const { flows, client: temporal, taskQueue } = installation();
  await notes(parcel, { text: 'before its end' });
  expect(await listedNote(parcel)).toMatchObject({ text: 'before its end' });
  await shop.post(path(parcel, '/events'), { type: 'fetched' });
  await flows.fileHandle(parcel).result();

  const preview = await shop.post(path(parcel, '/commands/note?dryRun=true'), { text: late });
  expect(preview.body).toMatchObject({ isDone: false, refusal: null });
  const headers = { 'x-on-behalf-of': 'mila', 'idempotency-key': randomUUID() };
  expect(await notes(parcel, { text: ` ${late} `, why: 'she called' }, shop, headers)).toMatchObject({
    status: 200,
    body: { isDone: true, words: 'the note is kept' },
  });
  // By a console that knows nothing of the first.
  await using other = await newConsoleOf(installation());
  const elsewhere = programOf(other.address, shop.token);
  await notes(parcel, { text: ` ${late} `, why: 'she called' }, elsewhere, headers);
  expect((await happened(parcel)).filter(({ words }) => words.includes(late))).toEqual([
    expect.objectContaining({
      words: `Mila by ${client} (API) notes: ${late}.`,
      why: 'she called',
      isNote: true,
      isByPeople: true,
    }),
  ]);
  expect(await listedNote(parcel)).toEqual({
    text: late,
    by: `${client} (API)`,
    onBehalfOf: 'mila',
    at: expect.any(String),
  });

  const words = ['note', parcel, '--text', 'It came back scratched', '--by', 'noor'];
  expect(await run(words, { taskQueue })).toMatchObject({ code: 0, out: `${parcel}: the note is kept\n` });
  expect((await run(['show', parcel], { taskQueue })).out).toContain('Noor notes: It came back scratched.');
  expect((await run(['log', '--since', '1h'], { taskQueue })).out).toContain('It came back scratched');
  await expect
    .poll(() => listedNote(parcel), patience)
    .toMatchObject({ text: 'It came back scratched', by: 'noor' });
  expect(await logged(parcel, 'noor')).toContainEqual(
    expect.objectContaining({ kind: 'note', flow, words: 'Noor notes: It came back scratched.' }),
  );

  const { body: found } = await reader.get<ProcessPage>(`/v1/processes?state=all&find=${parcel}`);
  expect(found.count).toBe(1);
  const kept = temporal.workflow.list({
    query: `WorkflowType = 'NoteAfterEnd' AND TaskQueue = '${taskQueue}'`,
  });
  for await (const { workflowId, status } of kept) {
    expect(status.name).toMatch(/COMPLETED|RUNNING/);
    const listed = await reader.get<ProcessPage>(
      `/v1/processes?state=all&find=${encodeURIComponent(workflowId)}`,
    );
    expect(listed.body.items).toEqual([]);
    expect(await notes(workflowId, { text })).toMatchObject({ status: 404 });
  }
});

test('who may only look, and what cannot be a note, is refused for a case that has ended, too', async () => {
  expect(await notes(parcel, { text }, reader)).toMatchObject({ status: 403 });
  expect(await notes(parcel, { text: '  ' })).toMatchObject({ status: 400 });
  expect(await notes(`no-${randomUUID()}`, { text })).toMatchObject({ status: 404 });
});

test('a note is of the run on which it was left: a case that is started again begins without it', async () => {
  const { flows } = installation();
  const request = { request: issueRequest };
  const handle = await flows.start('Issue', again, request);
  await vi.waitUntil(async () => Object.keys((await handle.progress()).shipments).length > 0, patience);
  await handle.cancel();
  await handle.result().catch(() => undefined);
  await notes(again, { text: 'of the first' });
  await expect.poll(() => listedNote(again), patience).toMatchObject({ text: 'of the first' });
  await flows.start('Issue', again, request);
  await notes(again, { text: 'of the second' });
  const words = (await happened(again)).map((row) => row.words).join(' ');
  expect(words).toContain('of the second');
  expect(words).not.toContain('of the first');
});
