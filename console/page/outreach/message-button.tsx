// Message…: to the person whom a case is for, or a shipment that no case follows.

import { t } from '../../../shared/texts/text.ts';
import type {
  MessagePreview,
  ShipmentMessage,
  ShipmentMessagePreview,
} from '../../processes/processes-view.ts';
import { useReach } from '../shell/reach.ts';
import { OutreachButton, type Proposal } from './outreach-dialog.tsx';
import { Another, isStanding, Sent, type SentBefore } from './sent-before.tsx';
import { ToldBefore, useTold } from './told-before.tsx';

interface MessageButtonProps {
  readonly processKey: string;
  /** Another of its people. */
  readonly to?: string;
}

/** With who has sent one today beside it. */
export function MessageButton({ processKey, to }: MessageButtonProps) {
  const { message } = useReach();
  const told = useTold([processKey], message, to);
  return (
    <>
      <Message
        path={`processes/${encodeURIComponent(processKey)}/commands`}
        body={to === undefined ? {} : { to }}
        known={told.get(processKey)?.at}
      />
      <ToldBefore told={told} />
    </>
  );
}

interface ShipmentMessageProps {
  readonly shipmentUid: string;
  /** The last one, by whomever. */
  readonly sent: ShipmentMessage | null;
}

/** For a shipment that no case follows, with the last message beside it. */
export const MessageAboutShipment = ({ shipmentUid, sent }: ShipmentMessageProps) => (
  <>
    <Message
      path={`shipments/${encodeURIComponent(shipmentUid)}`}
      known={isStanding(sent) ? sent?.runId : undefined}
    />
    {sent && <Sent {...sentOf(sent)} />}
  </>
);

interface MessageProps {
  readonly path: string;
  readonly body?: Readonly<Record<string, string>>;
  /** The last one that somebody has sent. */
  readonly known: string | undefined;
}

function Message({ path, body = {}, known }: MessageProps) {
  const { message } = useReach();
  if (!message) return null;
  return (
    <OutreachButton
      label={known === undefined ? t`Message` : t`Message again`}
      title={t`Send a message`}
      path={`/v1/${path}/message`}
      body={body}
      field="text"
      fieldLabel={t`Message`}
      hint={t`Never an access code: one is refused. The message is kept, with your name.`}
      consequence={t`It is sent at once, and cannot be taken back. What becomes of it stands in the log.`}
      button={t`Send`}
      proposalOf={proposalOf}
      known={known}
    />
  );
}

export const sentOf = (sent: Omit<ShipmentMessage, 'shipmentUid'>): SentBefore => ({
  ...sent,
  did: t`sent a message`,
});

function proposalOf({
  to,
  remark,
  text,
  sent = null,
}: MessagePreview & Partial<ShipmentMessagePreview>): Proposal {
  return {
    text,
    about: (
      <>
        {t`To`} <strong>{to.name ?? to.userUid}</strong>
        {remark && ` (${remark})`}
        <Another sent={sent && sentOf(sent)} known={t`Somebody has sent one already: `} />
      </>
    ),
  };
}
