// Answers that are sent a few seconds after they were given: until then they can be taken back. They outlive the view, and are
// sent at once when the page is left.
import { useEffect, useState } from 'preact/hooks';
import type { Choice } from '../../processes/processes-view.ts';
import { send } from '../decisions/choice-request.ts';
import { refusalOf } from '../shell/api.ts';
import { currentMessages } from '../shell/locale.ts';

export const UNDO_MS = 5_000;
/** By then the list has been read again without what was answered. */
const GONE_MS = 10_000;

export interface Answered {
  readonly entryId: string;
  readonly title: string;
  readonly choice: Choice;
}

export interface Waiting {
  readonly id: number;
  readonly words: string;
  readonly answers: readonly Answered[];
  /** By performance.now(). */
  readonly sentAt: number;
}

type Values = Readonly<Record<string, string>>;
interface ScheduledAnswers extends Waiting {
  readonly values: Values;
  readonly timer: number;
}

let waiting: readonly ScheduledAnswers[] = [];
let gone: readonly string[] = [];
let said = '';
let wrong: readonly string[] = [];
let count = 0;
const watching = new Set<() => void>();

const changed = () => {
  for (const each of watching) each();
};

export function answerLater(answers: readonly Answered[], values: Values, words: string): void {
  const id = ++count;
  const timer = window.setTimeout(() => void sendNow(id), UNDO_MS);
  waiting = [...waiting, { id, words, answers, values, timer, sentAt: performance.now() + UNDO_MS }];
  said = '';
  wrong = [];
  changed();
}

export function takeBack(id: number): void {
  clearTimeout(waiting.find((each) => each.id === id)?.timer);
  waiting = waiting.filter((each) => each.id !== id);
  said = currentMessages().work.takenBack;
  changed();
}

async function sendNow(id: number): Promise<void> {
  const found = waiting.find((each) => each.id === id);
  if (!found) return;
  clearTimeout(found.timer);
  const ids = found.answers.map(({ entryId }) => entryId);
  gone = [...gone, ...ids];
  waiting = waiting.filter((each) => each !== found);
  changed();
  const refused = (
    await Promise.all(
      found.answers.map(async ({ entryId, title, choice }) => {
        try {
          await send(choice, found.values, { keepalive: true });
          return [];
        } catch (error) {
          return [{ entryId, words: currentMessages().work.notAnswered(title, refusalOf(error).message) }];
        }
      }),
    )
  ).flat();
  const back = new Set(refused.map(({ entryId }) => entryId));
  gone = gone.filter((each) => !back.has(each));
  wrong = refused.map(({ words }) => words);
  said = back.size === 0 ? currentMessages().work.sent(found.words) : '';
  changed();
  setTimeout(() => {
    gone = gone.filter((each) => !ids.includes(each));
    changed();
  }, GONE_MS);
}

addEventListener('pagehide', () => {
  for (const { id } of waiting) void sendNow(id);
});

/** What waits to be sent, and what became of the last. `hidden`: the entries that are as good as answered. */
export function useLater() {
  const [, setTimes] = useState(0);
  useEffect(() => {
    const watch = () => setTimes((before) => before + 1);
    watching.add(watch);
    return () => {
      watching.delete(watch);
    };
  }, []);
  const hidden = new Set([
    ...gone,
    ...waiting.flatMap(({ answers }) => answers.map(({ entryId }) => entryId)),
  ]);
  return { waiting: waiting as readonly Waiting[], said, wrong, hidden };
}
