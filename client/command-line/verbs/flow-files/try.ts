// `try`: plays a flow file in the terminal, without Temporal. Each typed line is something that happens to the process.
import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import type { Json, JsonObject } from '../../../../flows/language/flow-file.ts';
import { inputIssues } from '../../../../flows/language/reading/input-schema.ts';
import { formatPlayed, Player, playingProblem } from '../../../../flows/language/simulation/player.ts';
import { CommandFailed, wrongUse } from '../../../../shared/terminal/exit-codes.ts';
import { wantsJson } from '../../../../shared/terminal/report.ts';
import { plainLines } from '../../../../shared/terminal/table.ts';
import type { Terminal } from '../../../../shared/terminal/terminal.ts';
import type { ReadHook } from '../../../hooks-file.ts';
import { hooksAtHand, soundFile } from '../../flow-file-text.ts';

interface Options {
  readonly input?: string;
  readonly at?: string;
  readonly hooks?: string;
}

const HELP = `event NAME [JSON]    an event of a child flow or from outside, with its data
correlated NAME [JSON]  an event by correlation: it waits an hour for a state that takes it
hook NAME [HEADER=VALUE ...] [JSON]  a third system sends this body to a hook of --hooks
answer ID [JSON]     the answer to a question, by its fields; "by" in it says who answers
claim ID NAME        somebody claims a question; nobody else may answer it then
release ID NAME      they release it again
assign ID NAME       it is given to somebody; with JSON such as {"of":"repairs"} to another inbox
done ID [JSON]       what runs under the id is done, with its result
fail ID [CODE]       what runs under the id has failed
pass TIME            time passes: a duration (P2D, PT30M), or until an instant
cancel               somebody cancels the process
show                 where it stands
quit                 end`;

export function addTry(program: Command, terminal: Terminal): void {
  program
    .command('try')
    .description(
      'play a flow file in the terminal, without Temporal: where it is, what it waits for, what happens next',
    )
    .argument('<FILE>', 'a flow file, as YAML or JSON')
    .option('--input <JSON>', "the start's request; {} unless given")
    .addOption(new Option('--at <instant>', 'when it starts, as 2026-01-05T09:00:00Z'))
    .option('--hooks <file>', 'the hooks of the receiver, for what third systems send')
    .addHelpText(
      'after',
      `\nThen type, or send by standard input:\n  ${HELP.replaceAll('\n', '\n  ')}\n${EXAMPLES}`,
    )
    .action(async (path: string, { input = '{}', at, hooks }: Options, command: Command) => {
      const file = await soundFile(path);
      const request = json(input, '--input');
      const issues = inputIssues(file.input, request);
      if (issues.length > 0)
        throw wrongUse(`--input: ${issues.map(({ field, message }) => `${field} ${message}`).join('; ')}`);
      const player = begun(() => new Player(file, { input: request, ...(at !== undefined && { at }) }));
      const read = hooks === undefined ? [] : await hooksAtHand(hooks);
      await new Session(player, terminal, { isJson: wantsJson(command), hooks: read }).run();
    });
}

const EXAMPLES = `
Examples:
  lockerflow try device-loan.flow.yaml --input '{"item":"item-1","user":"user-anna"}'
  printf 'event loan.issue.Completed\\npass P12D\\n' | lockerflow try device-loan.flow.yaml --input '{"item":"i","user":"u"}'`;

function begun(make: () => Player): Player {
  try {
    return make();
  } catch (error) {
    throw new CommandFailed('failed', playingProblem(error));
  }
}

function json(text: string, what: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw wrongUse(`${what}: ${(error as Error).message}; expected JSON, such as {"state":"whole"}`);
  }
}

class Session {
  readonly #player: Player;
  readonly #terminal: Terminal;
  readonly #isJson: boolean;
  readonly #hooks: readonly ReadHook[];
  #refused = 0;

  constructor(
    player: Player,
    terminal: Terminal,
    { isJson, hooks }: { readonly isJson: boolean; readonly hooks: readonly ReadHook[] },
  ) {
    this.#hooks = hooks;
    this.#player = player;
    this.#terminal = terminal;
    this.#isJson = isJson;
  }

  async run(): Promise<void> {
    this.#show();
    if (this.#terminal.isInteractive && process.stdin.isTTY) await this.#converse();
    else for (const line of (await this.#terminal.read()).split('\n')) if (!this.#take(line)) break;
    if (this.#refused > 0 && !this.#terminal.isInteractive)
      throw new CommandFailed('failed', `${this.#refused} of the lines were refused (see above)`);
  }

  async #converse(): Promise<void> {
    const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
    lines.prompt();
    for await (const line of lines) {
      if (!this.#take(line)) break;
      lines.prompt();
    }
    lines.close();
  }

  /** False ends the play. */
  #take(line: string): boolean {
    const [verb = '', ...rest] = line.trim().split(/\s+/);
    if (verb === '' || verb.startsWith('#')) return true;
    if (verb === 'quit') return false;
    if (verb === 'help') {
      this.#terminal.write(`${HELP}\n`);
      return true;
    }
    try {
      this.#play(verb, rest);
      this.#show();
    } catch (error) {
      this.#refused++;
      this.#terminal.complain(error instanceof CommandFailed ? error.message : playingProblem(error));
    }
    return true;
  }

  #play(verb: string, [first = '', ...rest]: readonly string[]): void {
    const given = rest.join(' ');
    const data = (): Json => (given === '' ? null : json(given, verb));
    const steps: Readonly<Record<string, () => void>> = {
      event: () => this.#player.send(first, data()),
      correlated: () => this.#player.send(first, data(), 'PT1H'),
      hook: () => this.#hook(first, rest),
      answer: () => this.#answer(first, (data() ?? {}) as JsonObject),
      claim: () => this.#player.change('claim', first, { by: given }),
      release: () => this.#player.change('release', first, { by: given }),
      assign: () => {
        const change = given.startsWith('{') ? (data() as { to?: string; of?: string }) : { to: given };
        this.#player.change('assign', first, { by: 'somebody', ...change });
      },
      done: () => this.#player.done(first, data()),
      fail: () => this.#player.fail(first, rest[0] ?? 'Failed'),
      pass: () => this.#player.pass(first),
      cancel: () => this.#player.cancel(),
      show: () => undefined,
    };
    const step = Object.hasOwn(steps, verb) ? steps[verb] : undefined;
    if (!step)
      throw wrongUse(`${verb} is not a step; expected ${Object.keys(steps).join(', ')}, help or quit`);
    step();
  }

  #hook(name: string, rest: readonly string[]): void {
    const hook = this.#hooks.find((each) => each.name === name);
    const known = this.#hooks.map((each) => each.name).join(', ') || 'none: give their file with --hooks';
    if (!hook) throw wrongUse(`${name} is not a hook; there is ${known}`);
    const from = rest.findIndex((word) => !/^[\w-]+=/.test(word));
    const [headers, body] = from < 0 ? [rest, []] : [rest.slice(0, from), rest.slice(from)];
    const pairs = headers.map((word): [string, string] => {
      const at = word.indexOf('=');
      return [word.slice(0, at).toLowerCase(), word.slice(at + 1)];
    });
    this.#player.receive(hook.eventOf, {
      headers: Object.fromEntries(pairs),
      body: body.length === 0 ? null : json(body.join(' '), 'hook'),
    });
  }

  /** Whoever holds the question answers it, unless the line says who. */
  #answer(id: string, { by, ...values }: JsonObject): void {
    const { holder } = this.#player.progress.questions.find((each) => each.id === id) ?? {};
    this.#player.answer(id, values, typeof by === 'string' ? by : holder);
  }

  #show(): void {
    const { emitted, sent } = this.#player.takeSent();
    if (this.#isJson) {
      const { now, status, states, context, output, open, events, timers, keys } = this.#player;
      this.#terminal.write(
        `${JSON.stringify({ now, status, states, context, output, open, events, timers, emitted, sent, keys })}\n`,
      );
      return;
    }
    const events = [
      ...emitted.map(({ type, data }) => `  emits   ${type} ${JSON.stringify(data)}\n`),
      ...sent.map(
        ({ type, data, to, where }) =>
          `  sends   ${type} ${JSON.stringify(data)} to ${to ?? JSON.stringify(where)}\n`,
      ),
    ].join('');
    this.#terminal.write(`${plainLines(`${events}${formatPlayed(this.#player)}`)}\n`);
  }
}
