// The local Temporal server: ready when it says so, keeps its data, and is never left behind. Real servers.
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isListening } from '../../../local/ports.ts';
import { temporalProgram } from '../../../local/temporal/program.ts';
import { startTemporalServer, type TemporalServerOptions } from '../../../local/temporal/server.ts';
import { portInUse } from '../../support/processes/local-program.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';

async function server(options: TemporalServerOptions = {}) {
  const started = await startTemporalServer(options);
  onTestFinished(() => started.stop());
  return started;
}

async function client(address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  return new Client({ connection });
}

function portOf(address: string): number {
  return Number(address.split(':')[1]);
}

test('a server takes workflows and knows its search attributes as soon as it is started', async () => {
  const { address } = await server({ searchAttributes: { LockerCase: 'Keyword' } });
  const { workflow } = await client(address);
  await workflow.start('Issue', {
    taskQueue: 'none',
    workflowId: 'case-1',
    typedSearchAttributes: [{ key: { name: 'LockerCase', type: 'KEYWORD' }, value: 'case-1' }],
  });
  expect((await workflow.getHandle('case-1').describe()).status.name).toBe('RUNNING');
});

test('a server with a database file finds its workflows again after a restart', async () => {
  const folder = await temporaryFolder();
  const databaseFile = join(folder, 'temporal.sqlite');
  const first = await server({ databaseFile });
  await (await client(first.address)).workflow.start('Issue', { taskQueue: 'none', workflowId: 'case-1' });
  await first.stop();
  const { address } = await server({ databaseFile });
  const description = await (await client(address)).workflow.getHandle('case-1').describe();
  expect(description.status.name).toBe('RUNNING');
});

test('a stopped server is gone', async () => {
  const { address, stop, ended } = await server();
  await stop();
  await ended;
  expect(await isListening(portOf(address))).toBe(false);
});

test('a server ends, and its temporary store is removed, when the process that started it is killed', async () => {
  const folder = await temporaryFolder();
  const temporary = join(folder, 'temporary');
  await mkdir(temporary);
  const env = { ...process.env, TMPDIR: temporary };
  const owner = nodeProgramOfTest(['test/local/processes/temporal-server-owner.ts'], { env });
  const address = await owner.until(() => /^.*(?=\n)/.exec(owner.out())?.[0]);
  expect(await isListening(portOf(address))).toBe(true);
  expect(await readdir(temporary)).toHaveLength(1);
  await owner.kill();
  await vi.waitUntil(async () => !(await isListening(portOf(address))), { timeout: 60_000 });
  await vi.waitUntil(async () => (await readdir(temporary)).length === 0, { timeout: 60_000 });
});

test('a server refuses a port that is in use', async () => {
  const port = await portInUse();
  await expect(startTemporalServer({ port })).rejects.toThrow(`port ${port} on 127.0.0.1 is in use`);
});

test('a server is started again if one of its own ports is taken, also if it says so above a long stack', async () => {
  const folder = await temporaryFolder();
  const program = join(folder, 'temporal');
  const real = await temporalProgram();
  // What the server does when another process is faster: a line with the reason, then a crash of some 10 kB.
  const lines = [
    '#!/bin/sh',
    `if [ "$1" = server ] && mkdir ${folder}/failed 2>/dev/null; then`,
    '  echo "Failed to start gRPC listener: bind: address already in use" >&2',
    '  i=0; while [ $i -lt 400 ]; do echo "goroutine 1 [running]: main.main()" >&2; i=$((i + 1)); done',
    '  exit 2',
    'fi',
    `exec ${real} "$@"`,
  ];
  await writeFile(program, lines.join('\n'), { mode: 0o755 });
  vi.stubEnv('TEMPORAL_CLI_PATH', program);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { address } = await server();
  expect(await isListening(portOf(address))).toBe(true);
  expect(await stat(join(folder, 'failed'))).toBeTruthy();
});
