// The questions that processes of flow files have asked (ask), each with its fields as a form.
import { openQuestions, type WaitingQuestion } from '../../processes/views/open-questions.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { questionChoice } from '../decisions/question-choices.ts';
import type { InboxEntry } from './inbox-view.ts';
import type { ProcessClocks } from './process-clocks.ts';
import type { InboxSource, SourceRead } from './source.ts';

export const questions = (clocks: ProcessClocks): InboxSource => ({
  kind: 'question',
  what: 'questions of processes',
  read: (parts) => read(parts, clocks),
});

async function read(parts: ConsoleParts, clocks: ProcessClocks): Promise<SourceRead> {
  const { waiting, unasked } = await openQuestions(parts, { taskQueue: parts.taskQueue });
  return {
    entries: await Promise.all(waiting.map(async (each) => entryOf(each, await clocks.aheadMs(parts, each)))),
    ...(unasked > 0 && { incomplete: `${unasked} processes did not answer; check that a worker runs` }),
  };
}

function entryOf(waiting: WaitingQuestion, clockAheadMs: number): InboxEntry {
  const { workflowId, flow, id, of, question, askedAt, until } = waiting;
  return {
    // A key may have any character; the question's id has none of these.
    id: `question:${id}:${workflowId}`,
    kind: 'question',
    since: askedAt,
    clockAheadMs,
    title: question,
    why: `A process of ${flow} asks ${of}.`,
    ifNothing: until
      ? `After ${until} the process goes on without an answer, as its flow file says.`
      : 'The process waits for the answer, for as long as it takes.',
    toDo: 'Answer it here.',
    workflowId,
    pupUid: null,
    lockerName: null,
    shipmentUid: null,
    actions: [questionChoice(workflowId, waiting)],
  };
}
