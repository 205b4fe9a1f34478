// The outline of a flow's chart, for pages that people read: of each leg the states that it goes through by itself, and the
// way of the flow from its booking to its end. Each arrow in it is one of the chart's. What can happen besides (states that
// are skipped, taken back, corrected or cancelled, changes of a receiver) the whole chart has.
import type { ChartData, StateData, TransitionData, TransitionsData } from '../../workflows/chart-data.ts';

export function outline(chart: ChartData): ChartData {
  const { following, undoing, ...others } = chart.states ?? {};
  if (!following || !undoing?.onDone) return chart;
  const { on: _, ...withoutMessages } = chart;
  const states = { ...others, following: outlineOfLegs(following), undoing: { onDone: undoing.onDone } };
  return { ...withoutMessages, states } as ChartData;
}

function outlineOfLegs(following: StateData): StateData {
  const { on: _, states = {}, ...rest } = following;
  const legs = Object.entries(states).filter(([, { meta }]) => meta?.begins !== undefined);
  return { ...rest, states: Object.fromEntries(legs.map(([role, leg]) => [role, outlineOfLeg(role, leg)])) };
}

function outlineOfLeg(role: string, leg: StateData): StateData {
  const begins = leg.meta?.begins as readonly string[];
  const states = leg.states ?? {};
  const found = begins.map((state) => [`${role}.found.${state}`, state]);
  const kept: Record<string, StateData> = { RoleUnknown: { on: Object.fromEntries(found) } };
  const open = [...begins];
  for (let name = open.shift(); name; name = open.shift()) {
    const state = states[name];
    if (!state || kept[name]) continue;
    const { on = {}, ...rest } = state;
    const next = Object.entries(on).filter(([, way]) => isNext(way));
    kept[name] = { ...rest, ...(next.length > 0 ? { on: Object.fromEntries(next) } : {}) };
    open.push(...next.map(([, way]) => (way as TransitionData).target ?? ''));
  }
  return { initial: leg.initial ?? 'RoleUnknown', states: kept };
}

/** One step further; a cancellation is possible everywhere and not drawn. */
function isNext(way: TransitionsData): boolean {
  const { target, actions } = way as TransitionData;
  return target !== 'Cancelled' && JSON.stringify(actions) === NEXT;
}

const NEXT = JSON.stringify({ type: 'advance', params: { verdict: 'next' } });
