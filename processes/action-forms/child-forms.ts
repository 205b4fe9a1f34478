// The actions of a flow that a process has started, as the page of that process offers them: what moves its ends, and what it waits
// for a person to do. The rest is on its own page.
import { taskActions } from '../../flows/language/machine/tasks.ts';
import { type ActionFormsInput, actionFormsOf, decisionsOf } from './action-forms.ts';
import type { ActionForm } from './question-forms.ts';

const takenOver: ReadonlySet<string | undefined> = new Set([
  ...['extend', 'shorten', 'setReceiver', 'answer'],
  ...taskActions,
]);

/** @param title of the flow, for people */
export function childForms(input: ActionFormsInput, title: string): ActionForm[] {
  const { key, flow } = input;
  const decisions = new Set(decisionsOf(input).map(({ id }) => id));
  return actionFormsOf(input)
    .filter(({ id, command }) => takenOver.has(command) || decisions.has(id))
    .map((form) => ({
      ...form,
      // Forms of several processes stand side by side.
      id: `${key}:${form.id}`,
      label: `${form.label}: ${title}`,
      of: { key, flow, title },
    }));
}
