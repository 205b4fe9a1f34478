// A difference between two versions of a flow in words.
import type { Json } from '../flow-file.ts';
import type { Change } from './change.ts';
import type { Comparison } from './flow-diff.ts';

const LONGEST_VALUE = 80;

function valueWords(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}

const both = ({ before, after }: Change): string => `${valueWords(before)} -> ${valueWords(after)}`;

const nouns: Readonly<Partial<Record<Change['part'], string>>> = {
  always: '`always`',
  invokeInput: 'input of',
  resultSchema: 'field of the result',
  reenter: 'whether it enters its state anew',
};

/** In one line, without the state: `delay P10D -> P7D`. */
export function formatChange(change: Change): string {
  const { part, name, field } = change;
  const noun = nouns[part] ?? part;
  // The former and the new name are its values.
  const isNamed = change.how === 'renamed' || (part === 'delay' && change.how === 'changed');
  const subject = [noun, isNamed ? null : name, field].filter(Boolean).join(' ');
  return `${subject}${whatOf(change)}`;
}

/** Actions are data of many lines. */
const withoutValues: readonly Change['part'][] = ['actions', 'entry', 'exit'];

function whatOf(change: Change): string {
  const { part, how, before, after } = change;
  if (how === 'added' || how === 'removed') {
    const value = how === 'added' ? after : before;
    return value === null ? ` ${how}` : ` ${how}: ${valueWords(value)}`;
  }
  return withoutValues.includes(part) || part === 'order' ? ' changed' : ` ${both(change)}`;
}

const signs = { added: '+', removed: '-', renamed: '~', moved: '>', changed: '~' } as const;

interface OfState {
  readonly state: string;
  readonly own: Change | undefined;
  readonly others: readonly Change[];
}

/** The state's own change first: that it is added, removed, renamed or moved. */
function byState(changes: readonly Change[]): OfState[] {
  const states = [...new Set(changes.map(({ state }) => state))];
  return states.map((state) => {
    const all = changes.filter((each) => each.state === state);
    return {
      state,
      own: all.find(({ part }) => part === 'state'),
      others: all.filter(({ part }) => part !== 'state'),
    };
  });
}

function formatState({ state, own }: OfState): string {
  if (!own) return state || 'the flow';
  if (own.how === 'added' || own.how === 'removed') return `${state} ${own.how}`;
  return `${String(own.before)} -> ${state} (${own.how})`;
}

export function formatDiff({ flow, changes }: Pick<Comparison, 'flow' | 'changes'>): string {
  if (changes.length === 0) return `${flow}: no difference in meaning`;
  return [
    `${flow}: ${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`,
    ...byState(changes).flatMap((each) => [
      `  ${each.own ? signs[each.own.how] : '~'} ${formatState(each)}`,
      ...each.others.map((one) => `      ${signs[one.how]} ${formatChange(one)}`),
    ]),
  ].join('\n');
}
