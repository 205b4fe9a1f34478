// The questions that processes of flow files have asked (ask), each with its fields as a form.

import { questionForm, taskForms } from '../../action-forms/question-forms.ts';
import type { ProcessClocks } from '../../flow-clock.ts';
import { askedQuestions, type KeptQuestions, type Question } from '../questions.ts';
import type { InboxEntry } from './inbox-entry.ts';
import { formatUnanswered, type InboxParts, type InboxSource, type SourceRead } from './source.ts';

// A page waits for the whole inbox.
const ANSWER_WITHIN_MS = 5_000;

export const questions = (clocks: ProcessClocks, kept: KeptQuestions): InboxSource => ({
  kind: 'question',
  what: 'questions of processes',
  read: (parts) => read(parts, clocks, kept),
});

async function read(parts: InboxParts, clocks: ProcessClocks, kept: KeptQuestions): Promise<SourceRead> {
  const { items, unanswered } = await askedQuestions(parts, {}, { withinMs: ANSWER_WITHIN_MS, kept });
  return {
    entries: await Promise.all(items.map(async (each) => entryOf(each, await clocks.aheadMs(parts, each)))),
    unanswered,
    ...(unanswered.length > 0 && { incomplete: formatUnanswered(unanswered.length) }),
  };
}

function entryOf(asked: Question, clockAheadMs: number): InboxEntry {
  const { key, flow, pupUid, question, of, text, fields, askedAt, until, priority, due, holder } = asked;
  const open = { ...asked, id: question, holder: holder ?? undefined };
  return {
    // A key may have any character; the question's id has none of these.
    id: `question:${question}:${key}`,
    kind: 'question',
    since: askedAt,
    clockAheadMs,
    title: text,
    why: [
      `A process of ${flow} asks ${of}.`,
      ...(holder === null ? [] : [`${holder} has taken it.`]),
      ...(due === null ? [] : [`It is due at ${due}.`]),
    ].join(' '),
    ifNothing: until
      ? `After ${until} the process goes on without an answer, as its flow file says.`
      : 'The process waits for the answer, for as long as it takes.',
    toDo:
      holder === null
        ? 'Answer it here. Take it first if others may work on it too.'
        : `${holder} answers it here; others can assign it to themselves.`,
    key,
    pupUid,
    lockerName: null,
    shipmentUid: null,
    priority,
    ...(due !== null && { due }),
    task: { inbox: of, holder, until, form: JSON.stringify([flow, question, fields]) },
    actions: [questionForm(key, open), ...taskForms(key, open)],
  };
}
