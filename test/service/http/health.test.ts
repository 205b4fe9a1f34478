// Health checks cost strangers' questions nothing, and tell them nothing but whether the service is ready.
import fastify, { type FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { addHealth } from '../../../service/http/health.ts';
import { createLog } from '../../../service/log.ts';
import { withDatabase } from '../../support/database.ts';
import { withService } from '../../support/service.ts';

afterEach(() => void vi.useRealTimers());

const STRANGER = '203.0.113.7';

test('the database is asked once a second for any number of requests, and a change shows a second later', () =>
  withDatabase(async ({ database }) => {
    let statements = 0;
    const counted = database.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const app = fastify();
    addHealth(app, counted);
    vi.useFakeTimers({ toFake: ['performance'] });
    const statuses = async (count: number) => {
      const asked = Array.from({ length: count }, () => app.inject({ url: '/health/ready' }));
      return new Set((await Promise.all(asked)).map(({ statusCode }) => statusCode));
    };
    expect(await statuses(200)).toEqual(new Set([200]));
    const ofOneLook = statements;
    expect(ofOneLook).toBeGreaterThan(0);
    expect(await statuses(200)).toEqual(new Set([200]));
    expect(statements).toBe(ofOneLook);
    await sql`alter table migrations rename to elsewhere`.execute(database);
    vi.advanceTimersByTime(1_000);
    expect(await statuses(200)).toEqual(new Set([503]));
    await sql`alter table elsewhere rename to migrations`.execute(database);
    vi.advanceTimersByTime(1_000);
    expect(await statuses(1)).toEqual(new Set([200]));
  }));

test('the reason for not being ready goes to this machine and to the log only', () =>
  withDatabase(async ({ database }) => {
    await sql`delete from migrations where name = (select max(name) from migrations)`.execute(database);
    const lines: string[] = [];
    const loggerInstance: FastifyBaseLogger = createLog('warn', { write: (line) => void lines.push(line) });
    const app = fastify({ loggerInstance });
    addHealth(app, database);
    const answer = async (remoteAddress: string, headers = {}) => {
      const { statusCode, body } = await app.inject({ url: '/health/ready', remoteAddress, headers });
      expect(statusCode).toBe(503);
      return JSON.parse(body);
    };
    const known = { status: 'not ready', reason: expect.stringMatching(/The schema lacks \d{4}-/) };
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(await answer(address)).toEqual(known);
    const unknown = { status: 'not ready' };
    expect(await answer(STRANGER)).toEqual(unknown);
    // By a proxy on this machine.
    expect(await answer('127.0.0.1', { 'x-forwarded-for': STRANGER })).toEqual(unknown);
    expect(await answer('127.0.0.1', { forwarded: `for=${STRANGER}` })).toEqual(unknown);
    // Once for one look, however many asked.
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('The schema lacks');
  }));

test('the health checks answer, and are logged at the level of debugging: machines ask every few seconds', () =>
  withService(async ({ address, logLines }) => {
    for (const path of ['/health/live', '/health/ready'])
      expect((await fetch(address + path)).status).toBe(200);
    const asked = () => logLines.filter(({ operation }) => `${operation}`.startsWith('/health/'));
    await vi.waitUntil(() => asked().length === 2, { timeout: 30_000 });
    expect(asked()).toMatchObject([{ level: 20 }, { level: 20 }]);
  }));
