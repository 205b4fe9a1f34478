// What the field in the header has found, in groups; one is chosen.
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { Found } from '../../find/find-view.ts';
import { Badge } from '../parts/badge.tsx';
import { TextWithTimes } from '../parts/time.tsx';
import type { Hit } from './hits.ts';
import type { FindState } from './use-find.ts';

interface FoundListProps {
  readonly find: FindState;
  readonly open: (hit: Hit) => void;
}

export function FoundList({ find: { groups, chosen, data, refusal, all }, open }: FoundListProps) {
  const count = groups.flatMap(({ hits }) => hits).length;
  return (
    <div class="found">
      <div id="found" role="listbox" aria-label={t`Found`}>
        {groups.map(({ title, hits }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of the options of a listbox
          <div role="group" key={title} aria-label={title}>
            <p class="found-group soft" role="presentation">
              {title}
            </p>
            {hits.map((hit) => (
              <Option key={hit.id} hit={hit} isChosen={hit.id === chosen?.id} open={() => open(hit)} />
            ))}
          </div>
        ))}
      </div>
      <p class="row between soft found-foot">
        <span role="status">{refusal?.message ?? (data && statusOf(data, count))}</span>
        {data && <a href={all}>{t`Show all`}</a>}
      </p>
    </div>
  );
}

function statusOf({ isComplete, unread }: Found, count: number): string {
  const found = count === 0 ? t`Nothing is found` : t`${count} shown, open and ended`;
  return [
    isComplete ? found : t`${found}; there is more`,
    ...(unread.length > 0 ? [t`could not be searched: ${unread.join(', ')}`] : []),
  ].join('; ');
}

export function HitEnd({ hit: { end, state } }: { readonly hit: Hit }) {
  if (end === '') return null;
  const words = <TextWithTimes text={end} />;
  return state ? <Badge state={state}>{words}</Badge> : <span class="soft">{words}</span>;
}

interface OptionProps {
  readonly hit: Hit;
  readonly isChosen: boolean;
  readonly open: () => void;
}

function Option({ hit, isChosen, open }: OptionProps) {
  const { id, title, more } = hit;
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) shown.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    <div
      ref={shown}
      id={id}
      class="hit"
      role="option"
      aria-selected={isChosen}
      // Before the field loses the focus, and the list with it.
      onMouseDown={(event) => event.preventDefault()}
      onClick={open}
    >
      <span>
        {title}
        {more !== '' && <span class="soft hit-more">{more}</span>}
      </span>
      <HitEnd hit={hit} />
    </div>
  );
}
