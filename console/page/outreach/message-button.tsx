// Message…: to the person whom a case is for, or a shipment that no case follows.

import { t } from '../../../shared/texts/text.ts';
import type {
  MessagePreview,
  ShipmentMessage,
  ShipmentMessagePreview,
} from '../../processes/processes-view.ts';
import { useReach } from '../shell/reach.ts';
import { OutreachButton, type Proposal } from './outreach-dialog.tsx';
import { Another, Sent, type SentBefore } from './sent-before.tsx';

interface MessageButtonProps {
  readonly processKey: string;
  /** Another of its people. */
  readonly to?: string;
}

export const MessageButton = ({ processKey, to }: MessageButtonProps) => (
  <Message
    path={`processes/${encodeURIComponent(processKey)}/commands`}
    body={to === undefined ? {} : { to }}
  />
);

interface ShipmentMessageProps {
  readonly shipmentUid: string;
  /** The last one, by whomever. */
  readonly sent: ShipmentMessage | null;
}

/** For a shipment that no case follows, with the last message beside it. */
export const MessageAboutShipment = ({ shipmentUid, sent }: ShipmentMessageProps) => (
  <>
    <Message path={`shipments/${encodeURIComponent(shipmentUid)}`} known={sent?.runId} />
    {sent && <Sent {...sentOf(sent)} />}
  </>
);

interface MessageProps {
  readonly path: string;
  readonly body?: Readonly<Record<string, string>>;
  readonly known?: string | undefined;
}

function Message({ path, body = {}, known }: MessageProps) {
  const { message } = useReach();
  if (!message) return null;
  return (
    <OutreachButton
      label={t`Message`}
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

const sentOf = (sent: ShipmentMessage): SentBefore => ({ ...sent, did: t`sent a message` });

function proposalOf({ to, text, sent = null }: MessagePreview & Partial<ShipmentMessagePreview>): Proposal {
  return {
    text,
    about: (
      <>
        {t`To`} <strong>{to.name ?? to.userUid}</strong>
        <Another sent={sent && sentOf(sent)} known={t`Somebody has sent one already: `} />
      </>
    ),
  };
}
