// A case on the driver's actors, without Temporal.
import type { AnyMachineSnapshot } from 'xstate';
import { PlayedMachine } from '../played-machine.ts';
import type { Case } from './cases.ts';
import { machineOf } from './machine-of.ts';

/** The states in which a document is that have no other in them, by their ids. */
export function atomicStates({ _nodes }: AnyMachineSnapshot): string[] {
  return _nodes
    .filter(({ type }) => type === 'atomic' || type === 'final')
    .map(({ id }) => String(id).replaceAll('$', '.'))
    .sort();
}

/** More than any document waits by itself. */
const LONG_MS = 60_000;

/** The states after the start and after each event; where there is no event, those of its end. */
export function playPurely({ name, document, script }: Case): string[][] {
  const played = new PlayedMachine(machineOf(document));
  if (script.events.length === 0 || name.startsWith('w3c')) played.pass(LONG_MS);
  const seen = [atomicStates(played.snapshot)];
  for (const { after = 0, event } of script.events) {
    played.pass(after);
    played.send({ type: event.name, ...(event.data !== undefined && { data: event.data }) } as never);
    seen.push(atomicStates(played.snapshot));
  }
  return name.startsWith('w3c') ? seen.slice(-1) : seen;
}

/** Of the cases of the W3C only the end tells: its first configurations are those of one interpreter between two events. */
export function expectedOf({ name, script }: Case): string[][] {
  const all = [script.initialConfiguration, ...script.events.map((each) => each.nextConfiguration)];
  return (name.startsWith('w3c') ? all.slice(-1) : all).map((states) => states.toSorted());
}
