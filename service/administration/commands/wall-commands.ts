// wall create, wall list, wall openings. A wall is an API client that is bound to one pick up point: the commands client rotate,
// client retire and client revoke work on it too.
import type { Command } from 'commander';
import { table } from '../../../shared/terminal/terminal.ts';
import { newClientSecret } from '../../token/api-clients.ts';
import { ensureApiClient } from '../api-clients.ts';
import { ownPickUpPointId } from '../pick-up-points.ts';
import { tenantIdOf } from '../tenants.ts';
import { type DoubtfulOpening, doubtfulOpenings, ensureWall, wallsOf } from '../walls.ts';
import type { Administer } from './administer.ts';
import { auditCommand } from './administer.ts';
import { readClientId, readUid } from './arguments.ts';

/** A person looks at each: more would not be read. */
const MAX_OPENINGS = 100;

export function addWallCommands(parent: Command, administer: Administer): void {
  const wall = parent.command('wall').description('the credentials of lockers’ walls, and their connections');
  addOpenings(wall, administer);

  wall
    .command('create')
    .description('make credentials for the wall of a pick up point and print the secret')
    .argument('<tenantUid>', 'the tenant of the pick up point', readUid)
    .argument('<pupUid>', 'the pick up point whose doors the wall opens', readUid)
    .argument('<clientId>', 'the client_id of the wall', readClientId)
    .action((tenantUid: string, pupUid: string, clientId: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const pickUpPointId = await ownPickUpPointId(transaction, tenantId, pupUid);
        const clientSecret = newClientSecret();
        const outcome = await ensureApiClient(transaction, tenantId, clientId, clientSecret, {
          wallPickUpPointId: pickUpPointId,
        });
        if (outcome === 'revoked')
          throw new Error(`The client ${clientId} was revoked: choose another client_id for the new wall`);
        if (outcome === 'unchanged')
          return {
            words: `wall ${clientId} was there already, unchanged; a new secret is made with: client rotate`,
            data: { clientId, pupUid, created: false },
          };
        await ensureWall(transaction, pickUpPointId);
        await auditCommand(transaction, command, tenantId, [clientId, pupUid]);
        return {
          words: `wall ${clientId} of ${pupUid} has a secret, which is shown this once:\n${clientSecret}`,
          data: { clientId, pupUid, created: true, clientSecret },
        };
      }),
    );

  wall
    .command('list')
    .description('the pick up points of a tenant that have a wall, and whether it is connected')
    .argument('<tenantUid>', 'the tenant', readUid)
    .action((tenantUid: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const walls = await wallsOf(transaction, await tenantIdOf(transaction, tenantUid));
        const rows = walls.map(({ pupUid, clientIds, isConnected, waiting }) => [
          pupUid,
          clientIds.join(', '),
          isConnected ? 'connected' : 'not connected',
          String(waiting),
        ]);
        const words = table(['pick up point', 'clients', 'wall', 'openings without an outcome'], rows);
        return {
          words: rows.length > 0 ? words.join('\n') : `no pick up point of ${tenantUid} has a wall`,
          data: { tenantUid, walls },
        };
      }),
    );
}

function addOpenings(wall: Command, administer: Administer): void {
  wall
    .command('openings')
    .description('doors that opened without a change of their shipment, newest first: a person should look')
    .argument('<tenantUid>', 'the tenant', readUid)
    .action((tenantUid: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const openings = await doubtfulOpenings(transaction, tenantId, MAX_OPENINGS);
        const words = table(
          ['opened', 'locker', 'shipment', 'for', 'by', 'meaning', 'why'],
          openings.map(wordsOf),
        );
        return {
          words:
            openings.length > 0 ? words.join('\n') : `every door of ${tenantUid} that opened had a meaning`,
          data: { tenantUid, openings },
        };
      }),
    );
}

const wordsOf = (opening: DoubtfulOpening): string[] => [
  opening.openedAt.toISOString(),
  `${opening.pupUid}/${opening.lockerName}`,
  opening.shipmentUid ?? 'unknown',
  opening.goal ?? '',
  opening.operation,
  opening.meaning,
  opening.reason,
];
