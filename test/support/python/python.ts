// Python with a package, where Python 3 and its package registry are at hand: installed once into the user's cache folder,
// and used from there by every later run.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../../shared/terminal/user-cache.ts';

const run = promisify(execFile);

const packages = {
  /** Reads what Prometheus would read. */
  prometheus_client: '0.26.0',
  /** Temporal's SDK. */
  temporalio: '1.35.0',
  /** Generates requests from an OpenAPI document. */
  schemathesis: '4.32.5',
  /** Generates a client from an OpenAPI document. */
  'openapi-python-client': '0.29.1',
  /** Checks values against JSON Schema. */
  jsonschema: '4.26.0',
} as const;
// Some 15 to 60 MB each; a registry that takes longer, in ms, is as good as none.
const INSTALL_WITHIN_MS = 120_000;

export interface Python {
  readonly program: string;
  /** Of the package and of what it needs. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Or, in words, why there is none. */
export async function pythonWith(name: keyof typeof packages): Promise<Python | string> {
  const program = 'python3';
  const wanted = `${name}==${packages[name]}`;
  const version = await said(program, '-c', 'import sys; print(*sys.version_info[:2], sep=".")');
  if (version === undefined) return 'there is no python3 on PATH';
  const cache = cacheFolder(process.env);
  const folder = join(cache, `${wanted}-python${version}-${process.platform}-${process.arch}`);
  const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
  if (!(await exists(folder))) {
    const problem = await installed(program, wanted, cache, folder);
    if (problem !== undefined) return problem;
  }
  return { program, folder, env };
}

/** Whole or not at all: another run may look for it meanwhile. */
async function installed(
  program: string,
  wanted: string,
  cache: string,
  folder: string,
): Promise<string | undefined> {
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, 'python-'));
  const options = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary', ':all:'];
  try {
    await run(program, ['-m', 'pip', 'install', ...options, '--target', unfinished, wanted], {
      timeout: INSTALL_WITHIN_MS,
    });
    await rename(unfinished, folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // Another run was first.
    });
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return `python3 cannot install ${wanted}: ${(stderr || message).trim().split('\n').at(-1)}`;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function said(program: string, ...args: string[]): Promise<string | undefined> {
  try {
    return (await run(program, args)).stdout.trim();
  } catch {
    return undefined; // Whatever it is that it has not: it is of no use here.
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
