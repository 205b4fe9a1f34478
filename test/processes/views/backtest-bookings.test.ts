// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
// Backtests of processes that book: what really happened to them, on Temporal and in the recordings of each built-in flow.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApplicationFailure, type WorkflowHandle } from '@temporalio/client';
import { defaultFailureConverter, defaultPayloadConverter, type Payload } from '@temporalio/common';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { type Backtested, backtest } from '../../../flows/simulation/backtest.ts';
import { played } from '../../../flows/simulation/play-history.ts';
import { backtested } from '../../../processes/views/backtest/backtest.ts';
import { recordedProcess } from '../../../processes/views/backtest/recorded-process.ts';
import { EncryptingCodec } from '../../../shared/codec/encrypting-codec.ts';
import { readPayloadKeys } from '../../../shared/codec/payload-keys.ts';
import { newKeyLine } from '../../../shared/settings/key-ring.ts';
import { run } from '../../cli/lockerflow-program.ts';
import { fileOf } from '../../flows/language/names.ts';
import { newTaskQueue, startWorker } from '../../support/temporal.ts';
import { runningFiles, uniqueName, untilProgress } from '../../workflows/flow-files/running-files.ts';
import { Outside } from '../../workflows/outside.ts';
import { historyOf, recordings } from '../../workflows/recording/recordings.ts';
import { booking } from '../../workflows/stories.ts';

describe('of the recordings', async () => {
  const all = (await recordings()).map(({ name, recording }) => ({
    name,
    history: historyOf(recording),
    recording,
  }));
  type Run = (typeof all)[number];

  /** @param runs of one process, the last one first */
  const recordedOf = (runs: readonly Run[], codec?: EncryptingCodec) => {
    const [last] = runs;
    if (!last) throw new TypeError('a process has at least one run');
    const getHandle = (_: string, runId?: string) => ({
      fetchHistory: async () => runs[runId === undefined ? 0 : 1]?.history,
    });
    const loadedDataConverter = {
      payloadCodecs: codec ? [codec] : [],
      payloadConverter: defaultPayloadConverter,
      failureConverter: defaultFailureConverter,
    };
    return recordedProcess(
      { options: { loadedDataConverter }, workflow: { getHandle } } as never,
      last.recording.workflowId,
    );
  };

  const LATER = '/continued';
  const runsOf = (last: Run): Run[] =>
    last.name.endsWith(LATER)
      ? [last, ...all.filter(({ name }) => name === `${last.name}-first-run`)]
      : [last];
  test.each(all)('$name goes the same on its own file, and comes to the same result', async (last) => {
    const recorded = await recordedOf(runsOf(last));
    expect(backtest(recorded, recorded.file)).toEqual({ key: recorded.key, version: 1, result: 'same' });
    if (recorded.end?.status === 'done')
      expect(played(recorded, recorded).steps.at(-1)?.ended?.output).toEqual(recorded.end.output);
  });

  test('each built-in flow is among them', () => {
    const flows = new Set(all.map(({ name }) => name.replace(/@.*/, '')));
    expect([...flows].sort()).toEqual([...flowTypes].sort());
  });

  test('one whose booking was in doubt is read too where its history is encrypted', async () => {
    const codec = new EncryptingCodec(readPayloadKeys(newKeyLine()));
    const found = all.find(({ name }) => name === 'CollectByDispatcher@1/retried');
    if (!found) throw new TypeError('the recording is gone');
    const doubtful = { ...found, history: historyOf(found.recording) };
    await encrypt(doubtful.history, codec);
    const recorded = await recordedOf([doubtful], codec);
    expect(backtest(recorded, recorded.file).result).toBe('same');
  });
});

/** Each payload in it. */
async function encrypt(value: unknown, codec: EncryptingCodec): Promise<void> {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const isPayload = typeof inner === 'object' && inner !== null && 'metadata' in inner && 'data' in inner;
    if (isPayload) Object.assign(value, { [key]: (await codec.encode([inner as Payload]))[0] });
    else await encrypt(inner, codec);
  }
}

const files = runningFiles();

/** How one process went on another file. */
async function resultOn(file: FlowFile, { workflowId }: WorkflowHandle): Promise<Backtested> {
  const query = `WorkflowId = '${workflowId}'`;
  const [only] = await vi.waitUntil(
    async () => {
      const all = await backtested(files, file, { last: 1, query });
      return all.length > 0 && all;
    },
    { timeout: 60_000, interval: 200 },
  );
  return only as Backtested;
}

/** What the command line says of it. */
async function reportOn(text: string, { workflowId }: WorkflowHandle): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-backtest-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'changed.flow.yaml');
  await writeFile(path, text);
  const words = ['backtest', path, '--query', `WorkflowId = '${workflowId}'`];
  const { out, err } = await run(words, { taskQueue: files.taskQueue });
  expect(err).toBe('');
  return out.split('\n');
}

interface Loan {
  readonly operation?: string;
  readonly deadline?: string;
  readonly done?: string;
  readonly failed?: string;
}

const calledOff = '{ guard: "${event.error.code == \'Cancelled\'}", target: calledOff }';

const loan = (
  name: string,
  {
    operation = 'CreateLocalShipmentAsIssue',
    deadline = 'P3D',
    done = 'over',
    failed = `[ ${calledOff}, refused ]`,
  }: Loan = {},
) => `
name: ${name}
meaning: A tool is issued from a locker.
initial: lent
states:
  lent:
    invoke:
      id: loan
      src: book
      input:
        operation: ${operation}
        request: ${JSON.stringify({ ...booking, toUserUid: 'user-anna' })}
        deadlines: { issue: { dropOff: ${deadline} } }
      onDone: ${done}
      onError: ${failed}
    initial: inTime
    on: { loan.issue.overdue: .late }
    states: { inTime: {}, late: {} }
  aside: { type: final }
  calledOff: { type: final }
  refused: { type: final }
  over: { type: final }
`;

async function lent(deadline?: string, prepare = (_: Outside) => {}) {
  const name = uniqueName('Loan');
  await files.publish(loan(name, { ...(deadline && { deadline }) }));
  const handle = await files.start(name, { request: {} });
  const outside = new Outside();
  prepare(outside);
  files.attend(handle.workflowId, outside);
  const on = (changed: Loan = {}) => resultOn(fileOf(loan(name, changed)), handle);
  const untilBooked = () =>
    untilProgress(handle, ({ bookings }) => bookings.some(({ shipments }) => shipments.issue !== undefined));
  const collect = async () => {
    await outside.does(outside.uid('issue'), 'ItemDroppedOff');
    await outside.does(outside.uid('issue'), 'ItemPickedUp');
    await handle.result();
  };
  return { handle, on, untilBooked, collect };
}

describe('of what ran on Temporal', () => {
  test('one that went well: another reaction decides otherwise, and of another operation nothing is known', async () => {
    const { on, untilBooked, collect } = await lent();
    await untilBooked();
    await collect();
    expect((await on()).result).toBe('same');
    expect(await on({ done: 'aside' })).toMatchObject({
      result: 'decidesOtherwise',
      divergence: { now: { to: ['aside'] } },
    });
    expect(await on({ operation: 'CreateLocalShipmentAsIssueAndSwapIntake' })).toMatchObject({
      result: 'cannotTell',
      why: expect.stringMatching(/^loan.booking asks the service for something else \(operation, legs\)/),
    });
  });

  test('one that was overdue: an earlier deadline passes too, a later one does not', async () => {
    const { handle, on, collect } = await lent('PT2S');
    await untilProgress(handle, ({ state }) => JSON.stringify(state).includes('late'));
    await collect();
    expect((await on({ deadline: 'PT2S' })).result).toBe('same');
    expect((await on({ deadline: 'PT1S' })).result).toBe('sameAtAnotherTime');
    expect((await on({ deadline: 'P1D' })).result).toBe('decidesOtherwise');
  });

  test('one whose deadline somebody has moved', async () => {
    const { handle, on, untilBooked, collect } = await lent();
    await untilBooked();
    await handle.executeUpdate('extendDeadline', {
      args: [{ role: 'issue', stage: 'dropOff', fromNow: 'P7D', by: 'anna', why: 'on holiday' }],
    });
    await collect();
    expect((await on()).result).toBe('same');
    expect((await on({ deadline: 'P5D' })).result).toBe('same');
  });

  test('one that was cancelled, and undone', async () => {
    const { handle, on, untilBooked } = await lent();
    await untilBooked();
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    expect((await on()).result).toBe('same');
    expect((await on({ failed: 'refused' })).result).toBe('decidesOtherwise');
  });

  test('one that was refused', async () => {
    const { handle, on } = await lent(undefined, (outside) => {
      outside.booked = async () => {
        throw ApplicationFailure.nonRetryable('no locker is free', 'NoLockerAvailable');
      };
    });
    await handle.result();
    expect((await on()).result).toBe('same');
    expect((await on({ failed: `[ ${calledOff}, aside ]` })).result).toBe('decidesOtherwise');
  });

  test('a built-in flow, whose file comes with the workers', async () => {
    const handle = await files.start('Issue', {
      request: { ...booking, toUserUid: 'user-anna' },
      deadlines: { issue: { dropOff: 'P3D' } },
    });
    const outside = new Outside();
    files.attend(handle.workflowId, outside);
    await untilProgress(handle, ({ phase }) => phase === 'Open' && outside.roles.has('issue'));
    await outside.does(outside.uid('issue'), 'ItemDroppedOff');
    await outside.does(outside.uid('issue'), 'ItemPickedUp');
    await handle.result();
    const printed = (await run(['flows', 'Issue', '--file'])).out;
    expect((await resultOn(parsedText(printed).data as unknown as FlowFile, handle)).result).toBe('same');
    const report = await reportOn(
      printed.replace('output: "${event.output}"', 'output: { isOver: true }'),
      handle,
    );
    expect(report).toContainEqual(expect.stringMatching(/^ {2}decides otherwise +1$/));
    expect(report).toContainEqual(expect.stringMatching(/now, the same with other data$/));
  });

  test('a built-in flow in a version that is not ours', async () => {
    const taskQueue = newTaskQueue();
    const workflows = fileURLToPath(
      new URL('../../end-to-end/fixtures/issue-of-two-versions.ts', import.meta.url),
    );
    await startWorker({ taskQueue, workflows });
    const handle = await files.client.workflow.start('Issue', {
      ...{ taskQueue, workflowId: `two-versions-${randomUUID()}` },
      args: [{ request: { ...booking, toUserUid: 'user-anna' } }],
    });
    await untilProgress(handle, ({ phase }) => phase === 'Open');
    await expect(recordedProcess(files.client, handle.workflowId)).rejects.toThrow(
      'it runs on version 2 of Issue, which this lockerflow does not have',
    );
    await handle.terminate();
  });
});
