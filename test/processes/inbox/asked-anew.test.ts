// A question that a migration has changed: the list, the API and Work say what has become of it.
import { expect, test } from 'vitest';
import { questionEntry } from '../../../processes/inbox/inbox.ts';
import { openQuestions } from '../../../processes/views/questions.ts';
import { inLocale } from '../../../shared/texts/reader-of-request.ts';
import { newFileProgress } from '../../support/progress.ts';

const NOTE = 'asked anew: its fields have changed; was asked of desk before';

/** Of a Temporal with this one process. */
async function asked(note: string) {
  const question = { id: 'check', of: 'lab', question: 'Is it whole?', fields: {}, until: null, note };
  const progress = newFileProgress({ questions: [{ ...question, askedAt: '2031-05-01T12:00:00Z' }] });
  const found = { execution: { workflowId: 'loan-1', runId: 'run' }, type: { name: 'Loan' }, status: 1 };
  const client = {
    options: { namespace: 'default' },
    workflowService: { listWorkflowExecutions: async () => ({ executions: [found] }) },
    workflow: { getHandle: () => ({ query: async () => progress }) },
    withDeadline: async (_: unknown, ask: () => Promise<unknown>) => await ask(),
  };
  const { items } = await openQuestions({ client, taskQueue: 'flows' } as never);
  return items;
}

test('a question that was asked anew says so, in each language', async () => {
  const [question] = await asked(NOTE);
  expect(question).toMatchObject({ key: 'loan-1', note: NOTE });
  if (!question) throw new TypeError('expected a question');
  expect(questionEntry(question, 0).why).toMatch(
    /asks lab\. It was asked anew: a migration has changed its fields\. Before a migration desk was asked\.$/,
  );
  expect(inLocale('nl', () => questionEntry(question, 0).why)).toContain('De vraag is opnieuw gesteld');
});
