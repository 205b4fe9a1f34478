// Limits: whoever guesses secrets has to wait, and a client that asks too much is told when to come back.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../../service/api-error.ts';
import { RateLimiter } from '../../../service/http/rate-limit.ts';
import type { Settings } from '../../../service/settings.ts';
import { FailedAttempts } from '../../../service/token/client-authentication.ts';
import { callerAs, type Reply } from '../../support/caller.ts';
import { createTestService, type TestService, withService } from '../../support/service.ts';
import { atSizes } from '../../support/suite.ts';
import { useInFile } from '../../support/use.ts';
import { grant, tokenRequest } from './token-request.ts';

/** The clock stands still within a test: whoever has to wait waits for ever, however slow the machine is. */
let now = 0;
const FORGOTTEN_AFTER_MS = 15 * 60_000;
const dependencies = { now: () => now };
const shared = useInFile(() => createTestService({}, dependencies));

/** Each test begins when the failures of those before it are forgotten. */
beforeEach(() => {
  now += FORGOTTEN_AFTER_MS;
  (shared.logLines as object[]).splice(0);
});
const withSettings = (changes: Partial<Settings>, work: (service: TestService) => Promise<void>) =>
  withService(work, changes, dependencies);

function expectTooMany({ status, headers, body }: Reply) {
  expect(status).toBe(429);
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(body).toMatchObject({ success: false, error: 'RateLimitExceeded' });
}

const waitOf = (attempt: () => void): number => {
  try {
    attempt();
    return 0;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RateLimitExceeded')
      return Number(error.headers['retry-after']);
    throw error;
  }
};

// assumptions: The wire, Wrong secrets
test('after some wrong secrets a wrong one has to wait, and the right one never does', async () => {
  const { address } = shared;
  const wrong = { ...grant, client_secret: 'guess' };
  for (let guess = 0; guess < 5; guess++) expect((await tokenRequest(address, wrong)).status).toBe(401);
  expectTooMany(await tokenRequest(address, wrong));
  expect((await tokenRequest(address, grant)).status).toBe(200);
  const other = { ...grant, client_id: 'other', client_secret: 'other-secret' };
  expect((await tokenRequest(address, other)).status).toBe(200);
});

test('after fifty failures of a network, for any clients, a further one has to wait', async () => {
  const { address } = shared;
  const madeUp = (index: number) => tokenRequest(address, { ...grant, client_id: `made-up-${index}` });
  for (let guess = 0; guess < 50; guess++) expect((await madeUp(guess)).status).toBe(401);
  expectTooMany(await madeUp(50));
  expect((await tokenRequest(address, grant)).status).toBe(200);
});

describe('an operator sees in the log', () => {
  const lines = (logLines: readonly Record<string, unknown>[]) =>
    logLines.filter(({ msg }) => msg === 'wrong client credentials again and again');

  test('whose secret is guessed, from which network, once it has to wait', async () => {
    const { address, logLines } = shared;
    const wrong = { ...grant, client_secret: 'guess' };
    for (let guess = 0; guess < 4; guess++) await tokenRequest(address, wrong);
    expect(lines(logLines)).toEqual([]);
    for (let guess = 4; guess < 8; guess++) await tokenRequest(address, wrong);
    expect(lines(logLines)).toMatchObject([
      { level: 40, clientId: 'demo', network: '127.0.0.1', failures: 5 },
    ]);
    expect(JSON.stringify(logLines)).not.toContain('guess');
  });

  test('a network that invents clients, without the invented names, and why each request was refused', async () => {
    const { address, logLines } = shared;
    // The first of them so often that a client that exists would be told.
    for (let guess = 0; guess < 52; guess++)
      await tokenRequest(address, { ...grant, client_id: `made-up-${Math.max(0, guess - 4)}` });
    expect(lines(logLines)).toMatchObject([{ level: 40, network: '127.0.0.1', failures: 50 }]);
    expect(JSON.stringify(logLines)).not.toContain('made-up');
    const answered = logLines.filter(({ msg }) => msg === 'answered').map(({ error }) => error);
    expect(new Set(answered)).toEqual(new Set(['invalid_client', 'RateLimitExceeded']));
  });
});

describe('X-Forwarded-For', () => {
  const wrong = { ...grant, client_secret: 'guess' };
  const from = (address: string, client: string) =>
    tokenRequest(address, wrong, { 'x-forwarded-for': client }).then(({ status }) => status);
  const guesses = async (address: string) => {
    for (let guess = 0; guess < 5; guess++) expect(await from(address, '192.0.2.1')).toBe(401);
    return [await from(address, '192.0.2.1'), await from(address, '192.0.2.2')];
  };
  const warnings = (lines: readonly Record<string, unknown>[]) =>
    lines.filter(({ msg }) => String(msg).includes('X-Forwarded-For'));

  test('is ignored from an untrusted sender, and logged once as a warning', async () => {
    const { address, logLines } = shared;
    expect(await guesses(address)).toEqual([429, 429]);
    expect(warnings(logLines)).toMatchObject([{ level: 40, sender: '127.0.0.1' }]);
    expect(warnings(logLines)[0]?.msg).toContain('SERVICE_TRUSTED_PROXIES');
  });

  test('counts from a trusted proxy, without a log line', async () => {
    await withSettings({ trustedProxies: ['127.0.0.1'] }, async ({ address, logLines }) => {
      expect(await guesses(address)).toEqual([429, 401]);
      expect(warnings(logLines)).toEqual([]);
    });
  });

  test('names IPv6 addresses that count by their /64, in any spelling, and IPv4 within IPv6 as itself', async () => {
    await withSettings({ trustedProxies: ['127.0.0.1'] }, async ({ address }) => {
      for (let guess = 0; guess < 5; guess++)
        expect(await from(address, `2001:db8:0:7:${guess}::${guess}`)).toBe(401);
      expect(await from(address, '2001:0DB8:0000:0007:ffff:ffff:ffff:ffff')).toBe(429);
      expect(await from(address, '2001:db8:0:8::1')).toBe(401);
      for (let guess = 0; guess < 5; guess++)
        expect(await from(address, `198.51.100.1:${4_000 + guess}`)).toBe(401);
      expect(await from(address, '198.51.100.1:5000')).toBe(429);
      expect(await from(address, '198.51.100.1')).toBe(429);
      expect(await from(address, '[2001:db8:0:7::1]:443')).toBe(429);
      for (let guess = 0; guess < 5; guess++) expect(await from(address, '::ffff:192.0.2.1')).toBe(401);
      expect(await from(address, '192.0.2.1')).toBe(429);
      expect(await from(address, '::ffff:192.0.2.2')).toBe(401);
    });
  });

  test('with texts that are no addresses counts as one sender', async () => {
    await withSettings({ trustedProxies: ['127.0.0.1'] }, async ({ address }) => {
      for (let guess = 0; guess < 5; guess++) expect(await from(address, `_hidden${guess}`)).toBe(401);
      expect(await from(address, 'unknown')).toBe(429);
    });
  });
});

test('each further failure doubles the wait, a success ends it, and time forgets it', () => {
  let now = 0;
  const attempts = new FailedAttempts(2, () => now);
  const wait = () => waitOf(() => attempts.requireNotThrottled('key'));
  const waits = Array.from({ length: 9 }, () => {
    attempts.failed('key');
    return wait();
  });
  expect(waits).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60]);
  now += 59_000;
  expect(wait()).toBe(1);
  now += 1_000;
  expect(wait()).toBe(0);
  attempts.failed('key');
  expect(wait()).toBe(60);
  attempts.succeeded('key');
  expect(wait()).toBe(0);
});

test('a full bucket allows its burst, then refills steadily, each client for itself', () => {
  let now = 0;
  const limiter = new RateLimiter({ burst: 3, perSecond: 2 }, () => now);
  const wait = (client = 'demo') => waitOf(() => limiter.take(client));
  expect([wait(), wait(), wait(), wait()]).toEqual([0, 0, 0, 1]);
  expect(wait('other')).toBe(0);
  now += 500;
  expect([wait(), wait()]).toEqual([0, 1]);
  now += 60_000;
  expect([wait(), wait(), wait(), wait()]).toEqual([0, 0, 0, 1]);
});

test('a client over its rate is refused with the envelope and Retry-After, and another is not', async () => {
  await withSettings({ requestsPerSecond: 1 }, async ({ address }) => {
    const call = await callerAs(address);
    const replies = await Promise.all(Array.from({ length: 30 }, () => call('GetAccount', {})));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const reply of refused) expectTooMany(reply);
    const callOther = await callerAs(address, 'other');
    expect((await callOther('GetAccount', {})).status).toBe(200);
  });
});

test('a client that asks for too many tokens is refused with the envelope and Retry-After', async () => {
  await withSettings({ tokensPerMinute: 2 }, async ({ address }) => {
    const replies = [];
    for (let request = 0; request < 3; request++) replies.push(await tokenRequest(address, grant));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    replies.slice(2).forEach(expectTooMany);
  });
});

// Beyond every limit: what an address and a client may fail, and what may wait for a slow hash.
atSizes({ short: 80, long: 1_000 }, (wrongRequests) =>
  describe('a flood of wrong credentials from the address of a client', () => {
    const floods = {
      'of made-up clients': (index: number) => ({ ...grant, client_id: `guess-${index}` }),
      'in the name of the client': (index: number) => ({ ...grant, client_secret: `guess-${index}` }),
    };

    test.each(Object.entries(floods))(
      '%s does not delay a client with the right secret',
      async (_name, wrong) => {
        const { address } = shared;
        const statuses: number[] = [];
        let isAnswered = false;
        const guess = async () => {
          while (statuses.length < wrongRequests || !isAnswered)
            statuses.push((await tokenRequest(address, wrong(statuses.length))).status);
        };
        const flood = Array.from({ length: wrongRequests / 8 }, guess);
        await vi.waitUntil(() => statuses.includes(429), { timeout: 60_000, interval: 5 });
        // No secret was right before on this instance: nothing is remembered that could help.
        const { status } = await tokenRequest(address, grant);
        isAnswered = true;
        await Promise.all(flood);
        expect(status).toBe(200);
        expect(new Set(statuses)).toEqual(new Set([401, 429]));
        expect((await tokenRequest(address, grant)).status).toBe(200);
        const other = { ...grant, client_id: 'other', client_secret: 'other-secret' };
        expect((await tokenRequest(address, other)).status).toBe(200);
      },
    );
  }),
);
