// Every command to a process, by its name: for whoever takes the name from outside, as the HTTP API does. What has
// another target stands alone: start (a new key), publish and sendEvent (none), claimUnmatched and drop (an unmatched callback).
import type { CommandName as NameInProcess } from '../../contract/flows/actions.ts';
import { answer } from './answer.ts';
import type { Command, Form, ProcessCommand } from './command.ts';
import { cancel, giveUp } from './end.ts';
import { dropEvent, event } from './event.ts';
import { extend, shorten, undoExtension } from './extend.ts';
import { message } from './message.ts';
import { move } from './move.ts';
import { note } from './note.ts';
import { removeReceiver, setReceiver } from './receiver.ts';
import { adopt, retry, setState } from './resolve.ts';
import { sendMechanic } from './send-mechanic.ts';
import { startAgain } from './start-again.ts';
import { assign, claim, release } from './task.ts';

/** Their route, form and verb are made from their own description. */
const described = {
  ...{ cancel, extend, shorten, undoExtension, setReceiver, removeReceiver },
  ...{ retry, adopt, setState, giveUp, dropEvent },
  ...{ note, message, sendMechanic, claim, release, assign, startAgain, move },
} as const;
const all = { ...described, answer, event } as const;

export type CommandName = keyof typeof all;
export type DescribedName = keyof typeof described;
export const describedNames = Object.keys(described) as DescribedName[];
// What one command's `read` has made goes only into the same command: the table hides its types from who has but a name.
type AnyCommand = Command<unknown, unknown, unknown>;
export const commands = all as unknown as Readonly<
  Record<CommandName, AnyCommand> & Record<DescribedName, ProcessCommand<unknown, unknown>>
>;

/** Whether it is done to a question, and not to a process as a whole. */
export const isOfQuestion = (name: DescribedName): boolean => commands[name].right === 'answer';

/** Those that can be done to many processes at once. */
export const bulkNames = describedNames.filter((name) => !isOfQuestion(name) && !commands[name].isOfOne);

const forms = [...describedNames, 'event' as const].flatMap((command) =>
  Object.entries(all[command].forms).map(([name, form]: [string, Form]) => ({ form, command, name })),
);

/** The commands of what processes name so, and what the page says of each. */
export const formsOf = (name: NameInProcess): readonly (Form & { readonly command: CommandName })[] =>
  // Its texts are rendered here, for whoever reads.
  forms.filter((each) => each.name === name).map(({ form, ...each }) => ({ ...form, ...each }));
