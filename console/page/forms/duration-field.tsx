// How long something may take: a choice of what is usual, or an ISO 8601 duration, like PT36H.
import { useState } from 'preact/hooks';
import { Field, SelectField } from '../parts/field.tsx';
import { currentMessages, localeNow } from '../shell/locale.ts';
import { DURATION, type FieldInForm } from './form-values.ts';

const usual = ['PT1H', 'PT4H', 'P1D', 'P2D', 'P3D', 'P7D', 'P14D'];
const OTHER = 'other';

export function DurationField({ field: { path, description }, label, values, wrong, change }: FieldInForm) {
  const { forms: words } = currentMessages().desk;
  const value = values[path] ?? '';
  const [isOther, setOther] = useState(value !== '' && !usual.includes(value));
  const common = { label, hint: description ?? undefined };
  const understood = DURATION.test(value) ? durationWords(value) : undefined;
  return (
    <>
      <SelectField
        {...common}
        name={path}
        wrong={isOther ? undefined : wrong[path]}
        value={isOther ? OTHER : value}
        set={(chosen) => {
          setOther(chosen === OTHER);
          change({ [path]: chosen === OTHER ? '' : chosen });
        }}
      >
        <option value="">{path.startsWith('deadlines.') ? words.anyTime : '–'}</option>
        {usual.map((each) => (
          <option key={each} value={each}>
            {durationWords(each)}
          </option>
        ))}
        <option value={OTHER}>{words.other}</option>
      </SelectField>
      {isOther && (
        <Field
          label={`${label}: ${words.inWords}`}
          hint={understood ?? words.durationHint}
          wrong={wrong[path]}
          value={value}
          autocomplete="off"
          set={(typed) => change({ [path]: typed.toUpperCase() })}
        />
      )}
    </>
  );
}

/** P14D is "2 weeks". */
function durationWords(duration: string): string {
  const [, weeks = 0, days = 0, hours = 0, minutes = 0] = DURATION.exec(duration) ?? [];
  const allDays = Number(weeks) * 7 + Number(days);
  const isWeeks = allDays > 0 && allDays % 7 === 0;
  const parts = [
    isWeeks ? inUnits(allDays / 7, 'week') : inUnits(allDays, 'day'),
    inUnits(Number(hours), 'hour'),
    inUnits(Number(minutes), 'minute'),
  ];
  return parts.filter(Boolean).join(' ') || duration;
}

const inUnits = (count: number, unit: string): string =>
  count === 0
    ? ''
    : new Intl.NumberFormat(localeNow(), { style: 'unit', unit, unitDisplay: 'long' }).format(count);
