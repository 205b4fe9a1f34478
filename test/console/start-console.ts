// The console in the test's own process, on the service, the Temporal and the worker of an installation, with people who are
// signed in already and a browser for them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { LockerApi } from '../../activities/api/index.ts';
import { buildPage, isPageBuilt } from '../../console/build-page.ts';
import { Live } from '../../console/live/live.ts';
import { createConsole } from '../../console/server.ts';
import { readConsoleSettings } from '../../console/settings.ts';
import { Sessions } from '../../console/sign-in/sessions.ts';
import { cookieNamesAt, SignIn } from '../../console/sign-in/sign-in.ts';
import type { ConsoleRole } from '../../console/sign-in/user.ts';
import { ServiceClock } from '../../processes/service-clock.ts';
import { credentials, type Installation } from '../end-to-end/installation.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';

const LINK_SECRET = 'x'.repeat(43);

export interface TestConsole extends AsyncDisposable {
  readonly address: string;
  /** Every line of its log, parsed. */
  readonly logLines: readonly Record<string, unknown>[];
  readonly cookieName: string;
  /** The value of the cookie of a person with these roles. */
  signedIn(name: string, roles: readonly ConsoleRole[]): string;
  /** A page of such a person, which closes with the test. */
  pageOf(name: string, roles: readonly ConsoleRole[], options?: BrowserContextOptions): Promise<Page>;
  post(
    cookie: string,
    path: string,
    body: object,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
}

export async function startTestConsole({
  client,
  flows,
  taskQueue,
  service,
}: Installation): Promise<TestConsole> {
  await using started = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), 'lockerflow-console-'));
  started.defer(() => rm(home, { recursive: true, force: true }));
  if (!isPageBuilt()) await buildPage();
  const api = new LockerApi({ ...credentials, apiUrl: service.address, authUrl: service.address });
  started.defer(() => api.close());
  const logLines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(JSON.parse(line)) });
  const settings = readConsoleSettings({
    LOCKERFLOW_HOME: home,
    CONSOLE_PORT: '0',
    CONSOLE_LINK_SECRET: LINK_SECRET,
  });
  const sessions = new Sessions({ file: undefined, lastMs: settings.sessionMs, link: LINK_SECRET });
  const signIn = new SignIn({ users: undefined, sessions, linkName: 'ada', proxy: undefined });
  const live = new Live((error, topic) =>
    log.error({ err: error, topic }, 'the console could not read what a page shows'),
  );
  const temporal = { client, flows, taskQueue, isConnected: () => true };
  const more = {
    service: api,
    serviceClock: new ServiceClock(api),
    live,
    as: ({ name }: { name: string }) => ({ ...temporal, by: name, service: api.onBehalfOf(name) }),
    temporalUiUrl: '',
    callbackLateMs: 0,
    questionsPerSecond: 1_000,
    variables: {},
  };
  const server = await createConsole({ settings, parts: { ...temporal, ...more }, signIn, log });
  const address = await server.listen();
  started.defer(() => server.close());
  let browser: Browser | undefined;
  started.defer(async () => await browser?.close());
  const cookieName = cookieNamesAt(new URL(address).host, false).session;
  const stack = started.move();
  const signedIn = (name: string, roles: readonly ConsoleRole[]) => sessions.begin(name, { roles });
  return {
    ...{ address, cookieName, logLines, signedIn },
    async pageOf(name, roles, options = {}) {
      browser ??= await launchChromium(chromiumPath() ?? '');
      const context = await browser.newContext({ locale: 'en-GB', ...options });
      context.setDefaultTimeout(120_000);
      onTestFinished(() => context.close());
      await context.addCookies([{ name: cookieName, value: signedIn(name, roles), url: address }]);
      return await context.newPage();
    },
    async post(cookie, path, body) {
      const answer = await fetch(address + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: address, cookie: `${cookieName}=${cookie}` },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
