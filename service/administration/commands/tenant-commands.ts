// tenant create, tenant list.

import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { allTenants, ensureTenant } from '../tenants.ts';
import type { Administer } from './administer.ts';
import { readEmailAddress, readText, readUid } from './arguments.ts';

interface CreateOptions {
  readonly name: string;
  readonly email: string;
}

export function addTenantCommands(parent: Command, administer: Administer): void {
  const tenant = parent.command('tenant').description('tenants');

  tenant
    .command('create')
    .description('make a tenant with its main account, the dispatcher; an existing one stays as it is')
    .argument('<tenantUid>', 'the uid of the tenant', readUid)
    .requiredOption('--name <name>', 'its name', readText)
    .requiredOption('--email <address>', 'the e-mail address of its main account', readEmailAddress)
    .action((tenantUid: string, { name, email }: CreateOptions, command: Command) =>
      administer(command, async (transaction) => {
        const mainAccount = { userUid: randomUUID(), emailAddress: email };
        const { created } = await ensureTenant(transaction, { tenantUid, name, mainAccount });
        const words = `tenant ${tenantUid} ${created ? 'is made' : 'was there already, unchanged'}`;
        return { words, data: { tenantUid, created } };
      }),
    );

  tenant
    .command('list')
    .description('all tenants')
    .action((_options, command: Command) =>
      administer(command, async (transaction) => {
        const tenants = await allTenants(transaction);
        const lines = tenants.map(
          ({ tenantUid, name, mainUserUid }) => `${tenantUid}  ${name}  ${mainUserUid}`,
        );
        return { words: lines.join('\n'), data: { tenants } };
      }),
    );
}
