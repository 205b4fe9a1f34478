// What is wrong with a process, and what to do about it, in one banner: there is none where nothing is. What could not be read may be
// wrong, too, so it stands below.
import type { ComponentChildren } from 'preact';
import { capitalized } from '../../../processes/views/format-names.ts';
import { t } from '../../../shared/texts/text.ts';
import type { ProcessOverview } from '../../process/overview/overview-view.ts';
import type { ProcessDetails } from '../../process/process-view.ts';
import { Icon } from '../parts/icon.tsx';
import { TextWithTimes } from '../parts/time.tsx';
import { Doubts } from './doubts.tsx';

interface TroubleProps {
  readonly process: ProcessDetails;
  /** The ways out. */
  readonly children: ComponentChildren;
}

export const hasTrouble = ({ overview: { wrong, todo, desk }, refusals }: ProcessDetails): boolean =>
  wrong.length > 0 || todo !== null || desk.length > 0 || refusals.length > 0;

export function Trouble({ process, children }: TroubleProps) {
  const { wrong, tried, technical, doubts, todo, desk, unread } = process.overview;
  return (
    <>
      {hasTrouble(process) && (
        <section class={`banner ${stateOf(process.overview)}`} aria-labelledby="trouble">
          <h2 id="trouble">
            <Icon name={wrong.length > 0 ? 'warning' : 'work'} /> {titleOf(wrong.length)}
          </h2>
          <div class="trouble">
            <div>
              {wrong.map((each) => (
                <p key={each}>
                  <strong>
                    <TextWithTimes text={each} />
                  </strong>
                </p>
              ))}
              <Doubts doubts={doubts} />
              {todo !== null && <p>{todo}</p>}
              {todo === null && desk.length > 0 && <p>{capitalized(desk.join('; '))}.</p>}
              {tried.map((each) => (
                <p key={each} class="small">
                  {each}
                </p>
              ))}
              {technical.length > 0 && (
                <details class="small">
                  <summary>{t`Technical`}</summary>
                  {technical.map((each) => (
                    <p key={each} class="key">
                      {each}
                    </p>
                  ))}
                </details>
              )}
              {process.refusals.map(({ question, words }) => (
                <p key={question}>{words}</p>
              ))}
            </div>
            {children}
          </div>
        </section>
      )}
      {unread.map((each) => (
        <p key={each} class="note is-offline">{t`Could not be read: ${each}`}</p>
      ))}
    </>
  );
}

function titleOf(count: number): string {
  if (count === 0) return t`What to do`;
  return count === 1 ? t`1 thing is wrong` : t`${count} things are wrong`;
}

/** Only late, or only a question, is no fault. */
function stateOf({ wrong, hasFault }: ProcessOverview): string {
  if (wrong.length === 0) return '';
  return hasFault ? 'is-fault' : 'is-late';
}
