// The words of Work, and of what people decide, in English.
import { counting } from '../language.ts';

const counted = counting('en');

export const work = {
  groups: {
    urgent: 'Urgent',
    today: 'Today',
    later: 'Later',
  },
  kinds: {
    decision: 'Decision',
    question: 'Question',
    door: 'Door',
    itemLeft: 'Item left',
    parked: 'Parked callback',
  },
  noneFits: 'Nothing here fits these choices.',
  chosen: 'The chosen entry',
  back: '← All work',
  isDone: 'This is done: it waits for nobody any more.',
  answered: (what: string) => `Answered: ${what}`,
  notAnswered: (title: string, why: string) => `${title} Not answered: ${why}`,
  takenBy: (who: string) => `taken by ${who}`,
  notRead: 'not read since #',
  due: 'due #',
  showOnly: 'Show only',
  nothing: 'Nothing waits for a person.',
  nothingRead: 'Nothing that could be read waits for a person.',
  notAll: (what: string, why: string) => `Not all is shown: ${what}: ${why}`,
  entry: {
    ifNothing: 'If nobody does anything',
    done: (what: string) => `${what}: done`,
    needsRole: 'This needs the role decide',
    atOnce: 'These are done at once, and cannot be taken back.',
    lockerOf: (locker: string, point: string) => `Locker ${locker} of ${point}`,
  },
  answer: {
    title: 'Answer',
    count: counted({ one: '# answer', other: '# answers' }),
    all: (count: string) => `Answer all ${count}`,
    mayNot: 'You may not answer in this inbox: it needs the role decide, or a right to the inbox.',
    more: counted({ one: '# more asks the same', other: '# more ask the same' }),
    every: 'Choose all',
    yes: 'yes',
    no: 'no',
    missing: 'is missing',
    needsReason: 'This needs a reason; it is kept with your name.',
    fieldWrong: 'A field is wrong.',
    notJson: (why: string, example: string) => `is not JSON (${why}); expected something like ${example}`,
  },
};
