// The data that a process was given and keeps, as rows for people: field by field, in their words.
import { mapOf } from '../../../flows/language/flow-file.ts';
import { isUuid } from '../../../processes/views/account-names.ts';
import { capitalized, formatName } from '../../../processes/views/format-names.ts';
import { formatDuration } from '../../../processes/views/readable.ts';
import { t } from '../../../shared/texts/text.ts';
import type { DataRow } from './overview-view.ts';

type Data = Readonly<Record<string, unknown>>;

// What is deeper or longer is for programs.
const DEEPEST = 3;
const MAX_ROWS = 40;
const LONGEST_VALUE = 300;

/** Field by field, without what is only for programs. */
export function rowsOf(data: Data): DataRow[] {
  return rowsWithin(data, []).slice(0, MAX_ROWS);
}

/** How it may be booked: nothing that a person at a desk asks for. */
const technical: ReadonlySet<string> = new Set(['allowLargerLockers', 'allowOverflowLockers', 'lockerUid']);

export const technicalRowsOf = (data: Data): DataRow[] =>
  Object.entries(data).flatMap(([name, value]): DataRow[] => {
    const words = technical.has(name) ? formatValue(value) : null;
    return words === null ? [] : [{ label: labelOf([name]), value: words }];
  });

function rowsWithin(data: Data, around: readonly string[]): DataRow[] {
  return Object.entries(data).flatMap(([name, value]): DataRow[] => {
    const path = [...around, name];
    if (technical.has(name)) return [];
    const size = formatSize(value);
    if (size !== null) return [{ label: labelOf([...around, 'size']), value: size }];
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return path.length < DEEPEST ? rowsWithin(value as Data, path) : [];
    const words = formatValue(value);
    return words === null ? [] : [{ label: labelOf(path), value: words }];
  });
}

function formatSize(value: unknown): string | null {
  const { width, height, length, ...more } = mapOf(value);
  const sides = [width, height, length];
  if (Object.keys(more).length > 0 || !sides.every((side) => typeof side === 'number')) return null;
  return t`${sides.join(' × ')} cm`;
}

/** Where the name of the interface says less to a person. */
const labels = (): Readonly<Record<string, string>> => ({
  referenceNo: t`reference`,
  size: t`size`,
  allowLargerLockers: t`allow larger lockers`,
  allowOverflowLockers: t`allow overflow lockers`,
  referenceCaseNo: t`case number`,
  pupUid: t`pick up point`,
  toUserUid: t`for`,
  fromUserUid: t`from`,
});

/** The details are those of the item: that goes without saying. */
const labelOf = (path: readonly string[]): string =>
  capitalized(
    path
      .filter((name) => name !== 'details')
      .map((name) => labels()[name] ?? formatName(name.replace(/Uids?$/, '')).toLowerCase())
      .join(', '),
  );

function formatValue(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? t`yes` : t`no`;
  if (Array.isArray(value)) {
    const all = value.flatMap((each) => formatValue(each) ?? []);
    return all.length === 0 ? null : all.join(', ');
  }
  if (typeof value === 'object') return null;
  const text = String(value);
  if (isUuid(text)) return null;
  return (formatDuration(text) ?? text).slice(0, LONGEST_VALUE);
}
