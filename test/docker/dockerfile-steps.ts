// Does what a Dockerfile says, in a folder instead of a container: its own stages, files, commands and settings, with
// nothing else of this tree. What it cannot show is the base image, and the user that it runs as.
import { cp, mkdir, readFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { type Copy, DockerfileParser, type From } from 'dockerfile-ast';
import { startChild } from '../../scripts/child-process.ts';

const project = join(import.meta.dirname, '../..');

export interface Stage {
  /** What is / in the container. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly command: readonly string[];
}

/** The last stage, as it is once every step was done. */
export async function followed(dockerfile: string, folder: string): Promise<Stage> {
  const allowed = await allowedByIgnoreFile();
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    const content = instruction.getArgumentsContent() ?? '';
    const words = instruction.getArguments().map((argument) => argument.getValue());
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') {
      const name = (instruction as From).getBuildStage() ?? 'final';
      stage = { root: join(folder, name), workdir: '/', env: {}, user: undefined, command: [] };
    } else if (!stage) throw new Error(`${keyword} stands before any FROM`);
    else if (keyword === 'WORKDIR') stage = { ...stage, workdir: content };
    else if (keyword === 'ENV') stage = { ...stage, env: { ...stage.env, ...settingsIn(words) } };
    else if (keyword === 'USER') stage = { ...stage, user: content };
    else if (keyword === 'CMD') stage = { ...stage, command: JSON.parse(content) };
    else if (keyword === 'RUN') await done(stage, content, folder);
    else if (keyword === 'COPY') await copied(stage, instruction as Copy, words, { stages, allowed });
    else throw new Error(`${keyword} is not known here`);
    await mkdir(inside(stage, '.'), { recursive: true });
    stages.set(basename(stage.root), stage);
  }
  if (!stage) throw new Error('the Dockerfile has no stage');
  return stage;
}

/** Where a path of the container is. */
export function inside({ root, workdir }: Stage, path: string): string {
  return path.startsWith('/') ? join(root, path) : join(root, workdir, path);
}

/** The environment of a process in the container; paths of the container are where they are here. */
export function environment(stage: Stage, variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(stage.env).map(([name, value]) => [
    name,
    value.startsWith(`${stage.workdir}/`) ? inside(stage, value) : value,
  ]);
  const PATH = [
    dirname(process.execPath),
    ...(process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules')),
  ].join(delimiter);
  return { PATH, HOME: stage.root, ...Object.fromEntries(own), ...variables };
}

const settingsIn = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(words.map((word) => [word.split('=')[0], word.slice(word.indexOf('=') + 1)]));

async function done(stage: Stage, command: string, folder: string): Promise<void> {
  // What was fetched before is not fetched again; it is checked against the lock file all the same.
  const cache = process.env.npm_config_cache ?? join(process.env.HOME ?? folder, '.npm');
  const quiet = { npm_config_cache: cache, npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
  const child = startChild('sh', ['-c', command], {
    cwd: inside(stage, '.'),
    env: environment(stage, quiet),
  });
  const [code, said] = await Promise.all([child.exitCode, child.ended]);
  if (code !== 0) throw new Error(`RUN ${command} failed with ${code}: ${said}`);
}

interface CopySources {
  readonly stages: ReadonlyMap<string, Stage>;
  readonly allowed: readonly string[];
}

async function copied(
  stage: Stage,
  copy: Copy,
  words: readonly string[],
  { stages, allowed }: CopySources,
): Promise<void> {
  const from = copy.getFromFlag()?.getValue() ?? undefined;
  const target = words.at(-1) ?? '.';
  for (const source of words.slice(0, -1)) {
    const origin = from === undefined ? undefined : stages.get(from);
    if (from !== undefined && !origin) throw new Error(`COPY --from=${from}: there is no such stage`);
    if (!origin && !allowed.some((path) => source === path || source.startsWith(`${path}/`)))
      throw new Error(`COPY ${source}: .dockerignore keeps it out`);
    const path = origin ? inside(origin, source) : join(project, source);
    const isInto = target.endsWith('/') && !origin;
    await cp(path, join(inside(stage, target), isInto ? basename(source) : ''), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

/** Ours keeps out everything but what it names. */
async function allowedByIgnoreFile(): Promise<string[]> {
  const lines = (await readFile(join(project, '.dockerignore'), 'utf8')).trim().split('\n');
  if (lines[0] !== '*' || lines.slice(1).some((line) => !line.startsWith('!')))
    throw new Error('.dockerignore is read here as: everything (*) but what follows (!path)');
  return lines.slice(1).map((line) => line.slice(1));
}
