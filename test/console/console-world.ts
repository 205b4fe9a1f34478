// A console for a file of tests, with its users; with everything real behind it, or with nothing. Browsers sign in here.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, inject, onTestFinished, vi } from 'vitest';
import { type RunningConsole, startConsole } from '../../console/run.ts';
import { readConsoleSettings } from '../../console/settings.ts';
import { passwordHash } from '../../console/sign-in/password.ts';
import { credentials, type Installation } from '../end-to-end/installation.ts';
import { NOWHERE } from '../security/matrix.ts';
import { bundleOf } from '../support/bundles.ts';

export const PASSWORD = 'correct horse battery';
export const LINK_SECRET = 'the-secret-of-the-link-that-signs-in-once-only';

/** anna looks, bram decides, olga administers. */
export const people = { anna: 'look', bram: 'look,decide', olga: 'look,decide,administer' } as const;
export type Name = keyof typeof people;

export interface TestConsole extends AsyncDisposable {
  readonly address: string;
  readonly usersPath: string;
  /** Every request of every page that was opened here. */
  readonly asked: readonly string[];
  /** The cookie of a person who has signed in with the password. */
  cookieOf(name: Name): Promise<string>;
  /** As the page would, or as a program would that has the cookie. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** A page of a signed-in person, which closes with the test. */
  pageOf(browser: Browser, name: Name, path: string, options?: BrowserContextOptions): Promise<Page>;
  stop(): Promise<void>;
  /** Again at the same address. */
  start(): Promise<void>;
}

// Tests sign in often.
const QUICK = { N: 4_096, r: 8, p: 1 };

let hash: Promise<string> | undefined;

/** Settings of a console that needs no service: nobody comes so far. */
export const withoutService = {
  LOCKER_API_URL: NOWHERE,
  LOCKER_AUTH_URL: NOWHERE,
  LOCKER_CLIENT_ID: 'demo',
  LOCKER_CLIENT_SECRET: 'none',
};

/** What a person wants to have issued, at the wall of the demo. */
export const issueRequest = {
  pupUid: 'pup-central',
  toUserUid: 'user-anna',
  dimension: { width: 10, height: 10, length: 10 },
  allowLargerLockers: true,
  allowOverflowLockers: false,
};

/** @param variables of Temporal and of the service, beside those of the console */
export async function newTestConsole(variables: Readonly<Record<string, string>> = {}): Promise<TestConsole> {
  const home = mkdtempSync(join(tmpdir(), 'lockerflow-console-'));
  const usersPath = join(home, 'users');
  hash ??= passwordHash(PASSWORD, QUICK);
  const lines = Object.entries(people).map(async ([name, roles]) => `${name}:${roles}:${await hash}`);
  writeFileSync(usersPath, (await Promise.all(lines)).join('\n'));
  const log = pino({ level: 'silent' });
  const asked: string[] = [];
  let running: RunningConsole | undefined;
  let port = '0';
  const start = async () => {
    const settings = readConsoleSettings({
      LOCKERFLOW_HOME: home,
      CONSOLE_PORT: port,
      CONSOLE_USERS: usersPath,
      CONSOLE_LINK_SECRET: LINK_SECRET,
      ...variables,
    });
    running = await startConsole(settings, variables, log);
    port = new URL(running.address).port;
  };
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  await start();
  const address = `http://127.0.0.1:${port}`;
  const post: TestConsole['post'] = (path, body, headers = {}) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address, ...headers },
      body: JSON.stringify(body),
    });
  const cookieOf = async (name: Name) => {
    const answer = await post('/api/sign-in', { name, password: PASSWORD });
    return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  return {
    address,
    usersPath,
    asked,
    cookieOf,
    post,
    async pageOf(browser, name, path, options = {}) {
      // axe is put into the page, which its policy would refuse.
      const context = await browser.newContext({ bypassCSP: true, ...options });
      context.setDefaultTimeout(120_000);
      onTestFinished(() => context.close());
      const [cookieName = '', value = ''] = (await cookieOf(name)).split('=');
      await context.addCookies([
        { name: cookieName, value, url: address, httpOnly: true, sameSite: 'Strict' },
      ]);
      const page = await context.newPage();
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${address}${path}`);
      return page;
    },
    start,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
      await rm(home, { recursive: true });
    },
  };
}

/** With this installation behind it. */
export async function newConsoleOf(
  { taskQueue, temporalAddress, service }: Installation,
  variables: Readonly<Record<string, string>> = {},
): Promise<TestConsole> {
  return await newTestConsole({
    TEMPORAL_ADDRESS: temporalAddress,
    LOCKERFLOW_TASK_QUEUE: taskQueue,
    LOCKER_API_URL: service.address,
    API_ISSUER: service.address,
    API_TENANT: 'demo',
    LOCKER_AUTH_URL: service.address,
    LOCKER_CLIENT_ID: credentials.clientId,
    LOCKER_CLIENT_SECRET: credentials.clientSecret,
    WORKER_WORKFLOW_BUNDLE: (await bundleOf()).codePath,
    ...variables,
  });
}

/** The same for a file of tests, from the first of them on. */
export const useConsoleOf = (
  installation: () => Installation,
  temporalAddress: () => string = () => inject('temporalAddress'),
): (() => TestConsole) => useConsole(() => newConsoleOf(installation()), temporalAddress);

/** A console with nothing behind it, for a file of tests. */
export const useConsoleAlone = (): (() => TestConsole) =>
  useConsole(
    () => newTestConsole(withoutService),
    () => '127.0.0.1:1',
  );

function useConsole(start: () => Promise<TestConsole>, temporalAddress: () => string): () => TestConsole {
  let server: TestConsole | undefined;
  beforeAll(async () => {
    vi.stubEnv('TEMPORAL_ADDRESS', temporalAddress());
    server = await start();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());
  return () => {
    if (!server) throw new TypeError('the console starts before the first test, not before');
    return server;
  };
}

/** What a signed-in person reads. */
export async function readAs<View>(server: TestConsole, name: Name, path: string): Promise<View> {
  const headers = { cookie: await server.cookieOf(name) };
  const answer = await fetch(`${server.address}${path}`, { headers });
  const body = (await answer.json()) as View;
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(body)}`);
  return body;
}
