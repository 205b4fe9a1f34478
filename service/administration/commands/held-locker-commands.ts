// locker hold, locker item-left, locker release: for a database that was restored to an earlier point (docs/operate.md,
// Backup and restore).

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { uid } from '../../../contract/wire/fields.ts';
import { inPlainWords, wordsOf } from '../../../contract/wire/issue-words.ts';
import { wrongUse } from '../../../runtime/terminal/exit-codes.ts';
import { holdLockers, markItemLeft, releaseLockers } from '../held-lockers.ts';
import { tenantIdOf } from '../tenants.ts';
import type { Administer } from './administer.ts';
import { readUid } from './arguments.ts';
import { auditCommand } from './audit-command.ts';

const readUids = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  readUid(text),
];

export function addHeldLockerCommands(locker: Command, administer: Administer): void {
  locker
    .command('hold')
    .description(
      'after the database was restored, before the service starts: no booking gets any locker of the tenant, for ' +
        'each may hold an item that the database does not know. With --json its answer is what `release` takes',
    )
    .argument('<tenantUid>', 'the tenant of the lockers', readUid)
    .action((tenantUid: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const held = await holdLockers(transaction, tenantId);
        await auditCommand(transaction, command, tenantId);
        const words = `${held.length} lockers of ${tenantUid} are held: to be emptied`;
        return { words, data: { tenantUid, held } };
      }),
    );

  locker
    .command('item-left')
    .description('say that an item lies in a locker: no booking gets it before it was emptied')
    .argument('<tenantUid>', 'the tenant of the lockers', readUid)
    .argument('<lockerUid...>', 'the lockers', readUids)
    .action((tenantUid: string, lockerUids: readonly string[], _options, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        await markItemLeft(transaction, tenantId, lockerUids);
        await auditCommand(transaction, command, tenantId, lockerUids);
        const words = `to be emptied: ${lockerUids.join(', ')}`;
        return { words, data: { tenantUid, lockerUids, toBeEmptied: true } };
      }),
    );

  locker
    .command('release')
    .description('let the lockers that were held be booked again')
    .argument('<tenantUid>', 'the tenant of the lockers', readUid)
    .requiredOption('--held <file>', 'what locker hold --json has written')
    .option('--except <lockerUid...>', 'an item lies in these: they stay to be emptied', readUids)
    .action((tenantUid: string, options: ReleaseOptions, command: Command) => {
      const { except = [] } = options;
      const held = heldIn(options.held, tenantUid);
      const strange = except.filter((each) => !held.includes(each));
      if (strange.length > 0)
        throw wrongUse(`--except: ${strange.join(', ')} was not held; expected lockers of ${options.held}`);
      return administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const released = held.filter((each) => !except.includes(each));
        await releaseLockers(transaction, tenantId, released);
        await auditCommand(transaction, command, tenantId);
        const words = `${released.length} lockers of ${tenantUid} can be booked again, ${except.length} stay to be emptied`;
        return { words, data: { tenantUid, released, toBeEmptied: except } };
      });
    });
}

interface ReleaseOptions {
  readonly held: string;
  readonly except?: readonly string[];
}

const heldFile = z.object({ tenantUid: z.string(), held: z.array(uid) });

function heldIn(path: string, tenantUid: string): readonly string[] {
  const { data, error } = heldFile.safeParse(jsonIn(path), inPlainWords);
  if (!data) throw wrongUse(`--held: ${path} is not what locker hold --json writes: ${wrongIn(error)}`);
  if (data.tenantUid !== tenantUid)
    throw wrongUse(`--held: ${path} has the lockers of ${data.tenantUid}; expected those of ${tenantUid}`);
  return data.held;
}

const wrongIn = ({ issues }: z.ZodError): string =>
  issues.map((issue) => `${issue.path.join('.') || 'it'} ${wordsOf(issue)}`).join('; ');

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw wrongUse(
      `--held: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
