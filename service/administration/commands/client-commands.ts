// client create, client rotate, client retire, client revoke, client list. The service cannot show a stored secret: it
// keeps only the hash. It prints a new secret once.
import type { Command } from 'commander';
import { addYesOption, type ConfirmOptions, confirm } from '../../../shared/terminal/confirm.ts';
import { type Terminal, table } from '../../../shared/terminal/terminal.ts';
import { newClientSecret } from '../../token/api-clients.ts';
import {
  addClientSecret,
  clientsOf,
  ensureApiClient,
  removeOlderSecret,
  revokeApiClient,
} from '../api-clients.ts';
import { tenantIdOf } from '../tenants.ts';
import type { Administer } from './administer.ts';
import { auditCommand } from './administer.ts';
import { readClientId, readScope, readUid } from './arguments.ts';

export function addClientCommands(parent: Command, administer: Administer, terminal: Terminal): void {
  const client = parent.command('client').description('API clients and their secrets');
  addCreation(client, administer);
  addRotation(client, administer);
  addRetirement(client, administer, terminal);

  addYesOption(
    client
      .command('revoke')
      .description('end a client for good, with all of its secrets, tokens and wall connections')
      .argument('<clientId>', 'its client_id', readClientId),
  ).action(async (clientId: string, options: ConfirmOptions, command: Command) => {
    await confirm(terminal, command, options, `revoke the client ${clientId} for good?`);
    await administer(command, async (transaction) => {
      const tenantId = await revokeApiClient(transaction, clientId);
      await auditCommand(transaction, command, tenantId, [clientId]);
      return { words: `client ${clientId} is revoked`, data: { clientId, revoked: true } };
    });
  });

  client
    .command('list')
    .description('the API clients of a tenant, without their secrets')
    .argument('<tenantUid>', 'the tenant', readUid)
    .action((tenantUid: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const clients = await clientsOf(transaction, await tenantIdOf(transaction, tenantUid));
        const rows = clients.map(({ clientId, createdAt, secrets, revoked, wallOf, scopes }) => [
          clientId,
          createdAt.toISOString().slice(0, 19).replace('T', ' '),
          (revoked ? 'revoked' : `${secrets} valid`) + (wallOf === null ? '' : `, the wall of ${wallOf}`),
          scopes?.join(' ') ?? '',
        ]);
        const words = table(['client', 'made (UTC)', 'secrets', 'scopes'], rows).join('\n');
        return {
          words: rows.length > 0 ? words : `tenant ${tenantUid} has no clients`,
          data: { tenantUid, clients },
        };
      }),
    );
}

interface ScopeOption {
  readonly scope?: readonly string[];
}

function addCreation(client: Command, administer: Administer): void {
  client
    .command('create')
    .description('make an API client of a tenant and print its secret; an existing client stays as it is')
    .argument('<tenantUid>', 'the tenant that it acts for', readUid)
    .argument('<clientId>', 'its client_id', readClientId)
    .option(
      '--scope <scope...>',
      "scopes of the HTTP API of processes, instead of the locker service's operations: flows:read, flows:start, flows:start:<Flow>, flows:decide, flows:publish, inbox:<name>",
      readScope,
    )
    .action((tenantUid: string, clientId: string, { scope }: ScopeOption, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const clientSecret = newClientSecret();
        const flowScopes = scope ?? null;
        const outcome = await ensureApiClient(transaction, tenantId, clientId, clientSecret, { flowScopes });
        if (outcome === 'revoked')
          throw new Error(`The client ${clientId} was revoked: choose another client_id for the new client`);
        if (outcome === 'created') await auditCommand(transaction, command, tenantId, [clientId]);
        if (outcome === 'created')
          return {
            words: secretWords(clientId, clientSecret),
            data: { clientId, created: true, clientSecret },
          };
        const words = `client ${clientId} was there already, unchanged; a new secret is made with: client rotate`;
        return { words, data: { clientId, created: false } };
      }),
    );
}

function addRotation(client: Command, administer: Administer): void {
  client
    .command('rotate')
    .description('add a second secret and print it; the first stays valid until it is retired')
    .argument('<clientId>', 'its client_id', readClientId)
    .action((clientId: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const clientSecret = newClientSecret();
        const tenantId = await addClientSecret(transaction, clientId, clientSecret);
        await auditCommand(transaction, command, tenantId, [clientId]);
        return { words: secretWords(clientId, clientSecret), data: { clientId, clientSecret } };
      }),
    );
}

function addRetirement(client: Command, administer: Administer, terminal: Terminal): void {
  addYesOption(
    client
      .command('retire')
      .description('end the older of two secrets; within 5 s its tokens and wall connections end too')
      .argument('<clientId>', 'its client_id', readClientId),
  ).action(async (clientId: string, options: ConfirmOptions, command: Command) => {
    await confirm(terminal, command, options, `end the older secret of the client ${clientId}?`);
    await administer(command, async (transaction) => {
      const { tenantId, retired } = await removeOlderSecret(transaction, clientId);
      if (retired) await auditCommand(transaction, command, tenantId, [clientId]);
      const words = retired ? 'the older secret is retired' : 'there is only one secret, unchanged';
      return { words: `client ${clientId}: ${words}`, data: { clientId, retired } };
    });
  });
}

const secretWords = (clientId: string, clientSecret: string) =>
  `client ${clientId} has a new secret, which is shown this once:\n${clientSecret}`;
