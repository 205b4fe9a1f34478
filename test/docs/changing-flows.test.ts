// docs/changing-flows.md: its files are valid, its example does what the page says, and no code is missing.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { fromPromise } from 'xstate';
import type { Definition } from '../../engine/definition/definition.ts';
import { noReply } from '../../engine/inbox.ts';
import { obstacles } from '../../engine/migration-plan.ts';
import { Process } from '../../engine/process.ts';
import { VirtualHost, VirtualTime } from '../../engine/virtual-host.ts';
import { consequence } from '../../flows/booking/consequence.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { flowFileDefinition } from '../../flows/language/machine/definition.ts';
import { Incoming } from '../../flows/language/machine/incoming.ts';
import type { FlowFileProgress } from '../../flows/language/machine/progress.ts';
import { Questions } from '../../flows/language/machine/questions.ts';
import { readFlowFile } from '../../flows/language/reading/read-flow-file.ts';
import type { Published } from '../../flows/language/registry.ts';
import { run } from '../cli/lockerflow-program.ts';
import { temporaryFolder } from '../support/set-up-process.ts';
import { runningFiles, uniqueName } from '../workflows/flow-files/running-files.ts';

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/changing-flows.md'), 'utf8');
const DAY = 86_400_000;

test('the table has every code, with its meaning, and whether a plan helps', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*?) \| (the plan can say it|refused) \|$/gm)];
  const told = rows.map(([, code, meaning, helps]) => [code, meaning, helps]);
  const expected = Object.entries(obstacles).map(([code, { kind, meaning }]) => [
    ...[code, meaning, kind === 'gap' ? 'the plan can say it' : 'refused'],
  ]);
  expect(told).toEqual(expected);
});

test('the example goes over as the page says', () => {
  const [before, after] = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => {
    const { file, findings } = readFlowFile(text, { builtIn: [], published: [], connectors: null });
    expect(findings).toEqual([]);
    return file as FlowFile;
  }) as [FlowFile, FlowFile];
  const time = new VirtualTime(0);
  const publishedAs = (file: FlowFile, version: number): Published => ({ file, version, publishedAt: '' });
  const definitionOf = (published: Published): Definition => ({
    ...flowFileDefinition({
      published,
      questions: new Questions(),
      as: definitionOf,
      incoming: new Incoming(published.file),
      // The example invokes nothing.
      actors: () => fromPromise(async () => undefined),
      startedAt: () => '1970-01-01T00:00:00Z',
      now: () => time.now,
      consequence,
    }),
  });
  const process = new Process({
    definition: definitionOf(publishedAs(before, 1)),
    start: {
      input: { request: { parcel: 'a' } },
      flow: 'Parcel',
      version: 1,
      workflowId: 'parcel-1',
      firstExecutionRunId: 'run',
    },
    host: new VirtualHost(time),
  });
  process.begin();
  for (const _ of time.passing(3 * DAY)) process.drain();
  const request = { semantics: 1, to: publishedAs(after, 2), by: 'anna', why: 'shorter shelf time' } as const;
  expect(process.migrations.result(request)).toMatchObject({ kind: 'carried', obstacles: [] });
  process.migrate(request, 'update', noReply);
  process.drain();
  expect(process.progress({ context: true })).toMatchObject({
    state: 'waiting',
    version: 2,
    context: { shelf: 'none' },
    waitingFor: expect.arrayContaining([
      expect.objectContaining({ kind: 'time', until: new Date(7 * DAY).toISOString() }),
    ]),
    migrations: [{ from: 1, to: 2, by: 'anna', why: 'shorter shelf time' }],
  });
  process.signal('event', { type: 'fetched' });
  process.drain();
  expect(process.isOpen).toBe(false);
});

describe('typed from top to bottom', { tags: 'long' }, () => {
  const files = runningFiles();

  interface Block {
    readonly kind: string;
    readonly text: string;
  }

  /** What lists find comes a little later than what has happened. */
  const untilListed = (query: string, count: number) =>
    vi.waitUntil(async () => (await files.client.workflow.count(query)).count === count, {
      timeout: 60_000,
      interval: 200,
    });

  test('each command does what the page says', async () => {
    const name = uniqueName('Parcel');
    const folder = await temporaryFolder();
    const named = (text: string) => text.replaceAll('Parcel', name).replaceAll('parcel-', `${name}-`);
    const shown = (text: string) => text.replaceAll(`${name}-`, 'parcel-').replaceAll(name, 'Parcel');
    const path = join(folder, 'parcel.flow.yaml');
    const isOpen = `WorkflowType = '${name}' AND ExecutionStatus = 'Running'`;
    const blocks = [...page.matchAll(/```(yaml|sh|text|diff)\n(.*?)```/gs)].map(
      ([, kind = '', text = '']): Block => ({ kind, text }),
    );
    let out = '';
    const typed: string[] = [];
    for (const { kind, text } of blocks) {
      if (kind === 'yaml') await writeFile(path, named(text));
      if (kind === 'diff') {
        const [, before = '', after = ''] = /^-(.*)\n\+(.*)\n$/.exec(text) ?? [];
        const now = (await readFile(path, 'utf8')).replace(before, () => after);
        expect(now).toContain(after);
        await writeFile(path, now);
      }
      if (kind === 'text')
        for (const line of text.trimEnd().split('\n')) expect(out.split('\n')).toContain(line);
      if (kind !== 'sh') continue;
      out = '';
      for (const line of text.trimEnd().split('\n')) {
        const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
          ([, double, single, plain]) => double ?? single ?? plain ?? '',
        );
        expect(words.slice(0, 2)).toEqual(['npx', 'lockerflow']);
        if (words.includes('list')) await untilListed(`${isOpen} AND LockerPhase = 'NeedsPerson'`, 2);
        const ran = await run(
          words.slice(2).map((word) => (/^parcels?\.\S+$/.test(word) ? join(folder, word) : named(word))),
          { taskQueue: files.taskQueue },
        );
        // A migration that takes a while says on this stream how far it is.
        const complaint = words.includes('migrate') ? undefined : /lockerflow: .*/.exec(ran.err)?.[0];
        expect([line, ran.code, complaint]).toEqual([line, 0, undefined]);
        if (words.includes('parcel-c')) await untilListed(`${isOpen} AND LockerFlowVersion = '${name}@1'`, 3);
        if (words.includes('2') && words.includes('--apply'))
          await untilListed(`${isOpen} AND LockerFlowVersion = '${name}@2'`, 3);
        if (words.includes('--halted')) await untilListed(`${isOpen} AND LockerFlowVersion = '${name}@3'`, 2);
        out += shown(ran.out);
        typed.push(words[2] ?? '');
      }
    }
    expect(new Set(typed)).toEqual(new Set(['publish', 'start', 'migrate', 'event', 'list']));
    const grams = await Promise.all(
      ['a', 'b', 'c'].map(async (parcel) => {
        const handle = files.client.workflow.getHandle(`${name}-${parcel}`);
        const { context } = await handle.query<FlowFileProgress, [object]>('progress', { context: true });
        await handle.terminate();
        return (context as { readonly grams: number }).grams;
      }),
    );
    expect(grams).toEqual([300, 450, 0]);
  }, 180_000);
});
