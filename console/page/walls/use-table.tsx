// A heat map: a row for each day, a cell for each hour. The fuller the lockers, the darker, in the steps of the legend; a dot
// where a booking found none. In the reader's zone. A table, so that a screen reader can go through it.
import { currentMessages, localeNow } from '../shell/locale.ts';
import type { UseHour } from './use-hours.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** The most that each step stands for; the first is for hours in which no locker was occupied. */
const STEPS = [0, 0.25, 0.5, 0.75, 1];

const stepOf = (part: number): number => STEPS.findIndex((most) => part <= most);

export const percent = (part: number): string =>
  new Intl.NumberFormat(localeNow(), { style: 'percent' }).format(part);

export function UseTable({ hours }: { readonly hours: readonly UseHour[] }) {
  const { use: words } = currentMessages().walls;
  const days = [...new Set(hours.map(({ at }) => new Date(at).toDateString()))];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a phone, by keyboard too
    <section class="use-picture" tabIndex={0} aria-label={words.picture}>
      <table>
        <caption class="unseen">{words.caption}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">{words.day}</span>
            </th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {String(hour).padStart(2, '0')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <Day key={day} day={day} hours={hours.filter(({ at }) => new Date(at).toDateString() === day)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What the shades and the dot mean. */
export function UseLegend() {
  const { use: words } = currentMessages().walls;
  return (
    <div class="row use-legend">
      <span id="use-legend">{words.legend}</span>
      <ul class="row plain" aria-labelledby="use-legend">
        {STEPS.map((most, step) => (
          <li key={most} class="row">
            <span class="use-hour" data-step={step} aria-hidden="true" />{' '}
            {step === 0 ? percent(0) : words.legendStep(percent(most))}
          </li>
        ))}
        <li class="row">
          <span class="use-hour is-refused" data-step={4} aria-hidden="true" /> {words.refusedLegend}
        </li>
      </ul>
    </div>
  );
}

function Day({ day, hours }: { readonly day: string; readonly hours: readonly UseHour[] }) {
  const byHour = new Map(hours.map((each) => [new Date(each.at).getHours(), each]));
  const name = new Intl.DateTimeFormat(localeNow(), { weekday: 'short', day: 'numeric', month: 'short' });
  return (
    <tr>
      <th scope="row">{name.format(new Date(day))}</th>
      {HOURS.map((hour) => {
        const found = byHour.get(hour);
        return found ? <Cell key={hour} hour={found} /> : <td key={hour} />;
      })}
    </tr>
  );
}

function Cell({ hour: { at, held, part, refused } }: { readonly hour: UseHour }) {
  const { use: words } = currentMessages().walls;
  const locale = localeNow();
  const name = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
  const lockers = held.toLocaleString(locale, { maximumFractionDigits: 1 });
  const said = `${words.hour(name.format(new Date(at)), percent(part), lockers)}${refused > 0 ? words.alsoRefused(refused) : ''}`;
  return (
    <td
      class={refused > 0 ? 'use-hour is-refused' : 'use-hour'}
      data-step={stepOf(part)}
      title={said}
      aria-label={said}
    />
  );
}
