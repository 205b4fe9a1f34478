// Checks that the states that a file names exist, that no id is given twice, and, with the files beside it, all else that it names.
import { type FlowFile, isMap, listOf } from '../flow-file.ts';
import { checkActions } from './action-references.ts';
import { checkInvoke, checkUndoneSteps, invocable } from './invoke-references.ts';
import { type At, pathOf, type Report } from './report.ts';
import { formatStartIssue, startIssues } from './start-issues.ts';
import {
  areApart,
  guardsOf,
  type InvokeAt,
  invokesOf,
  type Node,
  nodesOf,
  targetOf,
  transitionsOf,
  workOf,
} from './walk.ts';

export function checkReferences(file: FlowFile, report: Report): void {
  const { builtIn, mayBeBuiltIn } = report.names;
  const taken = { ...report.names, builtIn: mayBeBuiltIn ? [] : builtIn, published: [] };
  if (invocable(taken).includes(file.name)) report.find('NameTaken', ['name'], file.name);
  if (file.result !== undefined && file.output === undefined)
    report.find('FieldMissing', [], 'output', 'what `result` describes');
  checkSchedules(file, report);
  const nodes = nodesOf(file);
  const invokes = nodes.flatMap(invokesOf);
  for (const each of invokes) {
    checkInvoke(file, workOf(each), report);
    const { undo } = each.invoke;
    if (undo) checkInvoke(file, { ...each, invoke: undo, at: [...each.at, 'undo'] }, report);
  }
  checkUndoneSteps(invokes, report);
  checkIds(file, nodes, invokes, report);
  checkRenames(nodes, invokes, report);
  checkTimerNames(nodes, report);
  for (const node of nodes) {
    checkTargets(node, nodes, report);
    checkGuards(node, nodes, report);
    checkActions(node, nodes, invokes, report);
  }
}

function checkSchedules(file: FlowFile, report: Report): void {
  const { schedules = {}, calendars = {}, input, ...rest } = file;
  const isChecked = isMap(input) && !report.findings.some(({ code }) => code === 'SchemaInvalid');
  const started = isChecked ? { ...rest, input } : rest;
  for (const [name, { calendar, request }] of Object.entries(schedules)) {
    const at = ['schedules', name];
    const known = Object.keys(calendars);
    if (calendar !== undefined && !known.includes(calendar))
      report.findUnknown('CalendarUnknown', [...at, 'calendar'], calendar, known);
    const place = request === undefined ? at : [...at, 'request'];
    for (const issue of startIssues(started, { request: request ?? {} }))
      report.find('RequestWrong', place, `a request in which ${formatStartIssue(issue)}`);
  }
}

function checkIds(
  file: FlowFile,
  nodes: readonly Node[],
  invokes: readonly InvokeAt[],
  report: Report,
): void {
  const states = nodes.flatMap(({ state, at }) =>
    state.id === undefined ? [] : [{ id: state.id, at: [...at, 'id'] }],
  );
  once([{ id: file.name, at: ['name'] }, ...states], report);
  once(
    invokes.map(({ id, at, invoke }) => ({ id, at: invoke.id === undefined ? at : [...at, 'id'] })),
    report,
  );
}

function once(given: readonly { readonly id: string; readonly at: At }[], report: Report): void {
  const seen = new Map<string, At>();
  for (const { id, at } of given) {
    const first = seen.get(id);
    if (first) report.find('IdTaken', at, id, `an id that differs from the one at ${pathOf(first)}`);
    seen.set(id, first ?? at);
  }
}

/** What `was` names is gone from the file, and goes on as one part alone. */
function checkRenames(nodes: readonly Node[], invokes: readonly InvokeAt[], report: Report): void {
  const states = nodes.map(({ state, keys, at }) => ({ was: state.was, name: keys.join('.'), at }));
  const invoked = invokes.map(({ invoke, id, at }) => ({ was: invoke.was, name: id, at }));
  const events = nodes.flatMap(transitionsOf).flatMap(({ transition: { was }, trigger, at }) => {
    if (trigger.kind === 'on') return [{ was, name: trigger.event, at }];
    if (was !== undefined) report.find('FieldUnknown', [...at, 'was'], 'was', 'it only in on');
    return [];
  });
  for (const parts of [states, invoked, events]) {
    const names = new Set(parts.map(({ name }) => name));
    const byWas = new Map<string, string>();
    for (const { was, name, at } of parts) {
      if (was === undefined) continue;
      if (names.has(was)) report.find('WasStillHere', [...at, 'was'], was);
      // An event may be listened for in several states.
      else if ((byWas.get(was) ?? name) !== name)
        report.find('WasTaken', [...at, 'was'], was, `no other than ${byWas.get(was)}`);
      byWas.set(was, name);
    }
  }
}

/** A name stands for one delay of a state: by it a person moves that. */
function checkTimerNames(nodes: readonly Node[], report: Report): void {
  for (const node of nodes) {
    const delays = new Map<string, string>();
    for (const { transition, trigger, at } of transitionsOf(node)) {
      const { name } = transition;
      if (name === undefined) continue;
      if (trigger.kind !== 'after') report.find('FieldUnknown', [...at, 'name'], 'name', 'it only in after');
      else if ((delays.get(name) ?? trigger.delay) !== trigger.delay)
        report.find('IdTaken', [...at, 'name'], name, `a name that differs from that of ${delays.get(name)}`);
      else delays.set(name, trigger.delay);
    }
  }
}

function checkTargets(node: Node, nodes: readonly Node[], report: Report): void {
  const { state, at } = node;
  const within = Object.keys(state.states ?? {});
  if (state.initial !== undefined && !within.includes(state.initial))
    report.findUnknown('InitialUnknown', [...at, 'initial'], state.initial, within);
  if (state.target !== undefined && node.parent && !targetOf(state.target, node, nodes))
    report.findUnknown('TargetUnknown', [...at, 'target'], state.target, targetsFrom(node));
  for (const { transition, at: place } of transitionsOf(node)) {
    const targets = listOf(transition.target);
    const found = targets.map((target) => targetOf(target, node, nodes));
    for (const [index, target] of targets.entries())
      if (!found[index]) report.findUnknown('TargetUnknown', place, target, targetsFrom(node));
    if (conflict(found.filter((each) => each !== undefined)))
      report.find('TargetsConflict', place, targets.join(', '));
  }
}

function checkGuards(node: Node, nodes: readonly Node[], report: Report): void {
  for (const { guard, at } of guardsOf(node)) {
    const asked = typeof guard === 'object' && guard.type === 'stateIn' ? guard.params?.state : undefined;
    if (typeof asked === 'string' && !targetOf(asked, node, nodes))
      report.findUnknown('TargetUnknown', [...at, 'params', 'state'], asked, idsOf(nodes));
  }
}

/** Whether two of the targets are not in different regions of a parallel state. */
function conflict(targets: readonly Node[]): boolean {
  return targets.some((one, index) => targets.slice(index + 1).some((other) => !areApart(one, other)));
}

/** The targets that the author most likely meant. */
function targetsFrom({ parent, state }: Node): string[] {
  const beside = Object.keys(parent?.state.states ?? {});
  return [...beside, ...Object.keys(state.states ?? {}).map((key) => `.${key}`)];
}

const idsOf = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(({ state }) => (state.id === undefined ? [] : [`#${state.id}`]));
