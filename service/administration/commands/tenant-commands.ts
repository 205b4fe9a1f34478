// tenant create, tenant answers, tenant list.

import { randomUUID } from 'node:crypto';
import { Argument, type Command } from 'commander';
import { table } from '../../../shared/terminal/table.ts';
import { allTenants, ensureTenant, setAnswersOn200, tenantIdOf } from '../tenants.ts';
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
    .command('answers')
    .description("the HTTP status of an operation's answers: that of its error, or 200 for all of them")
    .argument('<tenantUid>', 'the uid of the tenant', readUid)
    .addArgument(
      new Argument('<status>', 'on-200 is for clients that read only the body').choices([
        'by-error',
        'on-200',
      ]),
    )
    .action((tenantUid: string, status: 'by-error' | 'on-200', _options, command: Command) =>
      administer(command, async (transaction) => {
        const answersOn200 = status === 'on-200';
        await setAnswersOn200(transaction, tenantUid, answersOn200);
        await auditCommand(transaction, command, await tenantIdOf(transaction, tenantUid));
        const words = `tenant ${tenantUid} gets ${answersOn200 ? 'every answer on status 200' : 'failures on the status of their error'}, within 5 s`;
        return { words, data: { tenantUid, answersOn200 } };
      }),
    );

  tenant
    .command('list')
    .description('all tenants')
    .action((_options, command: Command) =>
      administer(command, async (transaction) => {
        const tenants = await allTenants(transaction);
        const rows = tenants.map(({ tenantUid, name, mainUserUid, answersOn200 }) => [
          tenantUid,
          name,
          `${mainUserUid}`,
          answersOn200 ? 'on 200' : 'by error',
        ]);
        const words = table(['tenant', 'name', 'main account', 'answers'], rows).join('\n');
        return { words: rows.length > 0 ? words : 'there are no tenants', data: { tenants } };
      }),
    );
}
