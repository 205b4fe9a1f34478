// `watch`: follows one flow to its end, with a line for each change.
import type { Command } from 'commander';
import { type AnyProgress, stateWords } from '../../../processes/views/progress.ts';
import { CommandFailed } from '../../../shared/terminal/exit-codes.ts';
import { plain, type Terminal, wantsJson } from '../../../shared/terminal/terminal.ts';
import type { FlowHandle } from '../../flow-handle.ts';
import { formatStatus } from '../format-progress.ts';
import { atTemporal } from '../temporal.ts';

export function addWatch(program: Command, terminal: Terminal): void {
  program
    .command('watch')
    .description('follow a flow to its end: a line for each change')
    .argument('<key>', 'its business key')
    .addHelpText('after', EXAMPLES)
    .action((workflowId: string, _options, command: Command) =>
      atTemporal(terminal, async ({ flows }) => {
        const handle = flows.handle<'Issue'>(workflowId);
        const last = await eachChange(terminal, handle, wantsJson(command));
        const { outcome = 'Done' } = (await handle.result()) ?? {};
        // The result of a flow file may have any field.
        if (last && 'shipments' in last && outcome !== 'Done')
          throw new CommandFailed('endedOtherwise', `${workflowId} has ended as ${outcome}`);
      }),
    );
}

const EXAMPLES = `
Examples:
  lockerflow watch order-1042
  lockerflow watch order-1042 --json | jq -c .shipments`;

type Followed = Pick<FlowHandle<unknown, AnyProgress>, 'workflowId' | 'follow'>;

async function eachChange({ write, interrupted }: Terminal, handle: Followed, json: boolean) {
  let last: AnyProgress | null = null;
  for await (last of handle.follow({ signal: interrupted }))
    write(`${json ? JSON.stringify(last) : inOneLine(last)}\n`);
  return last as AnyProgress | null;
}

function inOneLine(progress: AnyProgress): string {
  const { awaits } = progress;
  if (!('shipments' in progress))
    return plain(
      [
        new Date().toISOString(),
        progress.activity === 'Ended' ? 'Ended' : `${progress.activity}, ${progress.phase}`,
        stateWords(progress.state),
        awaits[0]?.words,
      ]
        .filter(Boolean)
        .join('  '),
    );
  const { shipments, unassigned, ledger } = progress;
  const legs = Object.entries(shipments).map(([role, leg]) => `${role} ${leg.stateCode ?? 'Unknown'}`);
  const others = unassigned.map(({ stateCode }) => `unknown ${stateCode ?? 'Unknown'}`);
  const at = ledger.at(-1)?.receivedAt ?? new Date().toISOString();
  const [wait] = awaits;
  return plain(
    [at, formatStatus(progress), [...legs, ...others].join(', '), wait && `awaits: ${wait.words}`]
      .filter(Boolean)
      .join('  '),
  );
}
