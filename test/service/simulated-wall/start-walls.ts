// The wall program in the test's own process, with a folder of its own, against a service or a protocol peer.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import type { Wall } from '../../../service/simulated-wall/lockers/wall.ts';
import { type RunningWalls, startWalls } from '../../../service/simulated-wall/run.ts';
import type { WallDefinition } from '../../../service/simulated-wall/settings.ts';
import { ProtocolPeer } from './protocol-peer.ts';

export class TestWalls implements AsyncDisposable {
  readonly home: string;
  readonly serviceUrl: string;
  #running: RunningWalls | undefined;

  constructor(home: string, serviceUrl: string) {
    this.home = home;
    this.serviceUrl = serviceUrl;
  }

  async start(
    walls: WallDefinition[] = [{ pupUid: 'pup-1', clientId: 'wall-1', clientSecret: 'secret-1' }],
  ): Promise<void> {
    const settings = {
      home: this.home,
      host: '127.0.0.1',
      port: 0,
      hosts: [],
      serviceUrl: this.serviceUrl,
      logLevel: 'silent' as const,
      walls,
    };
    this.#running = await startWalls(settings, pino({ level: 'silent' }));
  }

  get address(): string {
    return this.#required.address;
  }

  wall(pupUid = 'pup-1'): Wall {
    const wall = this.#required.walls.get(pupUid);
    if (!wall) throw new TypeError(`no wall ${pupUid}`);
    return wall;
  }

  door(lockerUid: string) {
    const locker = this.wall()
      .view()
      .lockers.find((each) => each.lockerUid === lockerUid);
    if (!locker) throw new TypeError(`no locker ${lockerUid}`);
    return locker;
  }

  /** Everything that is on its disk. */
  memory = (pupUid = 'pup-1') => readFile(join(this.home, 'walls', `${pupUid}.json`), 'utf8');

  get #required(): RunningWalls {
    if (!this.#running) throw new TypeError('the walls are not started');
    return this.#running;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.home, { recursive: true, force: true });
  }
}

export const newTestWalls = async (serviceUrl: string) =>
  new TestWalls(await mkdtemp(join(tmpdir(), 'lockerflow-wall-')), serviceUrl);

/** A wall that is connected to a peer; both end with the stack. */
export async function wallAndPeer(
  stack: AsyncDisposableStack,
): Promise<{ walls: TestWalls; peer: ProtocolPeer }> {
  const peer = stack.use(new ProtocolPeer());
  const walls = stack.use(await newTestWalls(await peer.listen()));
  await walls.start();
  // The first hello tells no doors, the second those that the service named.
  await peer.heardOf('hello', 2);
  await vi.waitFor(() => expect(walls.wall().view().isConnected).toBe(true), { timeout: 30_000 });
  return { walls, peer };
}
