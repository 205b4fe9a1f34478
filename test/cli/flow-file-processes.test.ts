// The verbs around processes of flow files: publish, start, inbox, answer, event, resolve, and those that all flows have.
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect, test, vi } from 'vitest';
import { formatMoment } from '../../cli/moments.ts';
import { LockerFlows } from '../../client/locker-flows.ts';
import { newKey } from '../client/flows-at-hand.ts';
import { textOfHistory } from '../support/history.ts';
import { temporaryFolder } from '../support/set-up-process.ts';
import { newNamespace } from '../support/temporal.ts';
import { runningFiles, uniqueName } from '../workflows/flow-files/running-files.ts';
import { Outside } from '../workflows/outside.ts';
import { commandsIn } from './lockerflow-program.ts';

// Lists and inboxes show what all files have started, page by page.
const namespace = await newNamespace();
const { run, runJson } = commandsIn(namespace);
const files = runningFiles(undefined, namespace);
const { taskQueue } = files;
const lockerflow = (...words: string[]) => run(words, { taskQueue });

const deskCheck = (name: string) => `
name: ${name}
meaning: The desk checks a device.
input: { type: object, required: [item], properties: { item: { type: string } } }
correlate: { check: "\${flow.key}" }
context: { cost: 0, parts: [] }
initial: checking
states:
  checking:
    invoke:
      src: ask
      input: { of: ${name}-desk, question: "Is \${input.item} whole?", fields: { state: { choice: [whole, broken] }, urgent: { type: yesNo, optional: true }, parts: { choice: [lid, key], many: true, optional: true }, seenOn: { type: date, default: 2026-01-05 } } }
      onDone: [ { guard: "\${event.output.state == 'broken'}", target: repairing, actions: { type: assign, params: { parts: "\${event.output.?parts.orValue([]) + [event.output.seenOn]}" } } }, { target: over } ]
  repairing:
    on:
      repaired: { target: over, actions: { type: assign, params: { cost: "\${event.data.cost}" } } }
  over: { type: final }
output: { cost: "\${context.cost}", parts: "\${context.parts}" }
`;

async function file(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'process.flow.yaml');
  await writeFile(path, text);
  return path;
}

const untilShown = (key: string, words: string) =>
  vi.waitUntil(async () => (await lockerflow('show', key)).out.includes(words), {
    timeout: 60_000,
    interval: 200,
  });

/** Gives the inbox once the process asks in it. */
const untilInbox = (inbox: string, key: string) =>
  vi.waitUntil(
    async () => {
      const { out } = await lockerflow('inbox', inbox);
      return out.includes(key) && out;
    },
    { timeout: 60_000, interval: 200 },
  );

test('a file is published, started by its name, found, answered, told an event, and watched to its result', async () => {
  const name = uniqueName('DeskCheck');
  const path = await file(deskCheck(name));
  expect((await lockerflow('publish', path)).out).toBe(`${name}@1 is published\n`);
  expect((await lockerflow('publish', dirname(path))).out).toBe(`${name}@1 has this content already\n`);
  expect((await lockerflow('flows')).out).toMatch(new RegExp(`^${name}@1 +The desk checks a device\\.`, 'm'));
  expect((await lockerflow('flows', name, '--chart', 'svg')).out).toContain('repairing');
  const key = newKey();
  const started = await lockerflow('start', name, '--key', key, '--set', 'request.item=laptop-7');
  expect(started).toMatchObject({ code: 0, out: expect.stringContaining(`lockerflow watch ${key}`) });
  const inbox = await untilInbox(`${name}-desk`, key);
  expect(inbox).toContain('Is laptop-7 whole?');
  expect(inbox).toContain(
    'state=whole|broken, urgent=yes|no (optional), parts=lid|key,… (optional), seenOn=YYYY-MM-DD (2026-01-05 unless given)',
  );
  expect((await lockerflow('list', '--flow', name)).out).toContain(key);
  expect((await lockerflow('list', '--open')).out).toContain(key);
  const wrong = await lockerflow('answer', key, 'state=lost', '--by', 'anna');
  expect(wrong).toMatchObject({
    code: 2,
    err: expect.stringContaining('state must be one of whole, broken'),
  });
  const perhaps = await lockerflow('answer', key, 'state=broken', 'urgent=perhaps', '--by', 'anna');
  expect(perhaps.err).toContain('urgent must be yes or no');
  expect(
    (await lockerflow('answer', key, 'state=broken', 'urgent=Yes', 'parts=lid,key', '--by', 'anna')).code,
  ).toBe(0);
  expect((await lockerflow('show', key)).out).toContain('in: repairing');
  expect((await lockerflow('answer', key, 'state=broken', '--by', 'anna')).err).toContain('asks nothing now');
  const repaired = ['repaired', '--data', '{"cost": 12}'];
  expect(await lockerflow('event', ...repaired, '--where', 'device')).toMatchObject({ code: 2 });
  expect(await lockerflow('event', key, ...repaired, '--where', `check=${key}`)).toMatchObject({ code: 2 });
  expect(await lockerflow('event', key)).toMatchObject({ code: 2 });
  for (const kept of [['--keep-for', 'PT1H'], ['--keep-anyway']])
    expect(await lockerflow('event', 'repaired', ...kept)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${kept[0]} needs --where`),
    });
  expect((await lockerflow('show', key)).out).toContain(`found by: check=${key}`);
  expect(await lockerflow('event', 'repaird', '--where', `check=${key}`)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/no flow with the key check takes repaird; .*--keep-anyway keeps it/),
  });
  expect(
    await lockerflow('event', 'repaird', '--where', `check=${key}`, '--id', 'scan-1', '--keep-anyway'),
  ).toMatchObject({ code: 0 });
  expect(await lockerflow('event', key, 'repaired', '--keep-anyway')).toMatchObject({ code: 2 });
  await expect
    .poll(() => lockerflow('events', 'list', '--where', `check=${key}`), { timeout: 30_000 })
    .toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`repaird +check=${key} +scan-1 .*waits until .* nobody`)),
    });
  const said = ['--by', 'anna', '--why', 'the workshop says so'];
  expect(await lockerflow('event', ...repaired, '--where', `check=${key}`, ...said)).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^repaired is sent; published flows that listen for it: .*; processes that listened just before: 1\n$/,
    ),
  });
  const watched = await lockerflow('watch', key);
  expect(await textOfHistory(files.client.workflow.getHandle(key))).toContain('the workshop says so');
  expect(watched).toMatchObject({ code: 0, out: expect.stringContaining('Ended') });
  expect((await lockerflow('show', key)).out).toContain(
    'result: {"cost":12,"parts":["lid","key","2026-01-05"]}',
  );
  expect((await lockerflow('show', key)).out).toMatch(
    /^data.*\ncost +12\nparts +\["lid","key","2026-01-05"\]\n/m,
  );
});

test('inbox finds a question of a process that asks more people than its search attribute can name', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const name = uniqueName('AsksMany');
  // 2,400 bytes of names; the attribute has room for 1,900.
  const desks = Array.from({ length: 40 }, (_, index) => `${name}-${'x'.repeat(40)}-${index}`).sort();
  const asked = desks.map(
    (of, index) =>
      `{ id: q${index}, src: ask, input: { of: ${of}, question: "Number ${index}?", within: P1D } }`,
  );
  const path = await file(
    `name: ${name}\nmeaning: Asks many.\ninitial: asking\nstates:\n  asking: { invoke: [${asked.join(', ')}] }\n`,
  );
  await lockerflow('publish', path);
  const key = newKey();
  await lockerflow('start', name, '--key', key);
  for (const [index, of] of [desks.at(0), desks.at(-1)].entries()) {
    const found = await untilInbox(of ?? '', key);
    expect(found).toContain(`Number ${index === 0 ? 0 : desks.length - 1}?`);
    expect(found.trim().split('\n')).toHaveLength(2);
  }
  await lockerflow('cancel', key, '--yes');
  // It has ended for itself a moment before Temporal closes it.
  await untilShown(key, '\n  cancelled\n');
});

test('what was published is taken back by the number of its version, without the file', async () => {
  const name = uniqueName('DeskCheck');
  await lockerflow('publish', await file(deskCheck(name)));
  await lockerflow('publish', await file(deskCheck(name).replace('checks a device', 'checks a thing')));
  const again = `${name}@1 is the current version again, instead of ${name}@2: new processes begin on it\n`;
  expect((await lockerflow('publish', name, '--version', '1')).out).toBe(again);
  expect((await lockerflow('flows')).out).toMatch(new RegExp(`^${name}@1 +`, 'm'));
  expect(await lockerflow('publish', name, '--version', '9')).toMatchObject({
    code: 3,
    err: expect.stringContaining(`${name} has no version 9, expected one of 1, 2`),
  });
  expect(await lockerflow('publish', 'desk.flow.yaml', '--version', '1')).toMatchObject({ code: 2 });
});

test('the shared calendars of its folder are found however the path is written', async () => {
  const path = await file(
    deskCheck(uniqueName('DeskCheck')).replace('initial:', 'calendars: { desk: library }\ninitial:'),
  );
  await writeFile(join(dirname(path), 'calendars.yaml'), 'library: { zone: Europe/Amsterdam }\n');
  const typed = `./${relative(process.cwd(), path)}`;
  expect(await lockerflow('publish', typed)).toMatchObject({ code: 0, err: '' });
});

test('all errors of a file are reported before anything is published', async () => {
  const path = await file(
    'name: Issue\nmeaning: Is wrong.\ninitial: over\nstate: {}\nstates: { over: { type: finale } }\n',
  );
  const { code, err } = await lockerflow('publish', path);
  expect(code).toBe(2);
  expect(err).toContain('ValueWrong');
  expect(err).toContain('FieldUnknown');
});

test('a search says which of its names nothing has, beside what it has found', async () => {
  const name = uniqueName('DeskLoan');
  await lockerflow('publish', await file(deskCheck(name)));
  const misspelt = name.replace('L', 'l');
  const noFlow = `there is no flow ${misspelt}; did you mean ${name}?`;
  for (const by of [
    ['--flow', misspelt, 'Issue'],
    ['--definition', `${misspelt}@1`],
  ]) {
    const listed = await lockerflow('list', ...by);
    expect(listed).toEqual({ code: 0, out: 'no flows found\n', err: `lockerflow: ${noFlow}\n` });
  }
  const key = newKey();
  await lockerflow('start', name, '--key', key, '--set', 'request.item=laptop-7');
  await untilInbox(`${name}-desk`, key);
  const both = await lockerflow('list', '--flow', name, misspelt);
  expect(both).toMatchObject({ out: expect.stringContaining(key), err: expect.stringContaining(noFlow) });
  const cancelled = await lockerflow('cancel', '--flow', misspelt, '--dry-run');
  expect(cancelled.err).toContain(noFlow);
  const chek = await lockerflow('list', '--where', `chek=${key}`);
  expect(chek.err).toContain('no published flow has the key chek in correlate; expected check, perhaps');
  for (const by of [
    ['--flow', name, '--closed'],
    ['--flow', 'Stock'],
    ['--where', 'check=nothing'],
  ])
    expect(await lockerflow('list', ...by)).toEqual({ code: 0, out: 'no flows found\n', err: '' });
});

test('an unpublished name, and an input that the file does not take, start nothing', async () => {
  const name = uniqueName('DeskCheck');
  await lockerflow('publish', await file(deskCheck(name)));
  const unknown = await lockerflow('start', `${name}x`, '--key', newKey());
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining(`did you mean ${name}?`) });
  const key = newKey();
  const wrong = await lockerflow('start', name, '--key', key, '--set', 'request.thing=7');
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('request.item') });
  expect((await lockerflow('show', key)).code).toBe(3);
});

test('an event of a flow that the process has started is not sent, and a forged one is dropped and shown', {
  tags: 'long',
}, async () => {
  const [name, child] = [uniqueName('Parent'), uniqueName('DeskCheck')];
  await lockerflow('publish', await file(deskCheck(child)));
  const parent = `{ name: ${name}, meaning: It waits for a check., initial: a, states: { a: { invoke: { id: check, src: ${child}, input: { request: { item: x } } }, on: { check.needsPerson: b, enough: b } }, b: { type: final } } }`;
  await lockerflow('publish', await file(parent));
  const key = newKey();
  await lockerflow('start', name, '--key', key);
  // The child is named for itself: what it tells is no event from outside.
  await untilShown(key, 'waiting for: events: enough\n');
  expect(await lockerflow('event', key, 'check.needsPerson')).toMatchObject({
    code: 2,
    err: expect.stringContaining('check.needsPerson comes only from what the process has started'),
  });
  await files.client.workflow.getHandle(key).signal('event', { type: 'check.needsPerson' });
  expect((await lockerflow('show', key)).out).toContain('1 message was dropped: ');
  // It would be lost whenever it came.
  expect(await lockerflow('event', key, 'enoug')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/no state of \S+ takes "enoug": expected enough/),
  });
  expect((await lockerflow('event', key, 'cancelRequested')).err).toContain('is sent by the command cancel');
  expect((await lockerflow('event', key, 'enough')).code).toBe(0);
  expect((await lockerflow('watch', key)).out).toContain('Ended');
});

test('an event that is sent again with its id is called a repetition, by the command and in the timeline', async () => {
  const name = uniqueName('Counting');
  const counting = `
name: ${name}
meaning: Hears once.
initial: waiting
states:
  waiting: { on: { counted: heard } }
  heard: { on: { enough: over } }
  over: { type: final }
`;
  await lockerflow('publish', await file(counting));
  const key = newKey();
  await lockerflow('start', name, '--key', key);
  await untilShown(key, 'in: waiting');
  const sent = ['event', key, 'counted', '--id', 'count-7'];
  expect((await lockerflow(...sent)).out).toBe(`${key} was sent counted\n`);
  expect((await lockerflow(...sent)).out).toBe(
    `${key} was sent counted before with the id count-7: it takes effect once\n`,
  );
  expect(await runJson([...sent], { taskQueue })).toMatchObject({ isRepeated: true });
  const { out } = await lockerflow('show', key);
  expect(out).toMatch(/ tells it: “counted”\.$/m);
  expect(out).toContain(' tells it: “counted”, again with the same id: it takes effect once.');
  expect((await lockerflow('event', key, 'enough', '--id', 'count-8')).out).toBe(`${key} was sent enough\n`);
});

test('a step that cannot be taken is shown, and the event is dropped by a person', async () => {
  const name = uniqueName('DeskCheck');
  await lockerflow('publish', await file(deskCheck(name)));
  const key = newKey();
  await lockerflow('start', name, '--key', key, '--set', 'request.item=laptop-7');
  await expect
    .poll(() => lockerflow('event', key, 'repaired', '--data', '{}'), { timeout: 30_000 })
    .toMatchObject({ code: 0, out: expect.stringContaining('which it does not take where it is') });
  await vi.waitUntil(
    async () => (await lockerflow('answer', key, 'state=broken', '--by', 'anna')).code === 0,
    {
      timeout: 30_000,
      interval: 200,
    },
  );
  expect((await lockerflow('event', key, 'repaired', '--data', '{}')).out).toBe(`${key} was sent repaired\n`);
  await untilShown(key, 'stands still');
  await expect
    .poll(async () => (await lockerflow('list', '--phase', 'NeedsPerson')).out, { interval: 200 })
    .toContain(key);
  // The repair, as it is typed.
  expect((await lockerflow('show', key)).out).toContain(`npx lockerflow migrate --key ${key} --apply --by`);
  expect((await lockerflow('inbox')).out).toMatch(/needs? (a decision|decisions): lockerflow inbox --all/);
  const nothing = await lockerflow(
    'migrate',
    name,
    ...['--halted', '--apply', '--by', 'anna', '--why', 'it fails'],
  );
  expect(nothing.code).toBe(1);
  expect(nothing.err).toContain(
    `1 of ${name} stand still on version 1 itself: correct the file and publish it`,
  );
  const next = await lockerflow('publish', await file(deskCheck(name).replace('broken', 'damaged')));
  expect(next.out).toContain(`${name}@2 is published\n  open processes stay where they are: 1 on ${name}@1;`);
  const dropped = await lockerflow('drop-event', key, '--by', 'anna', '--why', 'it had no cost');
  expect(dropped).toMatchObject({ code: 0, out: `${key}: it goes on without that event\n` });
  await lockerflow('event', key, 'repaired', '--data', '{"cost": 3}');
  expect(await runJson<{ progress: { output: unknown } }>(['show', key], { taskQueue })).toMatchObject({
    progress: { activity: 'Ended', output: { cost: 3 } },
  });
});

test('a process that has failed at its start, or was cancelled without a handler, has ended for whoever shows or watches it', {
  tags: 'long',
}, async () => {
  const name = uniqueName('Waiting');
  const path = await file(`
name: ${name}
meaning: Waits.
input: { type: object, properties: { text: { type: string } } }
context: { length: "\${size(input.text)}" }
initial: waiting
states:
  waiting: { after: { P2D: over }, on: { go: over } }
  over: { type: final }
output: { outcome: returned }
`);
  await lockerflow('publish', path);
  const start = async (...more: string[]) => {
    const key = newKey();
    await lockerflow('start', name, '--key', key, ...more);
    return key;
  };
  const failed = await start();
  const cancelled = await start('--set', 'request.text=a');
  await files.client.workflow.getHandle(cancelled).query('progress');
  await files.client.workflow.getHandle(cancelled).cancel();
  for (const key of [failed, cancelled]) {
    expect(await lockerflow('watch', key)).toMatchObject({ code: 5 });
    const shown = await lockerflow('show', key);
    expect(shown.out).toContain(': Ended');
    expect(shown.out.split('happened')[0]).not.toMatch(/waiting for|Running|Open/);
  }
  // The result of a flow file may have a field of the name that those of built-in flows have.
  const ended = await start('--set', 'request.text=a');
  await files.client.workflow.getHandle(ended).signal('event', { type: 'go' });
  expect(await lockerflow('watch', ended)).toMatchObject({ code: 0 });
});

test('a failure whose message begins with its code is shown with the code once', async () => {
  const name = uniqueName('Failing');
  const fail = '{ type: fail, params: { code: InvalidInput, message: "InvalidInput: there is no item" } }';
  const path = await file(
    `{ name: ${name}, meaning: It fails., initial: a, states: { a: { type: final, entry: ${fail} } } }`,
  );
  await lockerflow('publish', path);
  const key = newKey();
  await lockerflow('start', name, '--key', key, '--wait');
  const { out } = await lockerflow('show', key);
  expect(out).toContain('  failed: InvalidInput: there is no item\n');
  expect(out).not.toContain('InvalidInput: InvalidInput');
});

test('a process whose first step never ends is shown on its version, and why it failed has no empty place', async () => {
  const name = uniqueName('Looping');
  const path = await file(
    `{ name: ${name}, meaning: It goes around., initial: a, states: { a: { always: b }, b: { always: a } } }`,
  );
  expect((await lockerflow('lint', path)).out).toContain('AlwaysInCircle');
  await lockerflow('publish', path);
  const key = newKey();
  await lockerflow('start', name, '--key', key, '--wait');
  const { out } = await lockerflow('show', key);
  expect(out).toContain(`${name}@1: Ended\n`);
  expect(out).toContain('  failed: TooManySteps: one event leads to more than 200 steps; ');
  expect(out).toContain('It fails: one event leads to more than 200 steps');
});

test('the output of a process that has handled its cancellation is not lost', { tags: 'long' }, async () => {
  const name = uniqueName('Counting');
  const path = await file(`
name: ${name}
meaning: Tells at its cancellation how far it came.
context: { count: 3 }
initial: counting
states:
  counting: { on: { cancelRequested: over } }
  over: { type: final }
output: { count: "\${context.count}" }
`);
  await lockerflow('publish', path);
  const key = newKey();
  await lockerflow('start', name, '--key', key);
  const handle = new LockerFlows(files.client, { taskQueue }).fileHandle(key);
  await vi.waitUntil(async () => (await handle.progress()).version === 1, { timeout: 30_000, interval: 100 });
  await handle.cancel();
  await expect(handle.result()).rejects.toMatchObject({ name: 'FlowCancelled', output: { count: 3 } });
});

test('a deadline of a flow that a process has started is extended by the key of the process', {
  tags: 'long',
}, async () => {
  const name = uniqueName('Lending');
  const path = await file(`
name: ${name}
meaning: Lends a device.
initial: lent
states:
  lent: { invoke: { id: loan, src: Issue, input: { request: { toUserUid: user-anna, pupUid: pup-central, allowLargerLockers: true, allowOverflowLockers: false, dimension: { height: 1, width: 1, length: 1 } } }, onDone: over, onError: over } }
  over: { type: final }
`);
  expect(await lockerflow('publish', path)).toMatchObject({ code: 0 });
  const key = newKey();
  files.attend(`${key}/loan`, new Outside());
  await lockerflow('start', name, '--key', key);
  const loan = new LockerFlows(files.client, { taskQueue }).handle<'Issue'>(`${key}/loan`);
  await vi.waitUntil(async () => (await loan.progress().catch(() => null))?.activity === 'Following', {
    timeout: 30_000,
    interval: 100,
  });
  const extended = await lockerflow(
    'extend',
    key,
    '--deadline',
    'issue.pickUp',
    '--from-now',
    'P9D',
    ...reason,
  );
  expect(extended).toMatchObject({ code: 0 });
  expect((await loan.progress()).deadlines).toMatchObject([{ role: 'issue', stage: 'pickUp' }]);
  // Of many, among which are both, it is moved once, as the dry run says.
  const [before] = (await loan.progress()).deadlines;
  const query = `WorkflowId IN ('${key}', '${key}/loan')`;
  const both = ['extend', '--query', query, '--deadline', 'issue.pickUp', '--extend-by', 'P1D', ...reason];
  const untilFound = async (words: string[]) =>
    await vi.waitUntil(
      async () => {
        const { out } = await lockerflow(...words, '--dry-run');
        return out.includes('2 flows') && out;
      },
      { timeout: 30_000, interval: 200 },
    );
  expect(await untilFound(both)).toContain(`${key}: done with ${key}/loan\n`);
  expect((await lockerflow(...both, '--yes')).out).toContain(`${key}: done with ${key}/loan\n`);
  const [after] = (await loan.progress()).deadlines;
  expect(Date.parse(after?.until ?? '') - Date.parse(before?.until ?? '')).toBe(86_400_000);
});

const reason = ['--by', 'anna', '--why', 'it is late'];

test("a wait of the flow file's own is extended, until a time or from now", async () => {
  const name = uniqueName('Waiting');
  const path = await file(`
name: ${name}
meaning: Waits for two days.
initial: waiting
states:
  waiting: { after: { P2D: over } }
  over: { type: final }
`);
  await lockerflow('publish', path);
  const key = newKey();
  await lockerflow('start', name, '--key', key);
  const handle = new LockerFlows(files.client, { taskQueue }).fileHandle(key);
  const waits = async () => (await handle.progress()).waitingFor.find(({ kind }) => kind === 'time');
  const { id = '', until } = await vi.waitUntil(() => waits().catch(() => undefined), {
    timeout: 30_000,
    interval: 100,
  });
  const later = ['extend', key, '--timer', id, '--until', '2101-05-01T12:00:00Z', ...reason];
  expect((await lockerflow(...later, '--dry-run')).out).toContain(
    `→ ${formatMoment('2101-05-01T12:00:00Z')}`,
  );
  expect((await waits())?.until).toBe(until);
  expect(JSON.parse((await lockerflow(...later, '--json')).out)).toMatchObject({
    result: { timer: id, role: null, until: '2101-05-01T12:00:00.000Z' },
  });
  expect((await waits())?.until).toBe('2101-05-01T12:00:00.000Z');
  expect((await lockerflow('show', key)).out).toContain(
    `Its time is extended: ${until} → 2101-05-01T12:00:00`,
  );

  const wrong = await lockerflow('extend', key, '--timer', 'lunch', '--from-now', 'P1D', ...reason);
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('timer is "lunch", expected P2D') });
  const both = ['--timer', id, '--deadline', 'issue.pickUp', '--from-now', 'P1D', ...reason];
  expect(await lockerflow('extend', key, ...both)).toMatchObject({ code: 2 });
  expect(await lockerflow('extend', key, '--from-now', 'P1D', ...reason)).toMatchObject({ code: 2 });
  await handle.cancel();
});

test('the preview of a cancellation names the operation that it calls', async () => {
  const name = uniqueName('Cleanup');
  const states = `{ open: { on: { cancelRequested: undoing }, after: { P9D: over } }, undoing: { invoke: { src: CancelShipment, input: { shipmentUid: uid-1 }, onDone: over, onError: over } }, over: { type: final } }`;
  await lockerflow(
    'publish',
    await file(`{ name: ${name}, meaning: Cancels a shipment., initial: open, states: ${states} }`),
  );
  const key = newKey();
  await lockerflow('start', name, '--key', key);
  await untilShown(key, 'in: open');
  const { out } = await lockerflow('cancel', key, '--dry-run');
  expect(out).toContain('it calls CancelShipment');
  await files.client.workflow.getHandle(key).terminate();
});
