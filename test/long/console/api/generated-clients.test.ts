// Clients that other people's tools make of the running documents: they compile, and play a flow file with a
// question to its end, over HTTP alone with bearer tokens.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { generatedClients, generators } from '../../../console/api/generators.ts';
import { demoToken, newClientToken, programOf } from '../../../console/api/program.ts';
import { useConsoleOf } from '../../../console/console-world.ts';
import { ourService } from '../../../end-to-end/installation.ts';
import { useInstallation } from '../../../end-to-end/use-installation.ts';
import { pythonWith } from '../../../support/python/python.ts';

const TIMEOUT_MS = 300_000;
const run = promisify(execFile);
const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
let given: Readonly<Record<string, string>>;

const deskCheck = `
name: DeskCheck
meaning: The desk checks a device that was paid for.
input: { type: object, required: [item], properties: { item: { type: string } }, additionalProperties: false }
initial: waiting
states:
  waiting: { on: { payment.received: checking } }
  checking:
    invoke:
      id: check
      src: ask
      input: { of: desk, question: "Is it whole?", fields: { state: { choice: [whole, broken] } } }
      onDone: over
  over: { type: final }
output: { item: "\${input.item}" }
`;

beforeAll(async () => {
  const { service } = installation();
  const token = await demoToken(service.address);
  await programOf(server().address, token).post('/v1/flows', {
    files: [{ path: 'desk.flow.yaml', text: deskCheck }],
  });
  given = {
    processes: server().address,
    inbox: 'desk',
    token,
    clerkToken: await newClientToken(service, 'generated-clerk', 'inbox:desk'),
  };
});

/** A project of its own, with the documents of both servers. */
async function newProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(generatedClients, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  for (const [name, address] of [
    ['processes', server().address],
    ['lockers', installation().service.address],
  ] as const) {
    const { token = '' } = given;
    const answer = await fetch(`${address}/openapi.json`, { headers: { authorization: `Bearer ${token}` } });
    await writeFile(join(folder, `${name}.json`), await answer.text());
  }
  return folder;
}

const over = { item: 'drill' };

test('types of openapi-typescript compile with both clients, and one plays a question to its end', {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = await newProject();
  await symlink(await generators(), join(folder, 'node_modules'));
  const tool = (name: string, ...args: string[]) =>
    run(process.execPath, [join(folder, 'node_modules', name), ...args], { cwd: folder });
  for (const name of ['processes', 'lockers'])
    await tool('openapi-typescript/bin/cli.js', `${name}.json`, '-o', `${name}.d.ts`);
  await tool('typescript/bin/tsc', '-p', '.');
  const { stdout } = await run(process.execPath, ['play.ts', JSON.stringify(given)], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({ check: over });
});

test('the package that openapi-python-client makes plays a question to its end', {
  timeout: TIMEOUT_MS,
}, async ({ skip }) => {
  const python = await pythonWith('openapi-python-client');
  if (typeof python === 'string') return skip(python);
  const folder = await newProject();
  const { program, env } = python;
  // It formats what it has made with a program that came with it.
  const PATH = [join(python.folder, 'bin'), env.PATH].join(delimiter);
  // It knows no pictures: a chart is a text to it.
  const made = [
    ...['generate', '--path', 'processes.json', '--config', 'config.json'],
    ...['--meta', 'none', '--output-path', 'processes'],
  ];
  const options = { cwd: folder, env: { ...env, PATH } };
  const { stdout: said } = await run(
    program,
    ['-m', 'openapi_python_client', ...made, '--fail-on-warning'],
    options,
  );
  expect(said).not.toContain('WARNING');
  const { stdout } = await run(program, ['play_question.py', JSON.stringify(given)], options);
  expect(JSON.parse(stdout)).toEqual({ check: over });
});
