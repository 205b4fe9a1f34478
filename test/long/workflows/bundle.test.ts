// The workflow bundle holds only what workflows need: every cached workflow takes memory for all of it. Imports that workflows
// must not have are refused in test/architecture/imports.test.ts already.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleWorkflows } from '../../../worker/workflow-bundle.ts';
import { productionBundle } from '../../support/bundles.ts';
import { newTaskQueue, startWorker, temporalClient } from '../../support/temporal.ts';

/** Every file in the bundle, by its name in the inline source map, the bytes of code, and the texts of the files. */
function contents(code: string): { files: string[]; bytes: number; texts: readonly string[] } {
  const [script = '', map = ''] = code.split(
    '//# sourceMappingURL=data:application/json;charset=utf-8;base64,',
  );
  const { sources, sourcesContent = [] } = JSON.parse(Buffer.from(map, 'base64').toString()) as {
    sources: string[];
    sourcesContent?: string[];
  };
  return { files: sources, bytes: Buffer.byteLength(script), texts: sourcesContent };
}

const ours = join(import.meta.dirname, '../../../workflows/index.ts');

const expected = [
  '@marcbachmann/cel-js',
  '@temporalio/common',
  '@temporalio/workflow',
  'long',
  'ms',
  'nexus-rpc',
  'xstate',
];

test('the bundle holds the workflows, xstate and Temporal, and no zod', async () => {
  const code = await readFile(await productionBundle(), 'utf8');
  const { files, bytes, texts } = contents(code);
  const packages = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  expect(new Set(packages)).toEqual(new Set(expected));
  const outside = files.filter(
    (file) =>
      /\/(contract(?!\/machines|\/flows\/(wait-codes|attribution|outreach))|activities|cli|client|service)\//.test(
        file,
      ) && !file.includes('node_modules'),
  );
  expect(outside).toEqual([]);
  expect(texts).toEqual([]);
  console.log(`workflow bundle: ${Math.round(bytes / 1024)} KB of code from ${files.length} files`);
  // With the source map, which each worker keeps too.
  expect(code.length).toBeLessThanOrEqual(1_500_000);
  // About 50 KB of it are for the expressions of flow files, 40 KB for what a process says can be done to it and for migrations,
  // 10 KB for `each`, 8 KB for tasks, 2 KB for results, and 4 KB for undoing.
  expect(bytes).toBeLessThan(520 * 1024);
});

test.each(['production', 'development'] as const)(
  'in %s the modules of the workflows are evaluated once for all workflows of a worker',
  async (mode) => {
    const workflows = join(import.meta.dirname, '../../workflows/fixtures/evaluation.ts');
    const workflowBundle = {
      code: await bundleWorkflows({ workflowsPath: workflows, preloadModules: [workflows], mode }),
    };
    const taskQueue = newTaskQueue();
    await startWorker({ workflows, workflowBundle, taskQueue });
    const { workflow } = await temporalClient();
    const run = () => workflow.execute('runOnThisEvaluation', { workflowId: randomUUID(), taskQueue });
    expect([await run(), await run(), await run()]).toEqual([1, 2, 3]);
  },
);

test('in production a stack trace still names the places of the sources', async () => {
  const taskQueue = newTaskQueue();
  const workflowBundle = { code: await readFile(await productionBundle(), 'utf8') };
  const { promise: asked, resolve: answer } = Promise.withResolvers<null>();
  const book = () => asked;
  await startWorker({ workflows: ours, workflowBundle, taskQueue, activities: { book } });
  const { workflow } = await temporalClient();
  const handle = await workflow.start('Issue', {
    workflowId: randomUUID(),
    taskQueue,
    args: [{ request: {} }],
  });
  expect(await handle.query('__stack_trace')).toMatch(/at \w{3,} \(\S*engine\/temporal\/run\.ts:\d+:\d+\)/);
  await handle.terminate();
  answer(null);
});
