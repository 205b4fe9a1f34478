// The kinds of logic that an actor of a machine may have.
import { StateMachine } from 'xstate';
import { isActivityLogic } from './activity-call.ts';
import { isChildWorkflowLogic } from './child-workflow.ts';
import { isProcedureLogic } from './procedure.ts';

/** Local: a machine or a transition function. Live: it runs by itself, which a workflow cannot. */
export type Kind = 'activity' | 'childWorkflow' | 'procedure' | 'local' | 'live';

export function kindOf(logic: unknown): Kind {
  if (isActivityLogic(logic)) return 'activity';
  if (isChildWorkflowLogic(logic)) return 'childWorkflow';
  if (isProcedureLogic(logic)) return 'procedure';
  if (logic instanceof StateMachine) return 'local';
  // Promises, callbacks and observables begin their work in `start`.
  const { start } = logic as { readonly start?: unknown };
  return start === undefined ? 'local' : 'live';
}
