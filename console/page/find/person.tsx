// A person: how to reach them, their cases now and before, and what the locker service has of them beyond that.

import { t } from '../../../shared/texts/text.ts';
import type { PersonView } from '../../find/person-view.ts';
import { Contact } from '../parts/contact.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { useUnread } from '../readings.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { EndedCases, FailedCases, OpenCases } from './cases-of.tsx';
import { MessagesSent } from './messages-sent.tsx';
import { Shipments } from './shipments.tsx';

export function Person({ params }: ViewProps) {
  const { userUid = '' } = params;
  const { data, refusal } = useLive<PersonView>(`/v1/people/${encodeURIComponent(userUid)}`);
  useUnread(data?.unread ?? []);
  return (
    <>
      <h1>{data?.name ?? t`A person`}</h1>
      {data ? <Contact person={data} /> : <NotYet refusal={refusal} />}
      <FailedCases wanted={{ person: userUid }} />
      <OpenCases wanted={{ person: userUid }} codes messagesTo={userUid} shipments={data?.shipments ?? []} />
      {data && <MessagesSent messages={data.messages} />}
      <EndedCases wanted={{ person: userUid }} />
      {data && <Shipments of={data} people={[]} />}
    </>
  );
}
