// tenant create, tenant list; client create, client rotate, client retire, client revoke, client list; wall create, wall list, wall
// openings. A wall is an API client that is bound to one pick up point: client rotate, retire and revoke work on it too. The
// service cannot show a stored secret: it keeps only the hash. It prints a new secret once.
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { flowScopes } from '../../../contract/wire/token.ts';
import { addYesOption, type ConfirmOptions, confirm } from '../../../shared/terminal/confirm.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { newClientSecret } from '../../token/api-clients.ts';
import {
  addClientSecret,
  clientsOf,
  ensureApiClient,
  removeOlderSecret,
  revokeApiClient,
} from '../api-clients.ts';
import { ownPickUpPointId } from '../pick-up-points.ts';
import { allTenants, ensureTenant } from '../tenants.ts';
import { type DoubtfulOpening, doubtfulOpenings, ensureWall, wallsOf } from '../walls.ts';
import { type Administer, auditCommand, ofTenant, rowsOr, tenantVerb } from './administer.ts';
import { readClientId, readEmailAddress, readScope, readText, readUid } from './arguments.ts';

/** A person looks at each: more would not be read. */
const MAX_OPENINGS = 100;

export function addTenantCommands(parent: Command, administer: Administer): void {
  const tenant = parent.command('tenant').description('tenants');

  const create = 'make a tenant with its main account, the dispatcher; an existing one stays as it is';
  tenantVerb(tenant, 'create', create, 'the uid of the tenant')
    .requiredOption('--name <name>', 'its name', readText)
    .requiredOption('--email <address>', 'the e-mail address of its main account', readEmailAddress)
    .action(
      (tenantUid: string, options: { readonly name: string; readonly email: string }, command: Command) =>
        administer(command, async (transaction) => {
          const mainAccount = { userUid: randomUUID(), emailAddress: options.email };
          const wanted = { tenantUid, name: options.name, mainAccount };
          const { tenantId, created } = await ensureTenant(transaction, wanted);
          if (created) await auditCommand(transaction, command, tenantId);
          const text = `tenant ${tenantUid} ${created ? 'is made' : 'was there already, unchanged'}`;
          return { text, data: { tenantUid, created } };
        }),
    );

  tenant
    .command('list')
    .description('all tenants')
    .action((_options, command: Command) =>
      administer(command, async (transaction) => {
        const tenants = await allTenants(transaction);
        const rows = tenants.map(({ tenantUid, name, mainUserUid }) => [tenantUid, name, `${mainUserUid}`]);
        const text = rowsOr('there are no tenants', ['tenant', 'name', 'main account'], rows);
        return { text, data: { tenants } };
      }),
    );
}

export function addClientCommands(parent: Command, administer: Administer, terminal: Terminal): void {
  const client = parent.command('client').description('API clients and their secrets');
  const clientVerb = (name: string, description: string) =>
    client.command(name).description(description).argument('<clientId>', 'its client_id', readClientId);
  addCreation(client, administer);

  clientVerb('rotate', 'add a second secret and print it; the first stays valid until it is retired').action(
    (clientId: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const clientSecret = newClientSecret();
        const tenantId = await addClientSecret(transaction, clientId, clientSecret);
        await auditCommand(transaction, command, tenantId, [clientId]);
        return { text: formatSecret(clientId, clientSecret), data: { clientId, clientSecret } };
      }),
  );

  const retire = 'end the older of two secrets; within 5 s its tokens and wall connections end too';
  addYesOption(clientVerb('retire', retire)).action(
    async (clientId: string, options: ConfirmOptions, command: Command) => {
      await confirm(terminal, command, options, `end the older secret of the client ${clientId}?`);
      await administer(command, async (transaction) => {
        const { tenantId, retired } = await removeOlderSecret(transaction, clientId);
        if (retired) await auditCommand(transaction, command, tenantId, [clientId]);
        const text = retired ? 'the older secret is retired' : 'there is only one secret, unchanged';
        return { text: `client ${clientId}: ${text}`, data: { clientId, retired } };
      });
    },
  );

  const revoke = 'end a client for good, with all of its secrets, tokens and wall connections';
  addYesOption(clientVerb('revoke', revoke)).action(
    async (clientId: string, options: ConfirmOptions, command: Command) => {
      await confirm(terminal, command, options, `revoke the client ${clientId} for good?`);
      await administer(command, async (transaction) => {
        const tenantId = await revokeApiClient(transaction, clientId);
        await auditCommand(transaction, command, tenantId, [clientId]);
        return { text: `client ${clientId} is revoked`, data: { clientId, revoked: true } };
      });
    },
  );

  tenantVerb(client, 'list', 'the API clients of a tenant, without their secrets').action(
    ofTenant(administer, async ({ transaction, tenantId, tenantUid }) => {
      const clients = await clientsOf(transaction, tenantId);
      const rows = clients.map(({ clientId, createdAt, secrets, revoked, wallOf, scopes }) => [
        clientId,
        createdAt.toISOString().slice(0, 19).replace('T', ' '),
        (revoked ? 'revoked' : `${secrets} valid`) + (wallOf === null ? '' : `, the wall of ${wallOf}`),
        scopes?.join(' ') ?? '',
      ]);
      const headings = ['client', 'made (UTC)', 'secrets', 'scopes'];
      return { text: rowsOr(`tenant ${tenantUid} has no clients`, headings, rows), data: { clients } };
    }),
  );
}

function addCreation(client: Command, administer: Administer): void {
  const create = 'make an API client of a tenant and print its secret; an existing client stays as it is';
  tenantVerb(client, 'create', create, 'the tenant that it acts for')
    .argument('<clientId>', 'its client_id', readClientId)
    .option(
      '--scope <scope...>',
      `scopes of the HTTP API of processes, instead of the locker service's operations: ${flowScopes.join(', ')}`,
      readScope,
    )
    .action(
      ofTenant(
        administer,
        async (tenant, clientId: string, options: { readonly scope?: readonly string[] }) => {
          const clientSecret = newClientSecret();
          const use = { flowScopes: options.scope ?? null };
          const { transaction, tenantId } = tenant;
          const outcome = await ensureApiClient(transaction, tenantId, clientId, clientSecret, use);
          if (outcome === 'revoked')
            throw new Error(
              `The client ${clientId} was revoked: choose another client_id for the new client`,
            );
          if (outcome === 'unchanged')
            return { text: formatUnchanged('client', clientId), data: { clientId, created: false } };
          const data = { clientId, created: true, clientSecret };
          return { text: formatSecret(clientId, clientSecret), data, changed: [clientId] };
        },
      ),
    );
}

const formatSecret = (clientId: string, clientSecret: string) => [
  `client ${clientId} has a new secret, which is shown this once:`,
  clientSecret,
];

const formatUnchanged = (what: string, clientId: string) =>
  `${what} ${clientId} was there already, unchanged; a new secret is made with: client rotate`;

export function addWallCommands(parent: Command, administer: Administer): void {
  const wall = parent.command('wall').description('the credentials of lockers’ walls, and their connections');

  const openings = 'doors that opened without a change of their shipment, newest first: a person should look';
  tenantVerb(wall, 'openings', openings).action(
    ofTenant(administer, async ({ transaction, tenantId, tenantUid }) => {
      const found = await doubtfulOpenings(transaction, tenantId, MAX_OPENINGS);
      const headings = ['opened', 'locker', 'shipment', 'for', 'by', 'meaning', 'why'];
      const text = rowsOr(`every door of ${tenantUid} that opened had a meaning`, headings, found.map(rowOf));
      return { text, data: { openings: found } };
    }),
  );

  const create = 'make credentials for the wall of a pick up point and print the secret';
  tenantVerb(wall, 'create', create, 'the tenant of the pick up point')
    .argument('<pupUid>', 'the pick up point whose doors the wall opens', readUid)
    .argument('<clientId>', 'the client_id of the wall', readClientId)
    .action(
      ofTenant(administer, async ({ transaction, tenantId }, pupUid: string, clientId: string) => {
        const wallPickUpPointId = await ownPickUpPointId(transaction, tenantId, pupUid);
        const clientSecret = newClientSecret();
        const use = { wallPickUpPointId };
        const outcome = await ensureApiClient(transaction, tenantId, clientId, clientSecret, use);
        if (outcome === 'revoked')
          throw new Error(`The client ${clientId} was revoked: choose another client_id for the new wall`);
        if (outcome === 'unchanged')
          return { text: formatUnchanged('wall', clientId), data: { clientId, pupUid, created: false } };
        await ensureWall(transaction, wallPickUpPointId);
        return {
          text: [`wall ${clientId} of ${pupUid} has a secret, which is shown this once:`, clientSecret],
          data: { clientId, pupUid, created: true, clientSecret },
          changed: [clientId, pupUid],
        };
      }),
    );

  const list = 'the pick up points of a tenant that have a wall, and whether it is connected';
  tenantVerb(wall, 'list', list).action(
    ofTenant(administer, async ({ transaction, tenantId, tenantUid }) => {
      const walls = await wallsOf(transaction, tenantId);
      const rows = walls.map(({ pupUid, clientIds, isConnected, waiting }) => [
        pupUid,
        clientIds.join(', '),
        isConnected ? 'connected' : 'not connected',
        String(waiting),
      ]);
      const headings = ['pick up point', 'clients', 'wall', 'openings without an outcome'];
      return {
        text: rowsOr(`no pick up point of ${tenantUid} has a wall`, headings, rows),
        data: { walls },
      };
    }),
  );
}

const rowOf = (opening: DoubtfulOpening): string[] => [
  opening.openedAt.toISOString(),
  `${opening.pupUid}/${opening.lockerName}`,
  opening.shipmentUid ?? 'unknown',
  opening.goal ?? '',
  opening.operation,
  opening.meaning,
  opening.reason,
];
