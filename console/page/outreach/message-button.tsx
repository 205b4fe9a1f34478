// Message…: to the person whom a case is for.

import { t } from '../../../shared/texts/text.ts';
import type { MessagePreview } from '../../processes/processes-view.ts';
import { Refusal } from '../api.ts';
import { useReach } from '../shell/reach.ts';
import { OutreachButton, type Proposal } from './outreach-dialog.tsx';

interface MessageButtonProps {
  readonly processKey: string;
  /** Another of its people. */
  readonly to?: string;
}

interface Previewed {
  readonly refusal: { readonly code: string; readonly message: string } | null;
  readonly consequence: MessagePreview | null;
}

export function MessageButton({ processKey, to }: MessageButtonProps) {
  const { message } = useReach();
  if (!message) return null;
  return (
    <OutreachButton
      label={t`Message`}
      title={t`Send a message`}
      path={`/v1/processes/${encodeURIComponent(processKey)}/commands/message`}
      body={to === undefined ? {} : { to }}
      field="text"
      fieldLabel={t`Message`}
      hint={t`Never an access code: one is refused. The case keeps the message, with your name.`}
      consequence={t`It is sent at once, and cannot be taken back. What becomes of it stands in what happened.`}
      button={t`Send`}
      proposalOf={proposalOf}
    />
  );
}

function proposalOf({ refusal, consequence }: Previewed): Proposal | Refusal {
  if (!consequence) return new Refusal(409, refusal?.code ?? '', refusal?.message ?? '');
  const { to, text } = consequence;
  return {
    text,
    about: (
      <>
        {t`To`} <strong>{to.name ?? to.userUid}</strong>
      </>
    ),
  };
}
