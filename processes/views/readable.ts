// Texts of processes for people who know no codes: uids become the names of their shipments, state codes become words.

import { isNotOffered, type RefusedCall } from '../../contract/wire/refused-call.ts';
import { stateCodes } from '../../contract/wire/states.ts';
import type { FileFault } from '../../flows/language/expressions/failure.ts';
import { t } from '../../shared/texts/text.ts';
import { formatNotOffered } from '../not-offered.ts';
import { capitalized, formatName, formatState } from './format-names.ts';
import { formatNoLocker } from './no-locker.ts';

const UUID = /`?\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`?/gi;
const CODE = new RegExp(`\\b(?:${[...stateCodes, 'RoleUnknown', 'StateUnknown'].join('|')})\\b`, 'g');
/** How our refusals begin, and the names of functions before them: `NoLockerAvailable: no locker is free`. */
const REFUSAL = /\b(?:[A-Z][a-z]+){2,}: (?=.)/g;
/** As the locker service says it. */
const NO_ACCOUNT = /^(?:InvalidUserUid: )?There is no account (\S+)$/;
/** What the operating system calls it. */
const SYSTEM_CODE = / \((?:[a-z]+ )?E[A-Z]{4,}[^)]*\)/g;

/** By uid, what people call it. */
export type Names = ReadonlyMap<string, string>;

export function readable(text: string, names: Names = new Map()): string {
  let words = text.replaceAll(REFUSAL, '').replaceAll(SYSTEM_CODE, '');
  for (const [uid, name] of names) words = words.replaceAll(`\`${uid}\``, name).replaceAll(uid, name);
  return words
    .replaceAll(UUID, '…')
    .replaceAll(CODE, (code) => `“${formatState(code)}”`)
    .replaceAll('`', '')
    .replaceAll(' -> ', ' → ')
    .trim();
}

interface Failure extends RefusedCall {
  readonly message: string;
  readonly fault?: FileFault | undefined;
}

/** Where and with which expression is for the author of the file. */
export function formatFailure({ message, fault, lockersTried, notOffered }: Failure, names: Names): string {
  if (fault) return t`the rules of the flow have an error (${formatReason(fault, names)})`;
  // The words of the service are for who runs it.
  if (notOffered !== undefined) return formatNotOffered(notOffered);
  const [, userUid] = NO_ACCOUNT.exec(message) ?? [];
  if (userUid !== undefined) return t`there is no account ${userUid}`;
  return lockersTried ? formatNoLocker(lockersTried, names) : readable(message, names);
}

const formatReason = ({ reason, refused }: FileFault, names: Names): string =>
  refused && isNotOffered(refused.code) ? formatNotOffered(refused.operation) : readable(reason, names);

/** How what is said of a field begins: `request.pupUid is required`. */
const FIELD = /^[a-z]\w*\.\w/;

/** As a sentence of its own. */
export function sentence(text: string): string {
  const words = FIELD.test(text) ? text : capitalized(text);
  return /[.!?…]”?$/.test(words) ? words : `${words}.`;
}

const PARTS =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const units = () => [
  { one: t`year`, many: t`years` },
  { one: t`month`, many: t`months` },
  { one: t`week`, many: t`weeks` },
  { one: t`day`, many: t`days` },
  { one: t`hour`, many: t`hours` },
  { one: t`minute`, many: t`minutes` },
  { one: t`second`, many: t`seconds` },
];

/** `P12D` is "12 days"; null for what is no duration. */
export function formatDuration(text: string): string | null {
  const counts = countsIn(text);
  return counts.length > 0 ? counts.map(({ words }) => words).join(' ') : null;
}

/** "1 second is over", "12 days are over"; null for what is no duration. */
export function durationIsOver(text: string): string | null {
  const words = formatDuration(text);
  if (words === null) return null;
  const counts = countsIn(text);
  return counts.length === 1 && counts[0]?.isOne ? t`${words} is over` : t`${words} are over`;
}

function countsIn(text: string): { readonly words: string; readonly isOne: boolean }[] {
  const parts = PARTS.exec(text)?.slice(1);
  return units().flatMap(({ one, many }, index) => {
    const count = parts?.[index];
    const isOne = count === '1';
    return count === undefined ? [] : [{ words: `${count} ${isOne ? one : many}`, isOne }];
  });
}

/** `loan.issue.Completed` is "loan, issue: done"; `device.returned` is "device returned". */
export function formatEvent(type: string): string {
  const parts = type.split('.');
  const last = parts.at(-1) ?? '';
  const isState = (stateCodes as readonly string[]).includes(last);
  if (!isState) return formatName(type).toLowerCase();
  return `${parts.slice(0, -1).map(formatName).join(', ').toLowerCase()}: ${formatState(last)}`;
}
