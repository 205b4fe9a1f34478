// What a changed flow file would have decided on what really happened: processes run on a real Temporal, then their histories
// are played through other versions of their file.
import { expect, test } from 'vitest';
import type { FlowFile } from '../../../flow-files/flow-file.ts';
import { backtest } from '../../../flow-files/playing/backtest.ts';
import { parsedText } from '../../../flow-files/reading/yaml.ts';
import { historiesOf, recordedProcess } from '../../../processes/views/backtest/recorded-process.ts';
import { isLongSuite } from '../../support/suite.ts';
import { runningFiles, runningFilesOfShortRuns, uniqueName, untilProgress } from './running-files.ts';

const files = runningFiles();

const recordedOf = async (key: string, { client } = files) =>
  recordedProcess(client, await historiesOf(client, key));

const parsed = (text: string): FlowFile => parsedText(text).data as unknown as FlowFile;

/** A repair: it is reminded of after some time, an estimate comes from outside, the desk decides, and the price is noted. */
const repair = (name: string, { limit = 100, reminder = 'PT2S' } = {}) => `
name: ${name}
meaning: A device is repaired if that is cheap enough.
input: { type: object, required: [item], properties: { item: { type: string } } }
context: { price: 0 }
initial: waiting
states:
  waiting:
    after: { ${reminder}: { actions: { type: emit, params: { type: repair.long, data: { item: "\${input.item}" } } } } }
    on:
      estimate:
        - { guard: "\${event.data.price > ${limit}}", target: asked, actions: { type: assign, params: { price: "\${event.data.price}" } } }
        - { target: noted, actions: { type: assign, params: { price: "\${event.data.price}" } } }
  asked:
    invoke:
      id: decision
      src: ask
      input: { of: desk, question: "Repair \${input.item}?", fields: { repair: { type: yesNo } } }
      onDone: [ { guard: "\${event.output.repair}", target: noted }, { target: over } ]
  noted:
    invoke: { id: note, src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: over, onError: over }
  over: { type: final }
output: { price: "\${context.price}" }
`;

interface Repaired {
  readonly key: string;
  readonly price: number;
  readonly isSlow: boolean;
}

async function repaired(name: string, price: number, isSlow: boolean): Promise<Repaired> {
  const handle = await files.start(name, { request: { item: `device-${price}` } });
  if (isSlow) await untilProgress(handle, ({ state, timers }) => state === 'waiting' && timers.length === 0);
  await handle.signal('event', { type: 'estimate', id: 'e', data: { price } });
  if (price > 100) {
    await untilProgress(handle, (progress) => progress.questions.length > 0);
    await handle.executeUpdate('answer', { args: [{ values: { repair: price % 2 === 0 }, by: 'anna' }] });
  }
  await handle.result();
  return { key: handle.workflowId, price, isSlow };
}

test('a process is the same on its own file, and decides otherwise where another guard concerns it', async () => {
  const name = uniqueName('Repair');
  await files.publish(repair(name));
  const recorded = await Promise.all(
    [60, 90, 110].map(async (price) => recordedOf((await repaired(name, price, false)).key)),
  );
  const verdictsOn = (text: string) => recorded.map((each) => backtest(each, parsed(text)).verdict);
  expect(verdictsOn(repair(name))).toEqual(['same', 'same', 'same']);
  expect(verdictsOn(repair(name, { limit: 80 }))).toEqual(['same', 'decidesOtherwise', 'same']);
});

test('a process that was migrated cannot be played on one version, and says so', async () => {
  const name = uniqueName('Repair');
  await files.publish(repair(name));
  const handle = await files.start(name, { request: { item: 'device-1' } });
  await untilProgress(handle, ({ state }) => state === 'waiting');
  const to = {
    file: parsed(repair(name, { limit: 10 })),
    version: 2,
    publishedAt: '2026-01-05T09:00:00.000Z',
  };
  await handle.executeUpdate('migrate', { args: [{ semantics: 1, to, by: 'anna', why: 'a test' }] });
  await handle.signal('event', { type: 'estimate', data: { price: 50 } });
  await untilProgress(handle, ({ questions }) => questions.length > 0);
  await expect(recordedOf(handle.workflowId)).rejects.toThrow('it was migrated while it ran');
  await handle.terminate();
});

const child = (name: string) => `
name: ${name}
meaning: A part of the work.
initial: working
states:
  working: { on: { finished: { target: over } } }
  over: { type: final }
output: done
`;

/** It hears of the work, counts what comes, and asks in the end. */
const parent = (name: string, work: string, { renamed = false, also = false, added = '' } = {}) => `
name: ${name}
meaning: Waits for a part of the work, and asks what comes of it.
context: { count: 0 }
initial: ${renamed ? 'underway' : 'busy'}
states:
  ${renamed ? 'underway' : 'busy'}:
    ${renamed ? 'was: busy' : ''}
    invoke: { src: ${work}, input: { request: {} }, onDone: asked }
    on: { ping: { actions: [ { type: assign, params: { count: "\${context.count + 1}" } }, { type: emit, params: { type: pinged } } ] } }
  asked:
    ${added}
    invoke:
      - id: result
        src: ask
        input: { of: desk, question: What came of it?, fields: { good: { type: yesNo } }, within: P2D }
        onDone: over
        onError: over
      ${also ? '- { id: also, src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onError: over }' : ''}
  over: { type: final }
output: "\${context.count}"
`;

const shortRuns = isLongSuite ? runningFilesOfShortRuns() : files;

test.runIf(isLongSuite)(
  'it reads all runs of a process with a child and a question; a renamed state differs in nothing, a new call cannot be told',
  async () => {
    const [name, work] = [uniqueName('Parent'), uniqueName('Work')];
    await shortRuns.publish(child(work));
    await shortRuns.publish(parent(name, work));
    const handle = await shortRuns.start(name, { request: {} });
    await untilProgress(handle, ({ state }) => state === 'busy');
    for (let count = 1; count <= 30; count++)
      await handle.signal('event', { type: 'ping', id: String(count) });
    const open = await recordedOf(handle.workflowId, shortRuns);
    expect(open.end).toBeNull();
    expect(backtest(open, parsed(parent(name, work))).verdict).toBe('same');
    await shortRuns.client.workflow
      .getHandle(`${handle.workflowId}/busy`)
      .signal('event', { type: 'finished' });
    await untilProgress(handle, (progress) => progress.questions.length > 0);
    await handle.executeUpdate('answer', { args: [{ values: { good: true }, by: 'anna' }] });
    expect(await handle.result()).toBe(30);
    const runs = await handle.fetchHistory();
    expect(runs.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId).toBeTruthy();

    const recorded = await recordedOf(handle.workflowId, shortRuns);
    expect(backtest(recorded, recorded.file)).toMatchObject({
      verdict: 'same',
      after: { emits: { pinged: 30 } },
    });
    expect(backtest(recorded, parsed(parent(name, work, { renamed: true })))).toMatchObject({
      verdict: 'same',
      after: { end: 'done' },
    });
    const added = 'after: { PT1S: { actions: { type: log, params: { message: late } } } }';
    expect(backtest(recorded, parsed(parent(name, work, { added }))).verdict).toBe('same');
    const more = parent(name, work, { also: true });
    expect(backtest(recorded, parsed(more))).toMatchObject({
      verdict: 'cannotTell',
      why: 'history has no outcome of also',
      after: { end: 'unknown' },
    });
  },
);
