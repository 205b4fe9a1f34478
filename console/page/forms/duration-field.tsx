// How long something may take: a choice of what is usual, or in words, like 36 hours.
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
  const [text, setText] = useState(isOther ? durationWords(value) : '');
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
          setText('');
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
          value={text}
          autocomplete="off"
          set={(typed) => {
            setText(typed);
            // What is not understood is kept, so that the form says so.
            change({ [path]: durationIn(typed) ?? typed });
          }}
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

const AMOUNT = /(\d{1,6})\s*(\p{L})\p{L}*\.?/gu;

/** By the first letters of the units in the reader's language: "1 week 2 days", "36h". */
function durationIn(text: string): string | undefined {
  const { week, day, hour, minute } = currentMessages().desk.forms.unitLetters;
  const rest = text.replaceAll(AMOUNT, '').replaceAll(/[\s,+&]/g, '');
  const amounts = [...text.toLowerCase().matchAll(AMOUNT)];
  const sum = (letter: string) =>
    amounts.filter(([, , unit]) => unit === letter).reduce((total, [, count]) => total + Number(count), 0);
  const isKnown = amounts.every(([, , unit]) => [week, day, hour, minute].includes(unit ?? ''));
  if (rest !== '' || !isKnown) return undefined;
  const days = sum(week) * 7 + sum(day);
  const time = `${sum(hour) ? `${sum(hour)}H` : ''}${sum(minute) ? `${sum(minute)}M` : ''}`;
  const duration = `P${days ? `${days}D` : ''}${time && `T${time}`}`;
  return DURATION.test(duration) ? duration : undefined;
}
