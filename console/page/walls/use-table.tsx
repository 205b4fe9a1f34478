// A row for each day, a field for each hour: the fuller the lockers, the darker; a dot where a booking found none. In the
// reader's zone. A table, so that a screen reader can go through it.
import type { UseHour } from './use-hours.ts';

const dayName = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const hourName = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export function UseTable({ hours }: { readonly hours: readonly UseHour[] }) {
  const days = [...new Set(hours.map(({ at }) => new Date(at).toDateString()))];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a phone, by keyboard too
    <section class="use-picture" tabIndex={0} aria-label="The use of each hour">
      <table>
        <caption class="unseen">Part of the lockers that were held, by day and hour</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Day</span>
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

function Day({ day, hours }: { readonly day: string; readonly hours: readonly UseHour[] }) {
  const byHour = new Map(hours.map((each) => [new Date(each.at).getHours(), each]));
  return (
    <tr>
      <th scope="row">{dayName.format(new Date(day))}</th>
      {HOURS.map((hour) => {
        const found = byHour.get(hour);
        return found ? <Field key={hour} hour={found} /> : <td key={hour} />;
      })}
    </tr>
  );
}

function Field({ hour: { at, held, part, refused } }: { readonly hour: UseHour }) {
  const words = `${hourName.format(new Date(at))}: ${Math.round(part * 100)} % held (${held.toFixed(1)} lockers)${refused > 0 ? `, ${refused} refused` : ''}`;
  return (
    <td
      class={refused > 0 ? 'use-hour is-refused' : 'use-hour'}
      style={{ '--part': String(part) }}
      title={words}
      aria-label={words}
    />
  );
}
