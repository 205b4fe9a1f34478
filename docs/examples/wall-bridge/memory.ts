// What the bridge still knows after its own end: its journal, and what became of the service's commands. Written to the disk
// before anybody hears of a change. A code that a person typed is never in it.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { JournalMessage } from '../../../contract/wall/wall-messages.ts';

export type Fact = JournalMessage extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'id' | 'at'>
    : never
  : never;

export interface Command {
  state: 'waiting' | 'opened' | 'failed' | 'unknown';
  lockerUid: string;
  /** How often its door had opened before. */
  openings: number;
}

export class Memory {
  readonly #path: string;
  readonly journal: string = randomUUID();
  lastId = 0;
  messages: JournalMessage[] = [];
  commands: Record<string, Command> = {};

  constructor(path: string) {
    this.#path = path;
    if (existsSync(path)) Object.assign(this, JSON.parse(readFileSync(path, 'utf8')));
  }

  /** Gives the message to send. No id is ever given twice, also not that of a code. */
  add(fact: Fact): JournalMessage {
    this.lastId += 1;
    const message = { ...fact, id: this.lastId, at: new Date().toISOString() };
    if (message.type !== 'codeTyped') this.messages.push(message);
    this.save();
    return message;
  }

  dropUpTo(id: number): void {
    this.messages = this.messages.filter((message) => message.id > id);
    this.lastId = Math.max(this.lastId, id);
    this.save();
  }

  save(): void {
    const { journal, lastId, messages, commands } = this;
    writeFileSync(`${this.#path}.next`, JSON.stringify({ journal, lastId, messages, commands }), {
      mode: 0o600,
    });
    renameSync(`${this.#path}.next`, this.#path);
  }
}
