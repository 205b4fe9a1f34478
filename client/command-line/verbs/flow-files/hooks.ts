// `hooks`: what a file of hooks declares, without its secrets, and how many requests the receivers have had for each, as their
// metrics say: receivers keep nothing themselves.
import type { Command } from 'commander';
import type { HookProof } from '../../../../shared/settings/hooks.ts';
import { CommandFailed, wrongUse } from '../../../../shared/terminal/exit-codes.ts';
import { report } from '../../../../shared/terminal/report.ts';
import { plain, table } from '../../../../shared/terminal/table.ts';
import type { Terminal } from '../../../../shared/terminal/terminal.ts';
import type { ReadHook } from '../../../hooks-file.ts';
import { hooksAtHand } from '../../flow-file-text.ts';

interface Options {
  readonly metrics?: readonly string[];
}

export function addHooks(program: Command, terminal: Terminal): void {
  program
    .command('hooks')
    .description('list the hooks of a file: address, proof, event and keys; and what the receivers were sent')
    .argument('[file]', 'the file of hooks; unless given, LOCKERFLOW_HOOKS')
    .option(
      '--metrics <url>',
      'the metrics of a receiver (CALLBACK_METRICS_ADDRESS): what became of its requests since it started; once for each',
      (given: string, before: readonly string[] = []) => [...before, given],
    )
    .addHelpText('after', EXAMPLES)
    .action(async (given: string | undefined, { metrics = [] }: Options, command: Command) => {
      const file = given ?? (process.env.LOCKERFLOW_HOOKS || undefined);
      if (file === undefined) throw wrongUse('expected the file of hooks, or LOCKERFLOW_HOOKS');
      const counted = metrics.length === 0 ? null : sumOf(await Promise.all(metrics.map(countsAt)));
      const items = (await hooksAtHand(file)).map((hook) => ({
        ...shownHook(hook),
        ...(counted && { requests: counted.get(hook.name) ?? {} }),
      }));
      report(terminal, command, { words: wordsOf(items), data: { items } });
    });
}

const EXAMPLES = `
Examples:
  lockerflow hooks hooks.yaml
  lockerflow hooks hooks.yaml --metrics http://receiver-1:9464/metrics --metrics http://receiver-2:9464/metrics`;

interface ShownHook {
  readonly hook: string;
  readonly path: string;
  readonly verify: string;
  readonly type: string;
  readonly keys: readonly string[];
  readonly keepFor: string;
  /** By what became of them. */
  readonly requests?: Counts;
}

type Counts = Readonly<Record<string, number>>;

const shownHook = ({ name, proof, declaration }: ReadHook): ShownHook => ({
  hook: name,
  path: `/hooks/${name}`,
  verify: proofWords(proof),
  type: declaration.type,
  keys: Object.keys(declaration.where),
  keepFor: declaration.keepFor ?? 'PT1H',
});

function proofWords(proof: HookProof): string {
  if (proof.kind === 'signature') return `${proof.algorithm} in ${proof.header}`;
  if (proof.kind === 'secret') return proof.scheme ?? `secret in ${proof.header}`;
  return proof.kind;
}

const COUNTER = 'lockerflow_receiver_hooks_total';
const ANSWER_WITHIN_MS = 5_000;

/** By hook. */
async function countsAt(url: string): Promise<Map<string, Counts>> {
  const text = await textAt(url);
  const counts = new Map<string, Counts>();
  for (const [, labels = '', value] of text.matchAll(new RegExp(`^${COUNTER}\\{(.*)\\} (\\S+)`, 'gm'))) {
    const { hook = '', became = '' } = Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, given]) => [name, given]),
    ) as Record<string, string>;
    counts.set(hook, { ...counts.get(hook), [became]: Number(value) });
  }
  return counts;
}

async function textAt(url: string): Promise<string> {
  if (!URL.canParse(url))
    throw wrongUse(`--metrics ${url}: expected an address like http://receiver:9464/metrics`);
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    return await answer.text();
  } catch (cause) {
    const { message, cause: inner } = cause as Error;
    const reason = inner instanceof Error ? inner.message : message;
    throw new CommandFailed(
      'unreachable',
      `no metrics at ${url} (${reason}); expected the page of a receiver with CALLBACK_METRICS_ADDRESS`,
      { cause },
    );
  }
}

function sumOf(all: readonly Map<string, Counts>[]): Map<string, Counts> {
  const sum = new Map<string, Counts>();
  for (const [hook, counts] of all.flatMap((each) => [...each])) {
    const before = sum.get(hook) ?? {};
    const added = Object.entries(counts).map(([became, count]) => [became, (before[became] ?? 0) + count]);
    sum.set(hook, { ...before, ...Object.fromEntries(added) });
  }
  return sum;
}

function wordsOf(items: readonly ShownHook[]): string {
  if (items.length === 0) return 'the file declares no hook';
  const isCounted = items.some(({ requests }) => requests !== undefined);
  const rows = items.map(({ path, verify, type, keys, requests = {} }) => [
    path,
    verify,
    plain(type),
    keys.join(', '),
    ...(isCounted ? [requestWords(requests)] : []),
  ]);
  return table(['address', 'proof', 'event', 'keys', ...(isCounted ? ['requests'] : [])], rows).join('\n');
}

const requestWords = (requests: Counts): string =>
  Object.entries(requests)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([became, count]) => `${count} ${became}`)
    .join(', ') || 'none';
