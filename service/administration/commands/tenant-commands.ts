// tenant create, tenant list.

import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { table } from '../../../shared/terminal/terminal.ts';
import { allTenants, ensureTenant } from '../tenants.ts';
import type { Administer } from './administer.ts';
import { auditCommand } from './administer.ts';
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
        const { tenantId, created } = await ensureTenant(transaction, { tenantUid, name, mainAccount });
        if (created) await auditCommand(transaction, command, tenantId);
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
        const rows = tenants.map(({ tenantUid, name, mainUserUid }) => [tenantUid, name, `${mainUserUid}`]);
        const words = table(['tenant', 'name', 'main account'], rows).join('\n');
        return { words: rows.length > 0 ? words : 'there are no tenants', data: { tenants } };
      }),
    );
}
