// docs/changing-flows.md: its files are valid, its example does what the page says, and no code is missing.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complete } from '../../driver/defaults.ts';
import type { Declared } from '../../driver/definition.ts';
import { obstacles } from '../../driver/migration/plan.ts';
import { Process } from '../../driver/process.ts';
import { VirtualTime, VirtualWorld } from '../../driver/virtual-world.ts';
import type { FlowFile } from '../../flow-files/flow-file.ts';
import { flowFileDefinition } from '../../flow-files/machine/definition.ts';
import { Incoming } from '../../flow-files/machine/incoming.ts';
import { Questions } from '../../flow-files/machine/questions.ts';
import { readFlowFile } from '../../flow-files/reading/read-flow-file.ts';
import type { Published } from '../../flow-files/registry.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/changing-flows.md'), 'utf8');
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
  const definitionOf = (published: Published): Declared => ({
    ...flowFileDefinition({
      ...{ published, questions: new Questions(), incoming: new Incoming(published.file), as: definitionOf },
      actors: () => {
        throw new TypeError('the example invokes nothing');
      },
      ...{ startedAt: () => '1970-01-01T00:00:00Z', now: () => time.now },
      ...{ rules: undefined, isCancelled: () => false },
    }),
  });
  const process = new Process({
    definition: complete(definitionOf(publishedAs(before, 1))),
    start: { input: {}, flow: 'Parcel', version: 1, workflowId: 'parcel-1', firstExecutionRunId: 'run' },
    world: new VirtualWorld(time),
  });
  process.begin();
  for (const _ of time.passing(3 * DAY)) process.drain();
  const request = { semantics: 1, to: publishedAs(after, 2), by: 'anna', why: 'shorter shelf time' } as const;
  expect(process.verdict(request)).toMatchObject({ verdict: 'carried', obstacles: [] });
  process.migrate(request, 'update', { answer: () => undefined, refuse: () => undefined });
  process.drain();
  expect(process.progress({ context: true })).toMatchObject({
    ...{ state: 'waiting', version: 2, context: { shelf: 'none' } },
    timers: [{ until: new Date(7 * DAY).toISOString() }],
    migrations: [{ from: 1, to: 2, by: 'anna', why: 'shorter shelf time' }],
  });
  process.signal('event', { type: 'fetched' });
  process.drain();
  expect(process.isOpen).toBe(false);
});
