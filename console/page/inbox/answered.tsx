// A question that was answered just now: it stays where it was, with what was said and what follows, until its reader goes on. So no
// button of another question comes under a finger that presses twice.
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { WorkEntry } from '../../processes/processes-view.ts';
import type { GivenAnswer } from '../forms/answer.tsx';
import { Button } from '../parts/button.tsx';
import { TextWithTimes } from '../parts/time.tsx';

interface KeptAnswer extends GivenAnswer {
  readonly title: string;
  /** When it was asked: asked again, it is another question of the same id. */
  readonly since: string | null;
  /** Those that stood behind it, and then those before it: it leaves the list. */
  readonly order: readonly string[];
}

interface Chosen {
  readonly id: string | null;
  /** Undefined: it is not in the list, or not any more. */
  readonly entry: WorkEntry | undefined;
}

/** @param shown the entries of the list, in their order */
export function useAnswered(shown: readonly WorkEntry[], { id: chosenId, entry: chosen }: Chosen) {
  const [answers, setAnswers] = useState<ReadonlyMap<string, KeptAnswer>>(new Map());
  /** Undefined: the question is not answered, or is asked again since. */
  const answerTo = (id: string | null, now: WorkEntry | undefined): KeptAnswer | undefined => {
    const answer = id === null ? undefined : answers.get(id);
    return answer && (!now || now.since === answer.since) ? answer : undefined;
  };
  const answer = answerTo(chosenId, chosen);
  /** Gives what is said of it. */
  const keep = ({ id, title, since }: WorkEntry, given: GivenAnswer): string => {
    const at = shown.findIndex((each) => each.id === id);
    const others = [...shown.slice(at + 1), ...shown.slice(0, Math.max(0, at)).reverse()];
    const order = others.map((each) => each.id);
    setAnswers((before) => new Map(before).set(id, { ...given, title, since, order }));
    return t`Answered: ${title}${given.words && ` (${given.words})`}`;
  };
  const open = shown.filter((each) => !answerTo(each.id, each));
  return { answer, keep, next: answer && nextOf(answer, open) };
}

/** A question before anything else; undefined: nothing is left. */
function nextOf({ order }: KeptAnswer, open: readonly WorkEntry[]): WorkEntry | undefined {
  const places = new Map(order.map((id, index) => [id, index]));
  const placeOf = ({ id }: WorkEntry) => places.get(id) ?? order.length;
  const left = open.toSorted((one, other) => placeOf(one) - placeOf(other));
  return left.find(({ kind }) => kind === 'question') ?? left[0];
}

const nextLabels = ({ kind }: WorkEntry) => (kind === 'question' ? t`Next question` : t`Next entry`);

interface AnsweredProps {
  readonly answer: KeptAnswer;
  readonly next: WorkEntry | undefined;
  readonly goOn: () => void;
}

export function Answered({ answer: { title, words, follows }, next, goOn }: AnsweredProps) {
  const head = useRef<HTMLElement>(null);
  // Enter goes on.
  useEffect(() => head.current?.querySelector('button')?.focus(), []);
  return (
    <>
      <header ref={head} class="row between">
        <h2>{title}</h2>
        <Button press={goOn} kind="main">
          {next ? nextLabels(next) : t`All work`}
        </Button>
      </header>
      <p>
        <strong>{t`Answered`}</strong>
        {words && `: ${words}`}
      </p>
      <p>
        {t`What follows:`} <TextWithTimes text={follows} />.
      </p>
    </>
  );
}
