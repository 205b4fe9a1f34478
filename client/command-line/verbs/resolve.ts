// `resolve`: sends a person's decision to a flow that does not know how to continue. The flow keeps who decided and
// why.
import { Argument, type Command } from 'commander';
import { type Role, roles } from '../../../contract/flows/flow-input.ts';
import { stateCodes } from '../../../contract/wire/states.ts';
import type { Acting } from '../../../processes/at-temporal.ts';
import { type AnyCommand, commands } from '../../../processes/commands/commands.ts';
import { heldByOthers, type Resolved, resolve, resolveActions } from '../../../processes/commands/resolve.ts';
import { consequenceWords } from '../../../processes/consequence-words.ts';
import { orThrow } from '../../../processes/outcome.ts';
import { confirm } from '../../../runtime/terminal/confirm.ts';
import { wrongUse } from '../../../runtime/terminal/exit-codes.ts';
import { report } from '../../../runtime/terminal/report.ts';
import { plain } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { actingIn } from '../acting.ts';
import { actOnChosen, addQueryChoice, type ChoiceOptions, chosenFlows, isQuery } from '../chosen-flows.ts';
import { atTemporal } from '../temporal.ts';

const actions = [...resolveActions, 'dropEvent'] as const;
type Action = (typeof actions)[number];

interface Options extends Omit<ChoiceOptions, 'shipment'> {
  readonly by: string;
  readonly why: string;
  readonly shipment?: readonly string[];
  readonly state?: string;
}

const collect = (value: string, before: readonly string[] = []) => [...before, value];

export function addResolve(program: Command, terminal: Terminal): void {
  const verb = program
    .command('resolve')
    .description('decide for a flow that needs a person; lockerflow show says what it waits for')
    .argument('[key]', 'its business key; left out with a query, like --phase NeedsPerson')
    .addArgument(
      new Argument(
        '[action]',
        'retry: repeat what failed; adopt: take shipments that the flow has booked; ' +
          'setState: say the state of a shipment; giveUp: end the flow; dropEvent: of a flow file ' +
          'whose step cannot be taken, go on without the event (migrate to a corrected file repairs it)',
      ).choices(actions),
    )
    .requiredOption('--by <who>', 'who decides it')
    .requiredOption('--why <reason>')
    .option(
      '--shipment <role=shipmentUid>',
      'adopt: a shipment and its role in the flow; repeatable',
      collect,
    )
    .option('--state <role=stateCode>', 'setState: the state of a shipment, like issue=ReadyForPickup');
  // --shipment is what is adopted here: a query has the others.
  addQueryChoice(verb, { byShipment: false })
    .addHelpText('after', EXAMPLES)
    .action((first: string | undefined, second: Action | undefined, options: Options, command: Command) => {
      if (second === undefined) return resolveFound(terminal, asAction(first), options, command);
      const [workflowId, action] = [first ?? '', second];
      if (isQuery(queryIn(options))) throw wrongUse('a key and a query are both given; expected one of them');
      const { command: decision, input } = decisionOf(action, options);
      return atTemporal(terminal, async (temporal) => {
        const acting = actingIn(terminal, temporal, options);
        const risks = await risksOf(acting, workflowId, action, input);
        const question = `${risks.join('; ')}: ${action} for ${workflowId} all the same?`;
        if (risks.length > 0) await confirm(terminal, command, options, plain(question));
        const done = orThrow(await decision.do(acting, workflowId, input));
        const note = action === 'adopt' ? noteOf(done as Resolved) : undefined;
        report(terminal, command, {
          words: `${plain(workflowId)}: ${action} is done${note ? `; ${plain(note)}` : ''}`,
          data: { workflowId, action, done: true, ...(note && { note }) },
        });
      });
    });
}

const noteOf = ({ unchecked }: Resolved): string | undefined =>
  unchecked === null
    ? undefined
    : `the service could not be asked whether it has this shipment (${unchecked}); run lockerflow compare later`;

/** What the person should know before the decision is sent. A preview asks a worker: only where something can be wrong. */
async function risksOf(
  acting: Acting,
  key: string,
  action: Action,
  input: unknown,
): Promise<readonly string[]> {
  if (action === 'retry') {
    const foreseen = orThrow(await resolve.preview(acting, key, { action }));
    return foreseen?.booking === 'MayBookTwice' ? [consequenceWords(foreseen)] : [];
  }
  if (action !== 'adopt') return [];
  const { shipments } = input as { readonly shipments: Parameters<typeof heldByOthers>[2] };
  const held = await heldByOthers(acting, key, shipments);
  return [...held].map(([uid, keys]) => `${uid} is a shipment of ${keys.join(', ')}`);
}

const EXAMPLES = `
Examples:
  lockerflow list --phase NeedsPerson
  lockerflow resolve order-1042 adopt --shipment issue=7c0e… --by anna --why "found at the pick up point"
  lockerflow resolve order-1042 setState --state issue=Completed --by anna --why "the user showed the item"
  lockerflow resolve retry --phase NeedsPerson --started-after 2031-05-01T00:00:00Z --dry-run \\
      --by anna --why "the service is back"
  lockerflow resolve order-1042 giveUp --by anna --why "the shop is closed"`;

function asAction(word: string | undefined): Action {
  const action = actions.find((each) => each === word);
  if (!action)
    throw wrongUse(
      `no action is given; expected a key and an action, or an action and a query; the actions are ${actions.join(', ')}`,
    );
  return action;
}

/** The same decision for all that a query finds. */
function resolveFound(terminal: Terminal, action: Action, options: Options, command: Command): Promise<void> {
  // A shipment is one flow's: no other could adopt it too.
  if (action === 'adopt')
    throw wrongUse('adopt works for one flow; write its key before it: lockerflow resolve <key> adopt …');
  const { command: decision, input } = decisionOf(action, options);
  return atTemporal(
    terminal,
    async (temporal) => {
      const keys = await chosenFlows(temporal.client, undefined, queryIn(options));
      await actOnChosen(
        terminal,
        command,
        { keys, options: queryIn(options), isOne: false },
        {
          ...{ command: decision, input, acting: actingIn(terminal, temporal, options) },
          verb: `resolve by ${action}`,
          warning: action === 'retry' ? RISK : undefined,
        },
      );
    },
    { finishes: true },
  );
}

const RISK = 'if the service cannot be asked, retry may book a second time';

function queryIn({ shipment: _, ...query }: Options): ChoiceOptions {
  return query;
}

/** The options as the command takes them. */
function decisionOf(
  action: Action,
  { shipment, state }: Options,
): { readonly command: AnyCommand; readonly input: unknown } {
  if ((action === 'adopt') !== (shipment !== undefined))
    throw wrongUse(
      action === 'adopt'
        ? 'adopt needs --shipment role=shipmentUid for each shipment, like --shipment issue=7c0e…'
        : `${action} takes no --shipment; only adopt does`,
    );
  if ((action === 'setState') !== (state !== undefined))
    throw wrongUse(
      action === 'setState'
        ? 'setState needs --state role=stateCode, like --state issue=Completed'
        : `${action} takes no --state; only setState does`,
    );
  if (action === 'dropEvent') return { command: commands.dropEvent, input: {} };
  const command = commands.resolve;
  if (action === 'adopt')
    return { command, input: { action, shipments: Object.fromEntries((shipment ?? []).map(ofRole)) } };
  if (action !== 'setState') return { command, input: { action } };
  const [role, name] = ofRole(state ?? '');
  const stateCode = stateCodes.find((each) => each === name);
  if (!stateCode) throw wrongUse(`${name} is not a state; expected one of ${stateCodes.join(', ')}`);
  return { command, input: { action, role, stateCode } };
}

function ofRole(pair: string): [Role, string] {
  const at = pair.indexOf('=');
  const role = roles.find((each) => each === pair.slice(0, at));
  const value = pair.slice(at + 1);
  if (!role || value === '')
    throw wrongUse(`${pair} names no role; expected role=value, with a role of ${roles.join(', ')}`);
  return [role, value];
}
