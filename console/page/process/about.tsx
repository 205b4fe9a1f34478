// What stands beside the timeline: the data, and the flows that it has started.
import type { ComponentChildren } from 'preact';
import { t } from '../../../shared/texts/text.ts';
import type { ChildShown, ProcessSubject } from '../../process/overview/overview-view.ts';
import { Fact, Side } from '../parts/frames.tsx';
import { TextWithTimes } from '../parts/time.tsx';
import { usePickUpPointNames } from '../shell/pick-up-points.ts';

export function Data({ data, people }: Pick<ProcessSubject, 'data' | 'people'>) {
  const points = usePickUpPointNames();
  const accounts = new Map(people.map(({ userUid, name }) => [userUid, name]));
  if (data.length === 0) return null;
  return (
    <Side title={t`Data`}>
      {data.map(({ title, isTechnical, rows }) => (
        <Group key={title} title={title} isTechnical={isTechnical === true}>
          <dl class="facts">
            {rows.map(({ label, value }, index) => (
              <Fact key={`${label} ${index}`} label={label}>
                <TextWithTimes text={points.get(value) ?? accounts.get(value) ?? value} />
              </Fact>
            ))}
          </dl>
        </Group>
      ))}
    </Side>
  );
}

interface GroupProps {
  readonly title: string;
  readonly isTechnical: boolean;
  readonly children: ComponentChildren;
}

/** What only somebody who looks after the system asks for is folded. */
const Group = ({ title, isTechnical, children }: GroupProps) =>
  isTechnical ? (
    <details>
      <summary>{title}</summary>
      {children}
    </details>
  ) : (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );

interface FamilyProps {
  readonly parent: string | null;
  readonly started: readonly ChildShown[];
}

export function Family({ parent, started }: FamilyProps) {
  if (parent === null && started.length === 0) return null;
  return (
    <Side title={t`Belongs together`}>
      <ul class="plain">
        {parent && (
          <li>
            {t`Started by`} <a href={`/process/${encodeURIComponent(parent)}`}>{parent}</a>
          </li>
        )}
        {started.map(({ key, title, words }) => (
          <li key={key || title}>
            {key === '' ? title : <a href={`/process/${encodeURIComponent(key)}`}>{title}</a>}
            <p class="soft">{words}</p>
          </li>
        ))}
      </ul>
    </Side>
  );
}
