// OnboardAccount: finds or creates an account, then sets the requested pick up point and mutation configuration.

import type { AnyMachineSnapshot } from 'xstate';
import type { OnboardProgress, OnboardResult } from '../../contract/flows/flow-answers.ts';
import type { OnboardInput } from '../../contract/flows/onboard-input.ts';
import { cancelCommand } from '../../engine/commands.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import type { PendingWork } from '../../engine/definition/views.ts';
import type { Process } from '../../engine/process.ts';
import { flow } from '../../engine/temporal/workflow.ts';
import { consequence } from '../../flows/booking/consequence.ts';
import { withoutShipments } from '../../flows/booking/process-of-bookings.ts';
import { nothingOfChart } from '../../flows/language/machine/progress.ts';
import { waitingForCalls } from '../../flows/language/machine/waits.ts';
import { code } from '../../shared/markdown/shown-as-text.ts';
import { parkCall } from '../booking-calls.ts';
import { loadedChart } from '../chart-data.ts';
import { eventOutbox } from '../event-delivery.ts';
import { operatorFields } from '../operator-fields.ts';
import { clockOf } from '../sandbox-clock.ts';
import { onboardingChart } from './chart.ts';
import { type Onboarding, onboardingVocabulary } from './vocabulary.ts';

const steps: Readonly<Record<string, string>> = {
  finding: 'the account to be found or created',
  settingPickUpPoint: 'its pick up point to be set',
  settingDetails: 'its details to be set',
  settingMutationConfig: 'its mutation configuration to be set',
};

function onboarding(): Definition {
  return {
    machine: loadedChart(onboardingChart, onboardingVocabulary),
    messages: withoutShipments({
      signals: {},
      updates: {},
      refusal: (_, { type }) => `OnboardAccount takes no ${type}`,
    }),
    views: {
      progress,
      details,
      // None here: the engine adds LockerFlowVersion, which shows that a version is still in use.
      searchAttributes: () => ({}),
      ...operatorFields,
    },
    outgoing: { outbox: eventOutbox('OnboardAccount'), handOver: () => parkCall },
    // What is set already stays; the rest is not set.
    commands: (process: Process) => [
      cancelCommand(process, () =>
        consequence(process, (copy) => copy.do((copied) => copied.cancel('cancelled'))),
      ),
    ],
    clock: clockOf,
  };
}

function details({ value, context }: AnyMachineSnapshot): string {
  const userUid = accountIn(context)?.userUid;
  const step = steps[String(value)];
  return `**OnboardAccount: ${step ? `waiting for ${step}` : 'ended'}**${userUid ? `\n- account ${code(userUid)}` : ''}`;
}

function progress(
  { status, value, context }: AnyMachineSnapshot,
  _late: readonly unknown[],
  pending?: PendingWork,
): OnboardProgress {
  const isOpen = status === 'active';
  return {
    flow: 'OnboardAccount',
    version: (context as Onboarding).start.version,
    phase: isOpen ? 'Open' : null,
    activity: isOpen ? 'Running' : 'Ended',
    waitingFor: isOpen && pending ? waitingForCalls(pending) : [],
    state: value,
    ...nothingOfChart,
    bookings: [],
    step: String(value),
    account: accountIn(context),
  };
}

function accountIn(context: AnyMachineSnapshot['context']): Onboarding['account'] {
  return (context as Onboarding).account;
}

export const OnboardAccount = flow<OnboardInput, OnboardResult>('OnboardAccount', { 1: onboarding });
