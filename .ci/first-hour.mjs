// Types the commands of the pages, as .ci/first-hour says. Plain JavaScript that needs no package: it starts from nothing.
//
// Every block marked sh is run, command by command; every block that comes after a line which names its file is written, or
// applied to that file (diff). A remark in the page's source, in the line before a block, says what else is to be known:
//   <!-- first-hour: until everything is up -->      its command goes on running; the next comes once it has said that
//   <!-- first-hour: as DATABASE_URL_FILE=… -->      the page tells in its text to set this variable
//   <!-- first-hour: in an empty folder with the package -->   from here to the page's end; the page tells in its text to
//                                                    make the package with npm pack, and to copy it there
//   <!-- first-hour: not run: … -->                  why it cannot be run here
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const PAGES = [
  'README.md',
  'docs/run.md',
  'docs/integrate.md',
  'docs/flow-files.md',
  'docs/operate.md',
  'docs/declare-a-flow.md',
];
// Only what never ends takes longer; the first start installs, and may build Temporal.
const LONGEST_MS = 3_600_000;
const LONG = /^npm (test|run test:long|run check|run record-histories)\b/;
const EVERY_TEST = /^npm test(?! --)/;

const root = join(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), '..');
const words = process.argv.slice(2);
const quick = words.includes('--quick');
const withoutEveryTest = words.includes('--without-every-test');
const options = ['--quick', '--without-every-test', '--list'];
const wrong = words.filter((word) => word.startsWith('--') && !options.includes(word));
if (wrong.length > 0) {
  process.stderr.write(
    `first-hour: ${wrong.join(', ')} is not known; expected ${options.join(', ')} or pages\n`,
  );
  process.exit(2);
}
const named = words.filter((word) => !word.startsWith('--'));
const pages = named.length > 0 ? named : PAGES;
const steps = pages.flatMap((page) => stepsOf(page, readFileSync(join(root, page), 'utf8')));

if (words.includes('--list')) say(JSON.stringify(steps, null, 1));
else process.exitCode = (await firstHour()) ? 0 : 1;

function say(words) {
  process.stdout.write(`${words}\n`);
}

/** The steps of a page, in its order. */
function stepsOf(page, text) {
  const lines = text.split('\n');
  const steps = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, language] = /^```(\w+)$/.exec(lines[at]) ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    const before = lines.slice(0, at).findLast((line) => line !== '' && !line.startsWith('<!--')) ?? '';
    const mark = markOf(page, at, lines[at - 1]);
    const place = { page, line: at + 1, ...mark };
    const [, path] = /`([\w./-]+\.(?:ts|yaml))`[^`]*:$/.exec(before) ?? [];
    if (language === 'sh')
      steps.push({ kind: 'commands', ...place, commands: commandsOf(lines.slice(at + 1, end)) });
    else if (path && lines[at - 1 - (mark.isMarked ? 1 : 0)] === '')
      steps.push({
        kind: 'file',
        ...place,
        language,
        path,
        text: `${lines.slice(at + 1, end).join('\n')}\n`,
      });
    at = end;
  }
  return steps;
}

function markOf(page, at, line) {
  const [, mark] = /^<!-- first-hour: (.*) -->$/.exec(line) ?? [];
  if (mark === undefined) return {};
  const [, why] = /^not run: (.{10,})$/.exec(mark) ?? [];
  const [, until] = /^until (.+)$/.exec(mark) ?? [];
  const [, variable] = /^as (\w+=\S+)$/.exec(mark) ?? [];
  const inFolder = mark === 'in an empty folder with the package';
  if (!why && !until && !variable && !inFolder)
    throw new Error(`${page}:${at}: "${mark}" is not a remark that first-hour knows; see .ci/first-hour.mjs`);
  return {
    isMarked: true,
    ...(why && { why }),
    ...(until && { until }),
    ...(variable && { variable }),
    ...(inFolder && { inFolder }),
  };
}

/** A command goes on in the next line after a backslash, and within quotation marks. */
function commandsOf(lines) {
  const commands = [];
  let open = '';
  for (const line of lines) {
    open = open === '' ? line : `${open}\n${line}`;
    const isWhole = !open.endsWith('\\') && [...open.matchAll(/'/g)].length % 2 === 0;
    if (!isWhole) continue;
    if (open.replace(/^\s*#.*$/, '').trim() !== '') commands.push(open.trim());
    open = '';
  }
  return commands;
}

async function firstHour() {
  const folder = mkdtempSync(join(tmpdir(), 'first-hour-'));
  const clone = join(folder, 'lockerflow');
  for (const name of ['home', 'tmp']) mkdirSync(join(folder, name));
  execFileSync('git', ['clone', '-q', root, clone]);
  const environment = await newUser(folder);
  const world = { folder, clone, environment, running: new Map(), failed: 0, ownFolder: null, page: '' };
  say(`in ${folder}, from ${execFileSync('git', ['-C', clone, 'rev-parse', '--short', 'HEAD'])}`.trim());
  const end = async () => {
    await stop(world);
    if (process.env.KEEP === '1') say(`left as it is: ${folder}`);
    else {
      execFileSync('chmod', ['-R', 'u+w', folder]); // Go's module cache is read-only
      rmSync(folder, { recursive: true, force: true });
    }
  };
  process.once('SIGINT', () => void end().then(() => process.exit(130)));
  try {
    for (const step of steps) await take(world, step);
  } finally {
    await end();
  }
  say(world.failed === 0 ? 'the pages tell all that is needed' : `${world.failed} wrong`);
  return world.failed === 0;
}

/** Nothing of whoever runs this, but what reaches the network; ports that are free, by the variables of the README. */
async function newUser(folder) {
  const kept = [
    ...[
      'SSL_CERT_FILE',
      'SSL_CERT_DIR',
      'NODE_EXTRA_CA_CERTS',
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'NO_PROXY',
      'http_proxy',
    ],
    ...[
      'https_proxy',
      'no_proxy',
      'TEMPORAL_CLI_PATH',
      'GOPROXY',
      'GOSUMDB',
      'GOFLAGS',
      'GONOSUMDB',
      'PIP_INDEX_URL',
      'NPM_CONFIG_REGISTRY',
    ],
  ].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const ports = [
    'SERVICE_PORT',
    'CALLBACK_PORT',
    'WORKER_PORT',
    'TEMPORAL_PORT',
    'TEMPORAL_UI_PORT',
    'POSTGRES_PORT',
    'CODEC_SERVER_PORT',
    'WALL_PORT',
    'CONSOLE_PORT',
  ];
  const free = await Promise.all(ports.map(freePort));
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { cwd: '/' }).toString().trim();
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(ports.map((name, index) => [name, String(free[index])])),
    TEMPORAL_ADDRESS: `127.0.0.1:${free[3]}`,
    npm_config_registry: registry,
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    LANG: 'C.UTF-8',
    PATH: process.env.PATH.split(':')
      .filter((each) => !each.includes('node_modules'))
      .join(':'),
  };
}

/** Minutes pass until the port is used: below 32768 no other program gets it by chance. */
async function freePort() {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_768);
    const server = createServer();
    const isFree = await new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

async function take(world, step) {
  if (world.page !== step.page) {
    world.page = step.page;
    world.ownFolder = null;
    say(`\n${step.page}`);
  }
  if (step.inFolder) await ownFolder(world, step);
  const cwd = world.ownFolder ?? world.clone;
  if (step.kind === 'file') return write(world, step, cwd);
  for (const command of step.commands) {
    const why = notRunFor(step, command);
    if (why) tell(step, '-', command, `not run: ${why}`);
    else if (step.until && command === step.commands[0]) await begin(world, step, cwd, command);
    else await type(world, step, cwd, command);
  }
}

/** Why a command is not run here, if it is not. */
function notRunFor(step, command) {
  if (step.why) return step.why;
  if (quick && LONG.test(command)) return '--quick';
  return withoutEveryTest && EVERY_TEST.test(command) ? '--without-every-test' : undefined;
}

/** In a folder of its own, with the package that npm pack makes in the checkout. */
async function ownFolder(world, step) {
  if (world.ownFolder) return;
  world.ownFolder = join(world.folder, basename(step.page, '.md'));
  mkdirSync(world.ownFolder);
  await type(world, step, world.clone, 'npm pack');
  const { version } = JSON.parse(readFileSync(join(world.clone, 'package.json'), 'utf8'));
  const tarball = `lockerflow-${version}.tgz`;
  try {
    copyFileSync(join(world.clone, tarball), join(world.ownFolder, tarball));
  } catch (error) {
    wrongAt(world, step, `npm pack has not made ${tarball}: ${error.message}`);
  }
}

function write(world, step, cwd) {
  if (step.why) return;
  const path = join(cwd, step.path);
  try {
    if (step.language === 'diff') {
      const changed = applied(readFileSync(path, 'utf8'), step.text);
      writeFileSync(path, changed);
    } else writeFileSync(path, step.text, { flag: 'wx' });
    tell(step, '-', `${step.language === 'diff' ? 'changes' : 'writes'} ${step.path}`, 'done');
  } catch (error) {
    wrongAt(world, step, `${step.path}: ${error.message}`);
  }
}

/** What stays and what goes must stand in the file, in this order and once. */
function applied(text, diff) {
  const lines = diff.trimEnd().split('\n');
  const of = (marks) =>
    lines
      .filter((line) => marks.includes(line[0] ?? ' '))
      .map((line) => line.slice(1))
      .join('\n');
  const before = of(' -');
  const parts = text.split(`${before}\n`);
  if (parts.length !== 2)
    throw new Error(`the lines before the change stand in it ${parts.length - 1} times; expected once`);
  return parts.join(`${of(' +')}\n`);
}

function environmentOf({ environment }, { variable }) {
  const [name, value] = variable?.split(/=(.*)/s) ?? [];
  return name ? { ...environment, [name]: value } : environment;
}

function start(world, step, cwd, command) {
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: environmentOf(world, step),
    detached: true, // a group of its own, as a terminal has it: Ctrl-C reaches all of it
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const typed = { child, out: '', code: undefined };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      typed.out += text;
    });
  typed.ended = new Promise((resolve) => {
    child.on('close', (code) => {
      typed.code = code ?? -1;
      resolve(typed.code);
    });
  });
  return typed;
}

async function type(world, step, cwd, command) {
  const begun = performance.now();
  const typed = start(world, step, cwd, command);
  const late = setTimeout(() => interrupt(typed), LONGEST_MS);
  const code = await typed.ended;
  clearTimeout(late);
  tell(step, seconds(begun), command, code === 0 ? 'done' : `ended with ${code}`);
  if (code !== 0) wrongAt(world, step, `${command}\n${lastOf(typed)}`);
}

async function begin(world, step, cwd, command) {
  // A page that starts the same anew has its reader stop it first.
  const name = nameOf(command);
  await stopOne(world, name);
  const begun = performance.now();
  const typed = start(world, step, cwd, command);
  world.running.set(name, typed);
  while (
    !typed.out.includes(step.until) &&
    typed.code === undefined &&
    performance.now() - begun < LONGEST_MS
  )
    await pause(100);
  const isUp = typed.out.includes(step.until);
  tell(step, seconds(begun), command, isUp ? `said "${step.until}"` : `never said "${step.until}"`);
  if (!isUp) wrongAt(world, step, `${command}\n${lastOf(typed)}`);
}

async function stop(world) {
  for (const name of [...world.running.keys()]) await stopOne(world, name);
}

async function stopOne({ running }, name) {
  const typed = running.get(name);
  running.delete(name);
  if (!typed || typed.code !== undefined) return;
  interrupt(typed);
  await typed.ended;
}

/** Like "npm start" or "npx lockerflow codec-server": of the last command of the line, without variables and options. */
function nameOf(command) {
  const words = command.split(';').at(-1).replace(/#.*$/, '').trim().split(/\s+/);
  return words.filter((word) => !word.includes('=') && !word.startsWith('-')).join(' ');
}

function interrupt({ child }) {
  try {
    process.kill(-child.pid, 'SIGINT');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function seconds(begun) {
  return `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
}

function lastOf({ out }) {
  const lines = out.trimEnd().split('\n').slice(-30);
  return lines.map((line) => `    ${line}`).join('\n');
}

function tell({ page, line }, time, what, outcome) {
  const [first, ...more] = what.split('\n');
  say(`${time.padStart(9)}  ${page}:${line}  ${first}${more.length > 0 ? ' …' : ''}  [${outcome}]`);
}

function wrongAt(world, { page, line }, why) {
  world.failed += 1;
  say(`  WRONG ${page}:${line}: ${why}`);
}
