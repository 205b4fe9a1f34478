// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of flow files.
// OnboardAccount as a flow file: it finds or creates the account, then sets what that lacks, if the caller may. Nothing of it is
// undone: a cancellation only skips the rest.
import type { FlowFile, Json, StateData, TransitionData } from '../language/flow-file.ts';
import { outputOfLastState, outputOfOnboarding } from '../language/whole-process.ts';
import { otherEnds } from './ends.ts';

const ifCancelled = { guard: '${context.isCancelled}', target: 'cancelled' } as const;
const refusals = [ifCancelled, { target: 'refused' }] as const;

export const onboardAccount: FlowFile = {
  name: 'OnboardAccount',
  meaning: 'An account is found or created.',
  context: { account: null, areDetailsSet: false, isCancelled: false },
  initial: 'finding',
  on: { cancelRequested: { actions: { type: 'assign', params: { isCancelled: true } } } },
  states: {
    finding: {
      description: 'Waits for the account to be found or created.',
      invoke: {
        id: 'find',
        src: 'FindAccount',
        input: { isWhole: true },
        onDone: { target: 'found', actions: { type: 'assign', params: { account: '${event.output}' } } },
        onError: refusals,
      },
    },
    found: next('pickUpPoint', 'settingPickUpPoint', 'placed'),
    settingPickUpPoint: setting('pickUpPoint', {
      description: 'Waits for its pick up point to be set.',
      request: { pickUpPointUid: '${input.pickUpPointUid}' },
      onDone: { target: 'placed' },
    }),
    placed: next('details', 'settingDetails', 'detailed'),
    settingDetails: setting('details', {
      description: 'Waits for its details to be set.',
      request: '${input}',
      onDone: { target: 'detailed', actions: { type: 'assign', params: { areDetailsSet: true } } },
    }),
    detailed: next('mutationConfig', 'settingMutationConfig', 'done'),
    settingMutationConfig: setting('mutationConfig', {
      description: 'Waits for its mutation configuration to be set.',
      request: { mutationConfig: '${input.?mutationConfig.orValue(null)}' },
      onDone: { target: 'done' },
    }),
    done: { type: 'final', output: outputOfOnboarding },
    ...otherEnds,
  },
  output: outputOfLastState,
};

/** A version stays as long as processes run on it; new ones begin on the highest. */
export const onboardAccountVersions: Readonly<Record<number, FlowFile>> = { 1: onboardAccount };

type Part = 'pickUpPoint' | 'details' | 'mutationConfig';

function next(part: Part, setting: string, otherwise: string): StateData {
  return {
    always: [
      ifCancelled,
      { guard: `\${size(context.account.toSet.${part}) > 0}`, target: setting },
      { target: otherwise },
    ],
  };
}

interface Setting {
  readonly description: string;
  readonly request: Json;
  readonly onDone: TransitionData;
}

function setting(part: Part, { description, request, onDone }: Setting): StateData {
  const fields = `\${context.account.toSet.${part}}`;
  const input: Json = { userUid: '${context.account.userUid}', request, fields };
  return { description, invoke: { src: 'SetAccount', input, onDone, onError: refusals } };
}
