// The last messages that people sent to a person: when, about what, the text, and what became of it.
import { t } from '../../../shared/texts/text.ts';
import type { PersonView } from '../../find/person-view.ts';
import { sentOf } from '../outreach/message-button.tsx';
import { Sent } from '../outreach/sent-before.tsx';

export const MessagesSent = ({ messages }: Pick<PersonView, 'messages'>) =>
  messages.length === 0 ? null : (
    <section class="card" aria-label={t`Messages sent`}>
      <h2>{t`Messages sent`}</h2>
      <ul class="plain">
        {messages.map(({ key, item, ...message }) => (
          <li key={message.runId}>
            {t`About`}{' '}
            {key ? <a href={`/process/${encodeURIComponent(key)}`}>{item ?? key}</a> : (item ?? t`an item`)}
            <Sent {...sentOf(message)} />
          </li>
        ))}
      </ul>
    </section>
  );
