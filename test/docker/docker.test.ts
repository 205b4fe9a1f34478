// The Dockerfile and the compose files as they are written, where no Docker engine is at hand. What they make is in
// long/docker/docker.test.ts.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ValidationSeverity, validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../service/settings.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFile(join(root, name), 'utf8');
const compose = await read('docker-compose.yml');

test('the Dockerfile passes a linter, and does not run as root', async () => {
  const all = ValidationSeverity.ERROR;
  const dockerfile = await read('Dockerfile');
  const found = validate(dockerfile, {
    deprecatedMaintainer: all,
    directiveCasing: all,
    emptyContinuationLine: all,
    instructionCasing: all,
    instructionCmdMultiple: all,
    instructionEntrypointMultiple: all,
    instructionHealthcheckMultiple: all,
    instructionJSONInSingleQuotes: all,
    instructionWorkdirRelative: all,
  });
  expect(found.map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  const [, last = ''] = dockerfile.split(/^FROM (?!.* AS )/m);
  expect(/^USER (.*)$/m.exec(last)?.[1]).toBe('node');
});

describe('the service of the compose file', () => {
  const required = { POSTGRES_PASSWORD: 'secret' };
  const settings = (env: Readonly<Record<string, string>>) =>
    readSettings(environmentOf('service', { ...required, ...env }));

  test('has the production value of every setting, unless .env has another', () => {
    const { host, url, callbacks, ...others } = settings({});
    const inProduction = readSettings({ DATABASE_URL: others.databaseUrl });
    expect({ ...others, callbacks: { ...callbacks, privateHosts: [] } }).toEqual({
      ...inProduction,
      host: undefined,
      url: undefined,
    });
    expect(inProduction.mode).toBe('production');
    expect(host).toBe('0.0.0.0');
    // The one exception is named by its host, and is the receiver of this file.
    expect(callbacks.privateHosts).toEqual([new URL(callbackUrl()).host]);
  });

  test('is in staging mode only where .env says so', () => {
    expect(settings({ SERVICE_MODE: 'staging' })).toMatchObject({
      mode: 'staging',
      callbacks: { privateHosts: 'any' },
    });
  });

  test('gets the trusted proxies and the hosts for callbacks from .env', () => {
    const told = settings({
      SERVICE_TRUSTED_PROXIES: '10.0.0.0/8',
      SERVICE_CALLBACK_PRIVATE_HOSTS: 'erp.internal:443',
    });
    expect(told.trustedProxies).toEqual(['10.0.0.0/8']);
    expect(told.callbacks.privateHosts).toEqual(['erp.internal:443']);
  });

  test('publishes each port on loopback alone', () => {
    const ports = [...compose.matchAll(/^ +- "([^"]*:\d+)"$/gm)].map(([, port = '']) => port);
    expect(ports.length).toBeGreaterThan(3);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

test('no container fills the disk with its log: Docker bounds none by itself', async () => {
  const { services } = parse(compose, { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { logging?: unknown }>;
  };
  const bounded = { driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } };
  for (const [name, { logging }] of Object.entries(services)) expect(logging, name).toEqual(bounded);
});

test('no credentials of the demo stand in the compose files or in .env.example', async () => {
  const example = await read('.env.example');
  for (const text of [compose, await read('docker-compose.secrets.yml')])
    expect(text).not.toMatch(/demo-secret/);
  const values = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  expect(Object.fromEntries(values)).toMatchObject({ SERVICE_MODE: 'production', LOCKER_CLIENT_SECRET: '' });
});

/** What a service of the compose file has in its environment, with these variables in .env. */
function environmentOf(service: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const [, block = ''] = compose.split(new RegExp(`^ {2}${service}:$`, 'm'));
  const [, lines = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(block) ?? [];
  const set = [...lines.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)];
  return Object.fromEntries(set.map(([, name = '', value = '']) => [name, interpolated(value, env)]));
}

/** As Compose does it: ${NAME:-default} and ${NAME:?message}. */
const interpolated = (text: string, env: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+)(?::([-?])(.*?))?\}/g, (_match, name: string, kind?: string, rest = '') => {
    const value = env[name];
    if (!value && kind === '?') throw new Error(`${name}: ${rest}`);
    return value || (kind === '-' ? rest : '');
  });

const callbackUrl = (): string => environmentOf('callback-address', {}).CALLBACK_URL ?? '';

test('docker compose takes the compose files', async ({ skip }) => {
  const program = await composeProgram();
  if (!program) return skip('neither docker compose nor docker-compose is installed');
  const [name = '', ...first] = program;
  const folder = join(import.meta.dirname, '../..');
  const env = { ...process.env, POSTGRES_PASSWORD: 'secret', LOCKER_CALLBACK_KEY: 'key' };
  for (const files of [['docker-compose.yml'], ['docker-compose.yml', 'docker-compose.secrets.yml']]) {
    const flags = files.flatMap((file) => ['-f', file]);
    const { stdout } = await run(name, [...first, ...flags, 'config'], { cwd: folder, env });
    expect(stdout).toContain('service_completed_successfully');
  }
  const missing = run(name, [...first, '-f', 'docker-compose.yml', 'config'], {
    cwd: folder,
    env: { ...process.env, POSTGRES_PASSWORD: '' },
  });
  await expect(missing).rejects.toThrow('.env.example');
});

async function composeProgram(): Promise<string[] | undefined> {
  for (const program of [['docker', 'compose'], ['docker-compose']]) {
    const [name = '', ...first] = program;
    const found = await run(name, [...first, 'version']).then(
      () => true,
      () => false, // Not installed is the answer.
    );
    if (found) return program;
  }
  return undefined;
}
