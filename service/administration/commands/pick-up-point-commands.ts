// pick-up-point create, pick-up-point overflow, pick-up-point use.
import type { Command } from 'commander';
import { table } from '../../../shared/terminal/table.ts';
import { type PickUpPointUse, periodOf, pickUpPointUse, tenantNow } from '../../lockers/pick-up-point-use.ts';
import { ensurePickUpPoint, ownPickUpPointId, setOverflow } from '../pick-up-points.ts';
import { tenantIdOf } from '../tenants.ts';
import type { Administer } from './administer.ts';
import { auditCommand } from './administer.ts';
import { readCountryCode, readInstant, readText, readTimeZone, readUid } from './arguments.ts';

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

  addUse(pickUpPoint, administer);
}

interface UseOptions {
  readonly since?: string;
  readonly until?: string;
}

function addUse(pickUpPoint: Command, administer: Administer): void {
  pickUpPoint
    .command('use')
    .description(
      'how much a pick up point was used: lockers held by size and hour, bookings that found no locker, and how long ' +
        'items were in lockers; the last 7 days if nothing is given',
    )
    .argument('<tenantUid>', 'the tenant of the pick up point', readUid)
    .argument('<pupUid>', 'the pick up point', readUid)
    .option(
      '--since <instant>',
      'from this moment on, like 2031-05-01T12:00:00Z; at most 31 days',
      readInstant,
    )
    .option('--until <instant>', 'up to this moment', readInstant)
    .action((tenantUid: string, pupUid: string, options: UseOptions, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const pickUpPointId = await ownPickUpPointId(transaction, tenantId, pupUid);
        const period = periodOf(options, await tenantNow(transaction, tenantId));
        const use = await pickUpPointUse(transaction, { tenantId, pickUpPointId, ...period });
        return { words: useWords(use).join('\n'), data: { tenantUid, pupUid, ...period, ...use } };
      }),
    );
}

/** By size, and in all; each hour is in the JSON. */
function useWords({ sizes, hours, refusals, timeInLocker }: PickUpPointUse): string[] {
  const rows = sizes.map(({ size, lockerCount }) => {
    const held = hours.filter((each) => each.size === size).map((each) => each.held);
    const refused = refusals.filter((each) => each.size === size);
    return [
      size,
      String(lockerCount),
      String(Math.max(0, ...held)),
      String(refused.reduce((sum, each) => sum + each.refused, 0)),
    ];
  });
  const { itemCount, p50Seconds, p95Seconds } = timeInLocker;
  const items =
    itemCount === 0
      ? 'no items were picked up'
      : `${itemCount} items were picked up; in the locker: half of them at most ${hoursOf(p50Seconds)} h, 95 % at most ${hoursOf(p95Seconds)} h`;
  return [...table(['size', 'lockers', 'held in the fullest hour', 'refused'], rows), '', items];
}

const hoursOf = (seconds: number | null): string => ((seconds ?? 0) / 3_600).toFixed(1);
