// Describes a played process in words: its states, what runs, its questions, the events that it takes, and its timers.
import type { JsonObject } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import type { Invocation } from '../machine/start.ts';
import type { Player, Timer } from './player.ts';

export function wordsOfStanding(player: Player): string {
  const { file, now, status, states, open, events, timers } = player;
  const lines =
    status === 'done'
      ? [
          `${file.name} has ended in ${states.join(', ')}, at ${now}`,
          `  result  ${JSON.stringify(player.output)}`,
        ]
      : [`${file.name} is in ${states.join(', ')}, at ${now}`];
  if (status === 'error') lines.push(`  failed  ${JSON.stringify(player.error)}`);
  return [
    ...lines,
    ...open.map((each) => `  ${wordsOfOpen(each)}`),
    ...(events.length > 0 ? [`  takes   ${events.join(', ')}`] : []),
    ...timers.map((timer) => `  due     ${wordsOfTimer(timer)}`),
    ...(Object.keys(player.context).length > 0 ? [`  context ${JSON.stringify(player.context)}`] : []),
  ].join('\n');
}

function wordsOfOpen({ id, src, input }: Invocation): string {
  if (kindOfActor(src) !== 'ask') return `runs    ${id}: ${src} ${JSON.stringify(input)}`;
  const { of, question, fields = {} } = input as JsonObject;
  return `asks    ${id}: ${String(of)}: ${String(question)} ${JSON.stringify(fields)}`;
}

/** The name that xstate gives the event of an `after` has the delay and the state. */
function wordsOfTimer({ id, at, event }: Timer): string {
  const after = /^xstate\.after\.(.+?)\.[A-Za-z][\w-]*(?:\.[\w-]+)*$/.exec(event.type);
  const raised = id.startsWith('answer to ') ? id : event.type;
  return `${after ? `after ${after[1]}` : raised}: ${new Date(at).toISOString()}`;
}
