// A controller in another language, written from docs/walls.md alone (python/wall.py), at the real service: a
// drop-off and a pick-up, and a power cut between them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Child, startChild } from '../../../scripts/child-process.ts';
import { type Python, pythonWith } from '../../support/python/python.ts';
import { withService } from '../../support/service.ts';
import { wallOf } from '../../support/wall.ts';
import { newWall } from '../../support/walls/new-wall.ts';

// The package may have to be installed first.
const PATIENCE_MS = 300_000;

class PythonWall implements AsyncDisposable {
  readonly #process: Child;

  constructor({ program, env }: Python, args: readonly string[]) {
    const path = join(import.meta.dirname, 'python/wall.py');
    this.#process = startChild(program, [path, ...args], { env, input: 'open' });
  }

  type(code: string): void {
    this.#process.stdin?.write(`${code}\n`);
  }

  said(word: string, times = 1): Promise<unknown> {
    return this.#process.until(() => this.#process.said().split(word).length > times);
  }

  output = (): string => this.#process.said();

  kill(): Promise<void> {
    return this.#process.kill();
  }

  [Symbol.asyncDispose] = () => this.kill();
}

test(
  'a wall in Python, written from the page alone, plays a drop-off and a pick-up, with a power cut between them',
  async ({ skip }) => {
    const python = await pythonWith('websockets');
    if (typeof python === 'string') return skip(python);
    const folder = await mkdtemp(join(tmpdir(), 'wall-'));
    await withService(async ({ address, url }) => {
      const tenant = await wallOf(address);
      const { clientId, clientSecret } = await newWall(url, 'demo', 'pup-central');
      const doors = (await tenant.lockers()).map(({ lockerUid }) => lockerUid);
      const args = [address, clientId, clientSecret, join(folder, 'disk.json'), ...doors];
      const [shipmentUid] = await tenant.book('CreateLocalShipment');
      const { deliveryCode, pickUpCode } = await tenant.codes(shipmentUid);
      const opened = `opened pup-central-${(await tenant.shipment(shipmentUid)).lockerName}`;
      {
        await using wall = new PythonWall(python, args);
        wall.type('no code');
        await wall.said('InvalidAccessCode');
        wall.type(`${deliveryCode}`);
        await wall.said(opened);
        await wall.said('forget');
        await expect.poll(() => tenant.states(shipmentUid)).toEqual(['ReadyForPickup']);
      }
      await using again = new PythonWall(python, args);
      await again.said('welcome');
      again.type(`${pickUpCode}`);
      await again.said(opened);
      await expect.poll(() => tenant.states(shipmentUid)).toEqual(['Completed']);
      expect(again.output()).not.toContain('refused');
    });
    await rm(folder, { recursive: true });
  },
  PATIENCE_MS,
);
