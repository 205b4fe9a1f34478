// `item settle`: says what became of an item that somebody had, and that no process waited for any more.
import { Option, type Command as Verb } from 'commander';
import { type ItemBecame, itemBecame } from '../../contract/flows/item-out.ts';
import { settleItem } from '../../processes/commands/settle-item.ts';
import { orThrow } from '../../processes/outcome.ts';
import { report } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { type ActingOptions, addActingOptions, atTemporal, commandContextIn } from '../temporal.ts';

export function addItem(program: Verb, terminal: Terminal): void {
  const item = program
    .command('item')
    .description('items that somebody has, and that no process waits for any more; inbox --all lists them')
    .addHelpText('after', EXAMPLES);
  const settle = item
    .command('settle')
    .description('say what became of it: its case, its page in the console and the log have it')
    .argument('<shipmentUid>', 'of the shipment that was to bring it back')
    .addOption(
      new Option('--became <what>', 'what became of it').choices([...itemBecame]).makeOptionMandatory(),
    );
  addActingOptions(settle, { needsPerson: true, needsWhy: true }).action(
    (shipmentUid: string, options: ActingOptions & { readonly became: ItemBecame }, self: Verb) =>
      atTemporal(
        terminal,
        async (temporal) => {
          const { became } = options;
          const settled = orThrow(
            await settleItem.do(commandContextIn(terminal, temporal, options), shipmentUid, { became }),
          );
          const text = `${shipmentUid}: ${settleItem.formatResult(settled)}`;
          report(terminal, self, { text, data: { shipmentUid, ...settled } });
        },
        { finishes: true },
      ),
  );
}

const EXAMPLES = `
Examples:
  lockerflow item settle 7c0e… --became Back --by anna --why "she handed it in"
  lockerflow item settle 7c0e… --became WrittenOff --by anna --why "stolen, reported"`;
