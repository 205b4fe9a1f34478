// Every command to an open process, by its name: for whoever takes the name from outside, as the HTTP API does. What has
// another target stands alone: start (a new key), publish (none), claimParked and drop (a parked callback).
import { answer } from './answer.ts';
import { cancel } from './cancel.ts';
import type { Command } from './command.ts';
import { dropEvent, event } from './event.ts';
import { extend } from './extend.ts';
import { giveUp } from './give-up.ts';
import { removeReceiver } from './remove-receiver.ts';
import { resolve } from './resolve.ts';
import { setReceiver } from './set-receiver.ts';
import { assign, claim, release } from './task.ts';

const all = {
  ...{ cancel, extend, setReceiver, removeReceiver },
  ...{ resolve, giveUp, dropEvent, answer, event, claim, release, assign },
} as const;

export type CommandName = keyof typeof all;
export const commandNames = Object.keys(all) as CommandName[];

// What one command's `read` has made goes only into the same command: the table hides its types from who has but a name.
export type AnyCommand = Command<unknown, unknown, unknown>;
export const commands = all as unknown as Readonly<Record<CommandName, AnyCommand>>;
