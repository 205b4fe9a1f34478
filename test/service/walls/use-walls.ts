// A service for each test, a tenant at work, and the walls of its pick up points, which are cut off after the test.
import { afterEach } from 'vitest';
import { createTestService } from '../../support/service.ts';
import { useInTest } from '../../support/use.ts';
import { wallOf } from '../../support/wall.ts';
import { newWall } from '../../support/walls/new-wall.ts';
import {
  type ControllerOptions,
  WallController,
  type WallCredentials,
  wallSocket,
} from '../../support/walls/wall-controller.ts';

/** `usual`: what the controllers of a file have in common. */
export function useWalls(usual: Partial<ControllerOptions> = {}) {
  const service = useInTest(() => createTestService());
  const tenant = useInTest(() => wallOf(service.address));
  /** Of the wall of pup-central. */
  const credentials = useInTest(() => newWall(service.url, 'demo', 'pup-central'));
  const opened: { cut(): void }[] = [];
  afterEach(() => {
    for (const each of opened.splice(0)) each.cut();
  });
  return {
    service,
    tenant,
    credentials,
    /** The wall of pup-central, or another one by its credentials. */
    async connect(changes: Partial<ControllerOptions> = {}, pupUid = 'pup-central'): Promise<WallController> {
      const lockerUids = (await tenant.lockers(pupUid)).map(({ lockerUid }) => lockerUid);
      const own = { ...credentials, address: service.address, lockerUids, ...usual };
      const controller = await WallController.connected({ ...own, ...changes });
      opened.push(controller);
      return controller;
    },
    /** A bare connection, which says what the test says. */
    async socketOf(by: WallCredentials, options?: Parameters<typeof wallSocket>[2]) {
      const socket = await wallSocket(service.address, by, options);
      opened.push({ cut: () => socket.terminate() });
      return socket;
    },
  };
}
