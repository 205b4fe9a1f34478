// Sends a message to the person whom a shipment is for that no case follows. Without a text it is the proposed one.
import { z } from 'zod';
import {
  MESSAGE_SUBJECT,
  type OutreachBegun,
  type ShipmentMessageMemo,
  subjectMessageTo,
} from '../../contract/flows/outreach.ts';
import { hasEnded, isInside } from '../../contract/wire/states.ts';
import { ownersOf, runningAmong } from '../../shared/routing/owners.ts';
import { inLocale, localeIn } from '../../shared/texts/reader-of-request.ts';
import { t } from '../../shared/texts/text.ts';
import { type CommandError, refused, wrongInput } from '../outcome.ts';
import { beginWithoutCase } from '../outreach/begin-without-case.ts';
import { requireService, type Service } from '../outreach/case-about.ts';
import { requireNoCode } from '../outreach/codes-in-text.ts';
import { proposedText } from '../outreach/proposed-text.ts';
import { reachable } from '../outreach/recipient.ts';
import { requireConnector } from '../outreach/require-connector.ts';
import { lastMessageAbout, messageDeliveryOf, type ShipmentMessage } from '../outreach/shipment-messages.ts';
import { pickUpPointOf } from '../pick-up-points.ts';
import { attributionOf, type CommandContext, callTemporal } from '../temporal-context.ts';
import { formatWho } from '../views/format-names.ts';
import { shutDoors } from '../views/shut-doors.ts';
import { command } from './command.ts';
import type { MessagePreview } from './message.ts';
import { sentText, text } from './read-values.ts';

const input = z.strictObject({
  text: sentText.optional().meta({ description: 'What the person is to read; left out: what is proposed' }),
  request: text.max(255).optional(),
});
type Input = z.infer<typeof input>;

export interface ShipmentMessagePreview extends MessagePreview {
  /** The last one about the same shipment, whoever has sent it; null: this is the first. */
  readonly sent: ShipmentMessage | null;
}

interface MessageBegun extends ShipmentMessagePreview, OutreachBegun {}

/** The same request again, by its id, is the same one; another one waits until the other side has the first. */
export const messageAboutShipment = command<Input, ShipmentMessagePreview, MessageBegun, string>({
  name: 'message',
  right: 'decide',
  why: 'optional',
  input,
  flowOf: async () => null,
  async preview(commandContext, shipmentUid, given) {
    const { to, text: words } = await readMessage(commandContext, shipmentUid, given);
    return { to, text: words, sent: await lastSent(commandContext, shipmentUid) };
  },
  async act(commandContext, shipmentUid, given) {
    const { to, text: words, pupUid, lockerName } = await readMessage(commandContext, shipmentUid, given);
    if (words === null)
      throw wrongInput(t`nothing is proposed for ${shipmentUid}; write what the person is to read`, {
        text: t`is missing`,
      });
    const fields = { to: to.userUid, text: words, ...attributionOf(commandContext) };
    const memo: Omit<ShipmentMessageMemo, 'request'> = { ...fields, shipmentUid, pupUid, lockerName };
    const sent = await lastSent(commandContext, shipmentUid);
    const begun = await beginWithoutCase(
      commandContext,
      messageDeliveryOf(shipmentUid),
      { kind: 'message', fields: { ...fields, ...(pupUid !== null && { pupUid }) } },
      {
        request: given.request,
        memo: ['message', memo],
        subjects: [MESSAGE_SUBJECT, subjectMessageTo(to.userUid)],
        isUnderWay: alreadySent,
      },
    );
    return { ...begun, to, text: words, sent };
  },
  formatPreview({ to, text: words, sent }) {
    const first = sent ? t`; ${formatSent(sent)}: this is another one` : '';
    return t`to ${to.name ?? to.userUid}: ${words ?? t`nothing is proposed`}${first}`;
  },
  formatResult: () => t`the message is on its way`,
});

const lastSent = (commandContext: CommandContext, shipmentUid: string): Promise<ShipmentMessage | null> =>
  callTemporal(commandContext, () => lastMessageAbout(commandContext, shipmentUid));

const formatSent = ({ by, onBehalfOf, at }: ShipmentMessage): string =>
  t`${formatWho({ by, onBehalfOf })} has sent one at ${at}`;

const alreadySent = (by: string): CommandError =>
  refused(
    'AlreadySent',
    t`${by} has sent a message about it already, and the other side does not have it yet: it is tried again`,
  );

interface Message extends MessagePreview {
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

/** Throws what says why it cannot be sent. */
async function readMessage(
  commandContext: CommandContext,
  shipmentUid: string,
  { text: words }: Input,
): Promise<Message> {
  requireConnector(commandContext, 'message');
  const service = requireService(commandContext);
  const shipment = await service.call('GetShipment', { shipmentUid });
  await requireNoCase(commandContext, shipmentUid);
  const { stateCode, fromUserUid, toUserUid, pupUid, lockerName } = shipment;
  const isLeft = shipment.isItemLeft === true;
  const isHere = isLeft || isInside(stateCode);
  const isToBeBrought = !isHere && !hasEnded(stateCode);
  const userUid = isToBeBrought ? fromUserUid || toUserUid : toUserUid || fromUserUid;
  if (!userUid)
    throw refused(
      'NobodyKnown',
      t`nobody is known whom the shipment ${shipmentUid} is for; a message needs a receiver or a sender`,
    );
  const { language, ...to } = await reachable(commandContext, userUid);
  const at = { to, pupUid, lockerName };
  if (words !== undefined) {
    await requireNoCode(service, [{ shipmentUid }], words);
    return { ...at, text: words };
  }
  const mayGoThere = isHere || (isToBeBrought && userUid === fromUserUid);
  if (!mayGoThere || pupUid === null || lockerName === null) return { ...at, text: null };
  const item = shipment.description || shipment.referenceNo || null;
  const [fault, point] = await Promise.all([
    faultAt(service, pupUid, lockerName),
    pickUpPointOf(service, pupUid),
  ]);
  const locker = { shipmentUid, role: null, stateCode, isLeft, pupUid, lockerName, awaited: null, fault };
  // They read it, and not whoever sends it.
  const proposed = inLocale(localeIn(language), () => proposedText({ item, lockers: [locker] }, point));
  return { ...at, text: proposed };
}

/** Where a case follows it, the message is the case's. */
async function requireNoCase(commandContext: CommandContext, shipmentUid: string): Promise<void> {
  const owners = await callTemporal(commandContext, () => ownersOf(commandContext.client, [shipmentUid]));
  const [key] = runningAmong(owners.get(shipmentUid) ?? []);
  if (key !== undefined)
    throw refused(
      'HasCase',
      t`${key} follows the shipment; send the message from there, so that it stands in what happened`,
    );
}

async function faultAt(service: Service, pupUid: string, lockerName: string) {
  const shut = await shutDoors({ service });
  return shut.find((door) => door.pupUid === pupUid && door.lockerName === lockerName) ?? null;
}
