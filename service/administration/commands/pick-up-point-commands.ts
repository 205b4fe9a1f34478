// pick-up-point create, pick-up-point overflow.
import type { Command } from 'commander';
import { ensurePickUpPoint, setOverflow } from '../pick-up-points.ts';
import { tenantIdOf } from '../tenants.ts';
import type { Administer } from './administer.ts';
import { auditCommand } from './administer.ts';
import { readCountryCode, readText, readTimeZone, readUid } from './arguments.ts';

interface CreateOptions {
  readonly name: string;
  readonly timeZone: string;
  readonly city?: string;
  readonly countryCode?: string;
}

export function addPickUpPointCommands(parent: Command, administer: Administer): void {
  const pickUpPoint = parent.command('pick-up-point').description('pick up points');

  pickUpPoint
    .command('create')
    .description('make a pick up point of a tenant, or give an existing one these details')
    .argument('<tenantUid>', 'the tenant that it belongs to', readUid)
    .argument('<pupUid>', 'the uid of the pick up point', readUid)
    .requiredOption('--name <name>', 'its name', readText)
    .requiredOption('--time-zone <zone>', 'where it stands, like Europe/Amsterdam', readTimeZone)
    .option('--city <city>', 'the city', readText)
    .option('--country-code <code>', 'the country, like NL', readCountryCode)
    .action((tenantUid: string, pupUid: string, options: CreateOptions, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const { name, timeZone, city = null, countryCode = null } = options;
        await ensurePickUpPoint(transaction, tenantId, { pupUid, name, timeZone, city, countryCode });
        await auditCommand(transaction, command, tenantId, [pupUid]);
        return { words: `pick up point ${pupUid} of ${tenantUid} is as given`, data: { tenantUid, pupUid } };
      }),
    );

  pickUpPoint
    .command('overflow')
    .description('set the pick up points that take what has no locker free here, in order; none: no overflow')
    .argument('<tenantUid>', 'the tenant of all of them', readUid)
    .argument('<pupUid>', 'the pick up point that may be full', readUid)
    .argument('[overflowPupUids...]', 'where its bookings may go')
    .action((tenantUid: string, pupUid: string, overflowPupUids: string[], _options, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        await setOverflow(transaction, tenantId, pupUid, overflowPupUids);
        await auditCommand(transaction, command, tenantId, [pupUid]);
        const where = overflowPupUids.length > 0 ? overflowPupUids.join(', then ') : 'nothing';
        return { words: `overflow of ${pupUid} is ${where}`, data: { tenantUid, pupUid, overflowPupUids } };
      }),
    );
}
