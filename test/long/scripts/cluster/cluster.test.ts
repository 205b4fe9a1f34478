// `npm run cluster`, less its builds, which take minutes: where the cache has the programs, all of it comes up, a flow runs to
// its end, and nothing is left. It starts twenty processes.
import { existsSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { missingPrograms } from '../../../../scripts/cluster/programs.ts';
import { shape } from '../../../../scripts/cluster/shape.ts';
import { productionBundle } from '../../../support/bundles.ts';
import { callerAs } from '../../../support/caller.ts';
import { freePorts, isAlive, processesUnder, startLocal } from '../../../support/processes/local-program.ts';

// Twenty processes on two cores that other tests keep busy.
const PATIENCE_MS = 300_000;
const PORTS = [
  'POSTGRES_PORT',
  'SERVICE_PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'CALLBACK_PORT',
  'WALL_PORT',
  'CONSOLE_PORT',
] as const;

test(
  'the cluster comes up, plays a flow to its end, mends what dies, and leaves nothing',
  async ({ skip }) => {
    const missing = await missingPrograms();
    if (missing.length > 0)
      return skip(`${missing.join(', ')} are not built yet: npm run cluster -- --only-build`);
    const ports = await freePorts(PORTS);
    const { processId, signal, exitCode, said } = startLocal('cluster/main.ts', {
      ...ports,
      WORKER_WORKFLOW_BUNDLE: await productionBundle(),
    });
    const says = (words: RegExp) =>
      vi.waitUntil(() => words.exec(said()) ?? /^lockerflow: .*/m.exec(said()), { timeout: PATIENCE_MS });
    expect((await says(/the cluster is up/))[0]).toBe('the cluster is up');
    expect(said()).toContain('demo: Done: issue Completed, intake Completed, circularStock ReadyForPickup');
    const folder = /data and logs are in (\S+)/.exec(said())?.[1] ?? '';
    const { temporal, ...instances } = shape;
    const count = (words: string) =>
      [...said().matchAll(new RegExp(`^info +${words}( \\d)?: `, 'gm'))].length;
    for (const [role, wanted] of Object.entries(temporal)) expect(count(`Temporal ${role}`)).toBe(wanted);
    expect({ service: count('Service'), receiver: count('Receiver'), worker: count('Worker') }).toEqual(
      instances,
    );
    expect((await fetch(`http://127.0.0.1:${ports.TEMPORAL_UI_PORT}`)).status).toBe(200);

    // One service dies: the other one takes the requests meanwhile. What goes to the dead one over a connection that was open
    // may have reached it, so the balancer does not send it a second time: its sender does.
    const processes = await processesUnder(await processId);
    const call = await callerAs(`http://127.0.0.1:${ports.SERVICE_PORT}`);
    process.kill(processes.find(({ args }) => args.includes('service/main.ts'))?.pid ?? 0, 'SIGKILL');
    const answered = async () =>
      expect((await call('GetShipments', { pageNo: 1, pageSize: 1 })).body.success).toBe(true);
    for (let number = 0; number < 10; number += 1) await vi.waitFor(answered, { timeout: PATIENCE_MS });
    await says(/Service \d: is up again/);

    const kept = (await processesUnder(await processId)).map(({ pid }) => pid);
    expect(kept.length).toBeGreaterThan(15);
    await signal('SIGINT');
    await signal('SIGINT');
    expect(await exitCode).toBe(0);
    expect(existsSync(folder)).toBe(false);
    // The shell of one that was just started again may need a moment.
    await vi.waitFor(() => expect(kept.filter(isAlive)).toEqual([]), { timeout: PATIENCE_MS });
  },
  2 * PATIENCE_MS,
);
