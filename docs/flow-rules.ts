// contract/flows/flow-rules.ts, computed from flows/: clients and receivers know the flows by it, without their code.
import { type Declaration, deadlineRules, legOf, rolesOf } from '../flows/declaration.ts';
import { declarations } from '../flows/flows.ts';

const head = `// biome-ignore-all format: \`npm run docs\` writes this file from flows/, and a test fails when it is not current.
// What each shipment flow takes and gives: its operation, its roles, and the deadlines that may be given.
// ofOthers: the roles of shipments that another flow has booked and keeps.
import type { Role } from './flow-input.ts';
import type { FlowInputRules } from './flow-input-check.ts';

export const flowRules = {`;

const tail = `} as const satisfies Readonly<Record<string, FlowInputRules & { readonly roles: readonly Role[]; readonly ofOthers?: readonly Role[] }>>;

export type ShipmentFlowType = keyof typeof flowRules;
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
  const roles = rolesOf(flow).map((role) => `'${role}'`);
  const ofOthers = rolesOf(flow).filter((role) => legOf(flow, role).undo === 'leave');
  const others = ofOthers.length > 0 ? `, ofOthers: [${ofOthers.map((role) => `'${role}'`).join(', ')}]` : '';
  return `  ${flow.name}: { operation: '${flow.operation}', roles: [${roles.join(', ')}], deadlines: [${deadlines.join(', ')}]${others} },`;
}

export function flowRulesFile(): string {
  return [head, ...declarations.map(rules), tail].join('\n');
}
