// The wall program as a process that is killed again and again, at each moment of an opening. What it tells afterwards is
// what happened: a command has opened its door once or never, and the service hears of each opening once.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WallMessage } from '../../../../contract/wall/wall-messages.ts';
import type { Child } from '../../../../local/child-process.ts';
import { ProtocolPeer } from '../../../service/simulated-wall/protocol-peer.ts';
import { nodeProgram } from '../../../support/processes/node-program.ts';
import { temporaryFolder } from '../../../support/set-up-process.ts';

/** The wall is killed as soon as the service hears this, or as soon as it has sent the command. */
const moments = ['openDoor', 'taken', 'doorOpened', 'doorOpened', 'taken', 'openDoor'] as const;

test('a wall that is killed at any moment of an opening has opened the door once or never, and tells which', async () => {
  await using stack = new AsyncDisposableStack();
  const home = await temporaryFolder();
  const peer = stack.use(new ProtocolPeer());
  const env = {
    ...process.env,
    LOCKERFLOW_HOME: home,
    WALL_PORT: '0',
    WALL_SERVICE_URL: await peer.listen(),
  };
  const walls = [{ pupUid: 'pup-1', clientId: 'wall-1', clientSecret: 'secret-1' }];
  await writeFile(join(home, 'walls.yaml'), JSON.stringify({ walls }));
  let child: Child | undefined;
  stack.defer(() => child?.kill());
  const start = async () => {
    const hellos = peer.of('hello').length;
    child = nodeProgram(['service/simulated-wall/main.ts'], { env });
    // The first wall has no doors yet, and says hello again with them.
    const expected = hellos === 0 ? 2 : hellos + 1;
    return (await peer.heardOf('hello', expected)).at(-1);
  };
  await start();
  for (const [index, moment] of moments.entries()) {
    const commandId = `c-${index}`;
    const lockerUid = `pup-1-${(index % 3) + 1}`;
    // It has not kept what the killed wall told last.
    peer.acknowledges = false;
    const killed = killedAt(peer, moment, () => child?.kill());
    peer.openDoor(commandId, lockerUid, 60_000);
    if (moment === 'openDoor') await child?.kill();
    else await killed;
    peer.acknowledges = true;
    const hello = await start();
    peer.say({ type: 'ask', commandId });
    const told = await peer.heardOf('commandState', index + 1);
    const state = told.at(-1)?.state;
    expect(state, `${index}: killed at ${moment}`).toBeOneOf(['opened', 'unknown', 'waiting']);
    const listed = hello?.commands.find((each) => each.commandId === commandId);
    // One that was written down and not carried out is carried out now.
    if (listed) await expect.poll(() => openings(peer, commandId).size).toBe(1);
    else expect([state, openings(peer, commandId).size]).toEqual(['unknown', 0]);
    const door = hello?.doors.find((each) => each.lockerUid === lockerUid)?.door;
    if (listed?.state === 'opened') expect(door).toBe('open');
    // Once more, as a service would never do: nothing happens.
    peer.openDoor(commandId, lockerUid, 60_000);
    await expect.poll(() => peer.of('taken').at(-1)?.commandId).toBe(commandId);
    expect(openings(peer, commandId).size).toBe(listed ? 1 : 0);
  }
});

/** The ids of the messages that tell of it: one that is sent again has the same. */
const openings = (peer: ProtocolPeer, commandId: string): Set<number> =>
  new Set(
    peer
      .of('doorOpened')
      .filter((each) => each.commandId === commandId)
      .map(({ id }) => id),
  );

function killedAt(peer: ProtocolPeer, moment: string, kill: () => Promise<void> | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  peer.onHeard = ({ type }: WallMessage) => {
    if (type !== moment) return;
    peer.onHeard = () => undefined;
    resolve(kill());
  };
  return promise;
}
