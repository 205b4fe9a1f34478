// How many processes were started on each of the last days, as a row of bars.
import { currentMessages, localeNow } from '../shell/locale.ts';

const DAY_MS = 86_400_000;
const HEIGHT = 28;
const STEP = 8;
const BAR = 6;
/** Where there is none, one sees that the day is there. */
const LEAST = 1;

export function Sparkline({ counts }: { readonly counts: readonly number[] }) {
  const { flows: words } = currentMessages();
  const most = Math.max(1, ...counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const days = new Intl.DateTimeFormat(localeNow(), { weekday: 'short', day: 'numeric', month: 'short' });
  return (
    <figure class="sparkline">
      <svg
        viewBox={`0 0 ${counts.length * STEP} ${HEIGHT}`}
        role="img"
        aria-label={words.startedEach(counts.join(', '))}
      >
        {counts.map((count, index) => {
          const height = count === 0 ? LEAST : Math.max(3, (count / most) * HEIGHT);
          const day = days.format(Date.now() - (counts.length - 1 - index) * DAY_MS);
          return (
            <rect
              key={day}
              class={count === 0 ? 'none' : undefined}
              x={index * STEP}
              y={HEIGHT - height}
              width={BAR}
              height={height}
            >
              <title>{`${day}: ${words.startedOn(count)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="soft">{words.started(total)}</figcaption>
    </figure>
  );
}
