// The updates of processes as the history shows them: which fields of each, and its sentence. No sentence names a receiver: who it
// is stands in the history alone.
import { LONGEST_NOTE } from '../../contract/flows/note.ts';
import { LONGEST_MESSAGE } from '../../contract/flows/outreach.ts';
import { getOwn } from '../../engine/chart/messages.ts';
import { t } from '../../shared/texts/text.ts';
import { formatInvoke } from './format-invoke.ts';
import { formatDeadline, formatName, formatState, legOf, spaced } from './format-names.ts';
import { span } from './progress.ts';
import { formatDuration } from './readable.ts';

type Scalar = string | number | boolean;
type Fields = Readonly<Record<string, Scalar>>;
/** The end of a deadline or a wait: before, and since then; null for none. */
export interface Moved {
  readonly from: string | null;
  readonly until: string | null;
}

interface Beside {
  readonly values: Fields | null;
  readonly moved: Moved | null;
}

type Format = (fields: Fields, who: string, beside: Beside) => string;

/**
 * @param fields that are shown; the others may be personal data. With `by`, the sentence begins with who did it; with `why` too, it
 * ends with that.
 * @param longest how much of a text is shown: the whole is in the history
 */
const shown = (fields: string, format: Format, longest = 200) => ({
  fields: fields.split(' '),
  format,
  longest,
});

const updates = {
  extendDeadline: shown(
    'booking role stage timer until fromNow extendBy shortenBy',
    (fields, _, { moved }) => {
      const which = fields.timer ? t`its time` : formatDeadline(`${fields.role}`, `${fields.stage}`);
      return moved?.from || moved?.until === null
        ? t`${which} is ${formatMove(fields, moved)}`
        : t`${which} is extended ${formatUntil(fields, moved)}`;
    },
  ),
  setReceiver: shown('booking role', ({ role }) => t`a receiver is to be set for ${legOf(`${role}`)}`),
  removeReceiver: shown(
    'booking role',
    ({ role }) => t`the receiver of ${legOf(`${role}`)} is to be removed`,
  ),
  moveClock: shown(
    'aheadMs',
    ({ aheadMs }) => t`the sandbox's clock is moved: ${span(Number(aheadMs) || 0)} ahead of the real time`,
  ),
  answer: shown('by question', (fields, who, { values }) => {
    const given = Object.entries(values ?? {}).map(
      ([field, value]) => `${spaced(field)}: ${formatValue(value)}`,
    );
    return t`${who} answers ${namedQuestion(fields)}${given.length === 0 ? '' : `: ${given.join(', ')}`}`;
  }),
  claim: shown('by why question workflowId', (fields, who) =>
    fields.workflowId
      ? t`${who} gives the reports to ${fields.workflowId}`
      : t`${who} claims ${namedQuestion(fields)}`,
  ),
  release: shown('by question', (fields, who) => t`${who} releases ${namedQuestion(fields)}`),
  assign: shown(
    'by why question to of',
    (fields, who) =>
      t`${who} assigns ${namedQuestion(fields)} to ${[fields.to, fields.of].filter(Boolean).join(' of ')}`,
  ),
  resolve: shown('by why action booking role stateCode', ({ action, role, stateCode }, who) => {
    const words = decisions()[`${action}`] ?? formatName(`${action}`).toLowerCase();
    const leg = role ? t` ${legOf(`${role}`)} is ${formatState(`${stateCode ?? 'Unknown'}`)}` : '';
    return t`${who} decides: ${words}${leg}`;
  }),
  note: shown('by text', ({ text }, who) => t`${who} notes: ${text ?? ''}`, LONGEST_NOTE),
  message: shown(
    'by text',
    ({ text }, who, { values }) => t`${who} writes to ${values?.to ?? t`whom it is for`}: “${text ?? ''}”`,
    LONGEST_MESSAGE,
  ),
  sendMechanic: shown(
    'by why lockerName problem',
    ({ lockerName, problem }, who) =>
      t`${who} asks for a mechanic at ${lockerName ? t`locker ${lockerName}` : t`the wall`}: ${problem ?? ''}`,
    LONGEST_MESSAGE,
  ),
  dropEvent: shown('by why', (_, who) => t`${who} drops the event that cannot be taken`),
  giveUp: shown('by why', (_, who) => t`${who} gives it up`),
  settle: shown('by why became', ({ became }, who) =>
    became === 'Back'
      ? t`${who} says that the item is back`
      : t`${who} writes the item off: nobody looks for it any more`,
  ),
  migrate: shown(
    'by why back',
    ({ back, version }, who) =>
      `${who} ${back ? t`takes the migration back` : t`migrates it${version ? t` to version ${version}` : ''}`}`,
  ),
};

const decisions = (): Readonly<Record<string, string>> => ({
  retry: t`try again`,
  adopt: t`take over what was booked`,
  setState: t`from now on`,
  giveUp: t`give it up`,
});

/** Which fields of it are shown, and how much of each text. */
export const shownOf = (name: string): { readonly fields: readonly string[]; readonly longest: number } =>
  getOwn<ReturnType<typeof shown>>(updates, name) ?? { fields: [], longest: 0 };

/** Undefined for one that we do not know. */
export function formatUpdate(name: string, fields: Fields, who: string, beside: Beside) {
  const update = getOwn<ReturnType<typeof shown>>(updates, name);
  if (!update) return undefined;
  // Who claims a question need not say why, unlike who claims what was kept for a flow that did not run.
  const claimsQuestion = name === 'claim' && !fields.workflowId;
  const why = update.fields.includes('why') && !claimsQuestion && fields.why;
  const sentence = update.format(fields, who, beside);
  // What a person has written may end as a sentence.
  const words = why ? t`${sentence.replace(/[.!]$/, '')}, because ${why}` : sentence;
  return { words, saysWho: update.fields.includes('by'), saysWhy: Boolean(why) };
}

/** What is done to a question: the answer to it says which item of an `each` it is about. */
const ofQuestions: ReadonlySet<string> = new Set(['answer', 'claim', 'release', 'assign']);
export const isOfQuestion = (name: string): boolean => ofQuestions.has(name);

const namedQuestion = ({ question, itemTitle }: Fields): string =>
  question
    ? formatInvoke(`${question}`, itemTitle === undefined ? undefined : `${itemTitle}`)
    : t`its question`;

/** Whether the update `extendDeadline` takes a former one back: it names no end of its own. */
export const isPutBack = ({ until, fromNow, extendBy, shortenBy }: Fields): boolean =>
  [until, fromNow, extendBy, shortenBy].every((each) => each === undefined);

function formatMove(fields: Fields, moved: Moved): string {
  if (moved.until === null) return t`taken away again: it was ${moved.from}`;
  const isLater = Date.parse(moved.until) >= Date.parse(moved.from ?? '');
  const done = isLater ? t`extended` : t`shortened`;
  return `${isPutBack(fields) ? t`put back` : done}: ${moved.from} → ${moved.until}`;
}

function formatUntil({ until, fromNow }: Fields, moved: Moved | null): string {
  if (moved?.until) return t`until ${moved.until}`;
  return until ? t`until ${until}` : t`to ${formatDuration(`${fromNow}`) ?? fromNow} from then`;
}

function formatValue(value: Scalar): string {
  if (typeof value !== 'boolean') return `${value}`;
  return value ? t`yes` : t`no`;
}
