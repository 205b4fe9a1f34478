// `locks`: who holds the locks of flow files and who waits for them, and how far rate limits are used.
import type { Command } from 'commander';
import type { PermitQueueView } from '../../../contract/flows/permits.ts';
import { readQueue, readQueues } from '../../../processes/permits.ts';
import { report } from '../../../shared/terminal/report.ts';
import { plain, table } from '../../../shared/terminal/table.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { atTemporal } from '../temporal.ts';

export function addLocks(program: Command, terminal: Terminal): void {
  program
    .command('locks')
    .description('list the locks and rate limits of flow files: who holds them, and who waits')
    .argument('[key]', 'only the lock and the rate limit of this key')
    .addHelpText('after', EXAMPLES)
    .action((key: string | undefined, _options: object, command: Command) =>
      atTemporal(terminal, async ({ client }) => {
        const items = key === undefined ? await readQueues(client) : await queuesOf(client, key);
        const words = items.length === 0 ? noneWords(key) : wordsOf(items, key !== undefined);
        report(terminal, command, { words, data: { items } });
      }),
    );
}

const EXAMPLES = `
Examples:
  lockerflow locks
  lockerflow locks "printer north" --json`;

async function queuesOf(client: Parameters<typeof readQueue>[0], key: string): Promise<PermitQueueView[]> {
  const both = await Promise.all([readQueue(client, 'lock', key), readQueue(client, 'rate', key)]);
  return both.filter((each) => each !== null);
}

const noneWords = (key: string | undefined): string =>
  key === undefined
    ? 'no process holds a lock or waits for one'
    : `no process holds or waits for ${plain(key)}`;

function wordsOf(items: readonly PermitQueueView[], isWhole: boolean): string {
  const rows = items.map(({ src, key, holders, given, waitingCount }) => [
    src,
    key,
    src === 'rate' ? `${given ?? 0} in the present period` : holders.map(({ process }) => process).join(', '),
    String(waitingCount),
  ]);
  const places = items.flatMap(({ holders, waiting }) => [
    ...holders.map(({ process, since }) => [process, 'holds it', since]),
    ...waiting.map(({ process, since }, index) => [process, `waits, number ${index + 1}`, since]),
  ]);
  return [
    ...table(['', 'key', 'held by', 'waiting'], rows),
    ...(isWhole && places.length > 0 ? ['', ...table(['process', '', 'since'], places)] : []),
  ].join('\n');
}
