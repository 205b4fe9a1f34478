// Whether there is a connector for what is to be sent.
import type { OutreachKind } from '../../contract/flows/outreach.ts';
import { t } from '../../shared/texts/text.ts';
import { refused } from '../outcome.ts';
import type { CommandContext } from '../temporal-context.ts';

const settings: Readonly<Record<OutreachKind, { readonly setting: string; readonly what: () => string }>> = {
  message: { setting: 'MESSAGE_CONNECTOR', what: () => t`messages to people` },
  sendMechanic: { setting: 'MECHANIC_CONNECTOR', what: () => t`requests for a mechanic` },
};

/** Where that is not known, the worker that delivers it finds out. Throws CommandError. */
export function requireConnector({ outreach }: Pick<CommandContext, 'outreach'>, kind: OutreachKind): void {
  if (!outreach || outreach[kind] !== null) return;
  const { setting, what } = settings[kind];
  throw refused(
    'NoConnector',
    t`no connector takes ${what()}: set ${setting} for the console and for every worker`,
  );
}
