// What an answer holds of a process, by who reads it. What the processes of a flow file give back may be what an operation has told
// of a person (GetAccount, GetShipment), and so may be the keys by which events find them: they are for those who may act on
// processes, and for who has started the process. What a file writes into texts for people is read by all who may read processes.

import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import { isBuiltIn } from '../../contract/flows/flow-types.ts';
import type { FlowMemo } from '../../contract/flows/search-attributes.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import type { Caller } from '../access/rights.ts';
import type { ProcessDetails } from '../process/process-view.ts';

/** The answer of a route, as this caller may read it. */
export const shownTo = (caller: Pick<Caller, 'may'>, answer: unknown): unknown =>
  ofChildren(caller, caller.may('decide') ? answer : withoutPersonal(answer));

/** What can be done to the flows that a process has started, for who may do it. */
function ofChildren(caller: Pick<Caller, 'may'>, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('actionForms' in answer)) return answer;
  const { actionForms, headline } = answer as Pick<ProcessDetails, 'actionForms' | 'headline'>;
  const theirs = actionForms.filter(({ of }) => of === undefined || caller.may('decide', of.flow));
  if (theirs.length === actionForms.length) return answer;
  const { primary } = headline;
  const isHidden = primary !== null && !theirs.some(({ id }) => id === primary);
  return { ...answer, actionForms: theirs, headline: { ...headline, primary: isHidden ? null : primary } };
}

function withoutPersonal(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { flow, progress, result } = answer as Partial<ShownProcess>;
  // The contract keeps data of people out of what a built-in flow says.
  if (flow !== undefined && isBuiltIn(flow)) return answer;
  const { output: _, keys: __, ...told } = (progress ?? {}) as Partial<FlowFileProgress>;
  return {
    ...answer,
    ...(progress !== undefined && { progress: progress && told }),
    ...(result !== undefined && { result: null }),
  };
}

/**
 * By its memo, and not by a name: a person may have the name of a program in hers. A process that goes on as a new run keeps it.
 */
export const isStartedBy = (
  { id }: Pick<Caller, 'id'>,
  { memo }: { readonly memo?: Readonly<Record<string, unknown>> | undefined },
): boolean => (memo as FlowMemo | undefined)?.startedBy === id;

/** For who may start it, and read nothing: what says whether it runs. */
export const barely = ({ key, runId, flow, status }: ShownProcess): ShownProcess => ({
  key,
  runId,
  flow,
  status,
  startedAt: null,
  closedAt: null,
  progress: null,
  unanswered: null,
  actions: null,
  trying: [],
  result: null,
  failure: null,
});
