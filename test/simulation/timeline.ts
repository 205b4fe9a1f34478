// What people read: the story of a run, and the report of many.
import { stateCodes } from '../../contract/wire/states.ts';
import { isActive } from '../../machines/chart.ts';
import { BEGIN } from './kernel/simulator.ts';
import { type FaultKind, faultKinds } from './world/faults.ts';
import type { Outcome } from './world/simulation.ts';

/** Lines of a trace, the last ones if there are more. */
export function timeline({ trace }: Outcome, most = 200): string {
  const left = trace.slice(-most);
  const omitted = trace.length - left.length;
  return [
    ...(omitted > 0 ? [`… ${omitted} lines before`] : []),
    ...left.map(({ step, at, words }) => `${String(step).padStart(7)}  ${sinceBegin(at)}  ${words}`),
  ].join('\n');
}

function sinceBegin(at: number): string {
  const milliseconds = at - BEGIN;
  const days = Math.floor(milliseconds / 86_400_000);
  return `${days}d ${new Date(milliseconds % 86_400_000).toISOString().slice(11, 23)}`;
}

export function failureReport(outcome: Outcome, before: Outcome): string {
  const { seed, violation, faults } = outcome;
  const named = faults.map(({ name, kind }) => `  ${name}: ${faultKinds[kind]}`);
  return [
    `Seed ${seed}: ${violation?.message ?? 'no violation'}`,
    '',
    faults.length === 0
      ? `It takes no fault (there were ${before.faults.length}).`
      : `It takes these faults (there were ${before.faults.length}):`,
    ...named,
    '',
    timeline(outcome),
    '',
    `Again: npm run simulate -- --seed ${seed}${faults.length < before.faults.length ? ` --only '${faults.map(({ name }) => name).join(',')}'` : ''} --trace`,
    `Up to a step: add --to ${Math.max(0, outcome.steps - 1)}`,
  ].join('\n');
}

export class Totals {
  seeds = 0;
  steps = 0;
  workflowTasks = 0;
  replays = 0;
  simulatedMs = 0;
  flows = 0;
  readonly #ends = new Map<string, number>();
  readonly #faults = new Map<FaultKind, number>();
  readonly #pairs = new Set<string>();
  readonly #transitions = new Map<string, number>();

  add(outcome: Outcome): void {
    this.seeds += 1;
    this.steps += outcome.steps;
    this.workflowTasks += outcome.workflowTasks;
    this.replays += outcome.replays;
    this.simulatedMs += outcome.simulatedMs;
    this.flows += outcome.flows;
    for (const [end, count] of Object.entries(outcome.ends))
      this.#ends.set(end, (this.#ends.get(end) ?? 0) + count);
    for (const { kind, during } of outcome.faults) {
      this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + 1);
      for (const state of during) this.#pairs.add(pairOf(kind, state));
    }
    for (const [transition, count] of Object.entries(outcome.transitions))
      this.#transitions.set(transition, (this.#transitions.get(transition) ?? 0) + count);
  }

  report(seconds: number): string {
    const perSecond = Math.round(this.steps / Math.max(seconds, 0.001));
    const faults = (Object.keys(faultKinds) as FaultKind[]).map(
      (kind) => `  ${kind.padEnd(20)} ${String(this.#faults.get(kind) ?? 0).padStart(8)}`,
    );
    return [
      `${this.seeds} seeds in ${seconds.toFixed(1)} s: ${this.steps} steps (${perSecond} a second), ${this.workflowTasks} workflow tasks, ${this.replays} replays of a history`,
      `${this.flows} flows (${[...this.#ends].map(([end, count]) => `${end} ${count}`).join(', ')}) in ${(this.simulatedMs / 86_400_000).toFixed(1)} simulated days`,
      'Faults:',
      ...faults,
      ...this.#coverage(),
    ].join('\n');
  }

  #coverage(): string[] {
    const transitions = [...this.#transitions].sort(([, one], [, other]) => other - one);
    const wanted = (Object.keys(faultKinds) as FaultKind[]).flatMap((kind) =>
      stateCodes.filter(isActive).map((state) => pairOf(kind, state)),
    );
    const never = wanted.filter((pair) => !this.#pairs.has(pair));
    return [
      'Changes of shipments:',
      ...transitions.map(([transition, count]) => `  ${transition.padEnd(36)} ${String(count).padStart(8)}`),
      `Faults while some shipment was in a state: ${wanted.length - never.length} of ${wanted.length} pairs`,
      ...never.map((pair) => `  never: ${pair}`),
    ];
  }
}

const pairOf = (kind: FaultKind, state: string): string => `${kind} while ${state}`;
