// What somebody has sent outside already, for everybody who might send it again: who, when and what became of it.
import type { MechanicAsked } from '../../processes/processes-view.ts';
import { TextWithTimes, Time } from '../parts/time.tsx';

export interface SentBefore
  extends Pick<MechanicAsked, 'at' | 'by' | 'onBehalfOf' | 'why' | 'state' | 'words' | 'runId'> {
  /** As in "bram asked for a mechanic". */
  readonly did: string;
  readonly text: string;
}

/** One that was refused has reached nobody. */
export const isStanding = (sent: Pick<SentBefore, 'state'> | null): boolean =>
  sent !== null && sent.state !== 'refused';

export const Sent = ({ at, by, onBehalfOf, did, why, text, state, words }: SentBefore) => (
  <p class={state === 'refused' ? 'is-fault tone' : 'soft'}>
    {onBehalfOf ?? by} {did} <Time at={at} />: <TextWithTimes text={text} /> {why && <q>{why}</q>}{' '}
    <TextWithTimes text={words} />
  </p>
);

/** In the dialog that would send another one. */
export const Another = ({ sent, known }: { readonly sent: SentBefore | null; readonly known: string }) =>
  sent && (
    <div class="note is-late" role="status">
      {isStanding(sent) && known}
      <Sent {...sent} />
    </div>
  );
