// A controller in another language, written from docs/wall-protocol.md alone (python/wall.py), at the real service: a
// drop-off and a pick-up, and a power cut between them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { type Python, pythonWith } from '../../support/python.ts';
import { withService } from '../../support/service.ts';
import { wallOf } from '../../support/wall.ts';
import { newWall } from '../../support/walls/new-wall.ts';

// The package may have to be installed first.
const PATIENCE_MS = 180_000;

class PythonWall implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;

  constructor({ program, env }: Python, args: readonly string[]) {
    const path = join(import.meta.dirname, 'python/wall.py');
    this.#process = spawn(program, [path, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      if (stream) createInterface(stream).on('line', (line) => this.lines.push(line));
  }

  type(code: string): void {
    this.#process.stdin?.write(`${code}\n`);
  }

  said(word: string, times = 1): Promise<unknown> {
    const count = () => this.lines.filter((line) => line.includes(word)).length;
    return expect
      .poll(count, { timeout: 30_000, message: this.lines.join('\n') })
      .toBeGreaterThanOrEqual(times);
  }

  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
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
      expect(again.lines.filter((line) => line.includes('refused'))).toEqual([]);
    });
    await rm(folder, { recursive: true });
  },
  PATIENCE_MS,
);
