// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of flow files.
// OnboardAccount as a flow file: it finds or creates the account, then sets what that lacks, if the caller may. Nothing of it is
// undone: a cancellation only skips the rest.
import {
  endOfBooking,
  endOfOnboarding,
  type FlowFile,
  type InvokeData,
  type Json,
  type StateData,
  type TransitionData,
} from '../language/flow-file.ts';

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
    settingPickUpPoint: setting('pickUpPoint', 'Waits for its pick up point to be set.', {
      target: 'placed',
    }),
    placed: next('details', 'settingDetails', 'detailed'),
    settingDetails: setting('details', 'Waits for its details to be set.', {
      target: 'detailed',
      actions: { type: 'assign', params: { areDetailsSet: true } },
    }),
    detailed: next('mutationConfig', 'settingMutationConfig', 'done'),
    settingMutationConfig: setting('mutationConfig', 'Waits for its mutation configuration to be set.', {
      target: 'done',
    }),
    done: { type: 'final', output: endOfOnboarding },
    cancelled: { type: 'final' },
    refused: {
      type: 'final',
      entry: {
        type: 'fail',
        params: {
          code: '${event.error.code}',
          message: '${event.error.message}',
          details: '${event.error.?details.orValue([])}',
        },
      },
    },
  },
  output: endOfBooking.ofFile,
};

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

function setting(part: Part, description: string, onDone: TransitionData): StateData {
  const input: Json = {
    userUid: '${context.account.userUid}',
    request: '${input}',
    fields: `\${context.account.toSet.${part}}`,
  };
  const invoke: InvokeData = { src: 'SetAccount', input, onDone, onError: refusals };
  return { description, invoke };
}
