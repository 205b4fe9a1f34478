// What the flows are for: the built-in ones in the language of the reader, where there is a translation; else as their files say it.
import type { FlowType } from '../../contract/flows/flow-types.ts';
import { t } from '../../shared/texts/text.ts';
import type { ShownFlow } from './flow-registry.ts';

const meanings = (): Readonly<Partial<Record<FlowType, string>>> => ({
  LocalShipment: t`Somebody puts an item into a locker, and somebody else takes it out: who that is can be said later.`,
  Issue: t`The desk puts an item into a locker, and a person takes it out.`,
  IssueAndSwapIntake: t`The desk puts an item into a locker; a person takes it out and leaves another one, which the desk takes out.`,
  Stock: t`The desk puts an item into a locker, to be given out later.`,
  StockAfterSwapIntake: t`The desk takes out an item that was brought back, and puts one into its locker, to be given out later.`,
  IssueFromStock: t`A person takes out an item that is in stock, or will be.`,
  IssueFromStockAndSwapIntake: t`A person takes out an item that is in stock and leaves another one, which the desk takes out.`,
  IssueFromStockAndSubsequentIntakeAndCircularStock: t`A person takes out an item that is in stock and brings it back later: then it is in stock again.`,
  Intake: t`A person puts an item into a locker, and the desk takes it out.`,
  IntakeAndCircularStock: t`A person puts an item into a locker, and it is in stock again.`,
  CollectOnly: t`The person who is named, or else the desk, takes out of a locker once, or the locker stays booked.`,
  CollectByDispatcher: t`The desk takes out of a locker once, or the locker stays booked.`,
  CollectByUser: t`A person takes out of a locker once, or the locker stays booked.`,
  OnboardAccount: t`An account is found or created.`,
});

export const meaningOf = ({ kind, name, file }: ShownFlow): string =>
  (kind === 'shipped' ? meanings()[name] : undefined) ?? file.meaning;
