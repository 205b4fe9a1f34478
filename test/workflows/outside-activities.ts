// The activities of a worker on which each process has its own outside.
import { Context } from '@temporalio/activity';
import type { Outside } from './outside.ts';

const names: readonly (keyof Outside['activities'])[] = [
  'book',
  'undo',
  'changeReceiver',
  'keepReports',
  'callLockerApi',
  'followSandboxClock',
];

/** Each call goes to the outside of the process that makes it. It is found by the workflow id. */
export function activitiesOf(outsides: ReadonlyMap<string, Outside>): Partial<Outside['activities']> {
  const call = (name: keyof Outside['activities']) => async (input: never) => {
    const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
    const outside = outsides.get(workflowId);
    if (!outside) throw new TypeError(`no outside for ${workflowId}`);
    return await outside.activities[name](input);
  };
  return Object.fromEntries(names.map((name) => [name, call(name)]));
}
