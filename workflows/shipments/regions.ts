// The parallel regions of the chart while the shipments are followed: one for each leg, and one for changes of receiver.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import { type Declaration, legOf, rolesOf } from '../../flows/declaration.ts';
import { chartStateCodes } from '../../machines/chart.ts';
import { stageOfState } from './deadlines.ts';
import type { LegState } from './legs-now.ts';
import { changeReceiverInput } from './receiver.ts';
import type { Vocabulary } from './vocabulary.ts';

const legStates: readonly LegState[] = ['Unknown', ...chartStateCodes, 'Superseded'];

export function legRegions(flow: Declaration, words: Vocabulary) {
  return Object.fromEntries(rolesOf(flow).map((role) => [role, legRegion(flow, words, role)]));
}

/** The leg is where its shipment is; only what is known moves it. */
function legRegion(flow: Declaration, words: Vocabulary, role: Role) {
  const { deadlines } = legOf(flow, role);
  const state = (name: LegState) => {
    const stage = stageOfState[name];
    return stage && deadlines.includes(stage) ? stageState(words, role, stage, name) : {};
  };
  return words.createStateConfig({
    initial: 'Unknown',
    on: Object.fromEntries(legStates.map((name) => [`${role}.${name}`, `.${name}`])),
    states: Object.fromEntries(legStates.map((name) => [name, state(name)])),
  });
}

function stageState(words: Vocabulary, role: Role, stage: Stage, name: LegState) {
  const noteOverdue = { type: 'noteOverdue', params: { role, stage } } as const;
  return words.createStateConfig({
    after: { [`${role}.${stage}` as const]: { actions: noteOverdue } },
    on: { [`${role}.deadlineMoved` as const]: { target: name, reenter: true } },
  });
}

/** One change at a time: each waits for the answer of the service, and the one who asked hears it. */
export function receiverRegion(words: Vocabulary) {
  const begin = { guard: 'canChangeReceiver', target: 'changing', actions: 'beginReceiverChange' } as const;
  return words.createStateConfig({
    initial: 'unchanged',
    states: {
      unchanged: { on: { setReceiver: begin, removeReceiver: begin } },
      changing: {
        invoke: {
          src: 'changeReceiver',
          input: ({ context }) => changeReceiverInput(context),
          onDone: { target: 'unchanged', actions: ['answerReceiverChange', 'endReceiverChange'] },
          onError: {
            target: 'unchanged',
            actions: [{ type: 'refuseReceiverChange', params: ({ event }) => event }, 'endReceiverChange'],
          },
        },
      },
    },
  });
}
