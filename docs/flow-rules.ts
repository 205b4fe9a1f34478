// contract/flows/flow-rules.ts, computed from flows/built-in/: clients and receivers know the flows by it, without their code.
import { type Declaration, deadlineRules, legOf, rolesOf } from '../flows/built-in/declaration.ts';
import { declarations } from '../flows/built-in/flows.ts';

const head = `// biome-ignore-all format: \`npm run docs\` writes this file from flows/built-in/, and a test fails when it is not current.
// What each shipment flow takes and gives: its operation, its roles, and the deadlines that may be given.
import type { Role } from './flow-input.ts';
import type { FlowInputRules } from './flow-input-check.ts';

export interface ShipmentFlowRules extends FlowInputRules {
  readonly roles: readonly Role[];
  /** The roles of shipments that another flow has booked and keeps. */
  readonly ofOthers?: readonly Role[];
  /** The roles of shipments that it takes over from the flow that has booked them. */
  readonly takesOver?: readonly Role[];
  /** The roles that may be booked without a receiver, and then be taken over by a flow that issues them. */
  readonly stock?: readonly Role[];
}

export const flowRules = {`;

const tail = `} as const satisfies Readonly<Record<string, ShipmentFlowRules>>;

export type ShipmentFlowType = keyof typeof flowRules;

/** Undefined: it is no type of a shipment flow. */
export const flowRulesOf = (type: string): ShipmentFlowRules | undefined =>
  (flowRules as Readonly<Record<string, ShipmentFlowRules>>)[type];

/** Undefined: the operation books nothing that can be followed. */
export const flowRulesOfOperation = (operation: string): ShipmentFlowRules | undefined =>
  Object.values<ShipmentFlowRules>(flowRules).find((each) => each.operation === operation);
`;

function rules(flow: Declaration): string {
  const deadlines = rolesOf(flow).flatMap((role) =>
    deadlineRules(flow, role).map(
      (rule) =>
        `{ ${Object.entries(rule)
          .map(([name, value]) => `${name}: '${value}'`)
          .join(', ')} }`,
    ),
  );
  const legs = rolesOf(flow).map((role) => ({ role, ...legOf(flow, role) }));
  const some = (name: string, are: (leg: (typeof legs)[number]) => boolean) =>
    legs.some(are) ? `, ${name}: ${list(legs.filter(are))}` : '';
  const others = [
    some('ofOthers', ({ undo }) => undo === 'leave'),
    some('takesOver', ({ undo }) => undo === 'removeReceiver'),
    some(
      'stock',
      ({ isPrior, done, deadlines: stages }) =>
        !isPrior && (done.includes('WaitForReceiver') || stages.includes('receiver')),
    ),
  ];
  return `  ${flow.name}: { operation: '${flow.operation}', roles: ${list(legs)}, deadlines: [${deadlines.join(', ')}]${others.join('')} },`;
}

const list = (legs: readonly { readonly role: string }[]) =>
  `[${legs.map(({ role }) => `'${role}'`).join(', ')}]`;

export function flowRulesFile(): string {
  return [head, ...declarations.map(rules), tail].join('\n');
}
