// Options that several verbs have: those of a search for flows, whole numbers, and how a field is spelled as an option.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { phases } from '../contract/flows/flow-answers.ts';
import { wrongUse } from '../shared/terminal/exit-codes.ts';
import { searchedMomentIn } from './moments.ts';

/** @param state what the command takes: only open flows, or only failed ones, which have no phase */
export function addQueryOptions(command: Command, state?: 'open' | 'failed'): Command {
  const searched = command
    .optionsGroup('Which flows:')
    .option('--shipment <shipmentUid>', 'only flows that hold this shipment')
    .option('--flow <Flow...>', 'only these flows, built in or published');
  if (state !== 'failed')
    searched.addOption(new Option('--phase <phase>', 'only open flows in this phase').choices(phases));
  searched
    .option('--case <case number>', 'only flows whose shipments carry this case number')
    .option('--pick-up-point <pupUid>', 'only flows at this pick up point')
    .option('--person <userUid>', 'only flows that are for this account, or of it')
    .option('--item <reference>', 'only flows about the item with this reference number')
    .option('--where <key=value...>', 'only flows with these keys of their business data', keyAmong)
    .option(
      '--definition <Flow@version>',
      'only flows that run on this version of a definition, like Issue@1',
    )
    .option(
      '--started-after <moment>',
      'only flows that were started then or later: 22:00 (the latest), 8h or "2031-05-01 22:00" of your time; 2031-05-01 and 2031-05-01T22:00 are UTC',
      startedAt('--started-after'),
    )
    .option(
      '--started-before <moment>',
      'only flows that were started earlier',
      startedAt('--started-before'),
    );
  if (state === undefined)
    searched
      .addOption(new Option('--open', 'only flows that run').conflicts('closed'))
      .addOption(new Option('--closed', 'only flows that have ended').conflicts(['open', 'phase']));
  return searched
    .option('--query <query>', "only flows that this query in Temporal's own language finds")
    .optionsGroup('Options:');
}

const startedAt = (option: string) => (text: string) => searchedMomentIn(text, option).toISOString();

function keyAmong(text: string, before: readonly string[] = []): readonly string[] {
  pairIn(text, 'a key and a value, such as device=laptop-7', '--where');
  return [...before, text];
}

/** A whole number as the value of an option. */
export const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`);
  return value;
};

/** As an option: --to-user-uid for toUserUid. */
export const dashed = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * The two parts of `name=value`. Throws CommandFailed (wrong use).
 * @param expected what it should be, like `field=value, like state=broken`
 */
export function pairIn(text: string, expected: string, option = ''): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw wrongUse(`${option}${option && ' '}${text} is not a pair; expected ${expected}`);
  return [text.slice(0, at), text.slice(at + 1)];
}
