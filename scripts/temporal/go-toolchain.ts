// Finds a Go that can build Temporal. From 1.21 on, Go fetches the version that a module asks for by itself; for an
// older one, as in stable distributions, this file does the same: that Go comes as a module, checked like any other.
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The version in Temporal's go.mod. */
export const GO_VERSION = '1.25.0';
const FETCHES_BY_ITSELF_FROM_MINOR = 21;

const downloaded = z.object({ Dir: z.string() });

/** Runs `go` with these arguments, outside any module, and gives its output. */
type RunGo = (...args: string[]) => Promise<string>;

/** The program to call: `go` itself, or the newer one that it has fetched. */
export async function goThatFetchesNewer(
  go: string,
  run: RunGo,
  say: (line: string) => void,
): Promise<string> {
  const version = (await run('version')).trim();
  const minor = /\bgo1\.(\d+)/.exec(version)?.[1];
  if (minor === undefined) throw new Error(`\`go version\` says ${JSON.stringify(version)}, expected go1.x`);
  if (Number(minor) >= FETCHES_BY_ITSELF_FROM_MINOR) return go;
  say(`Go 1.${minor} is too old to build Temporal: fetching Go ${GO_VERSION} with it, about 70 MB`);
  const [system, architecture] = (await run('env', 'GOOS', 'GOARCH')).trim().split('\n');
  const toolchain = `golang.org/toolchain@v0.0.1-go${GO_VERSION}.${system}-${architecture}`;
  const { Dir: root } = downloaded.parse(JSON.parse(await run('mod', 'download', '-json', toolchain)));
  await makeProgramsExecutable(root);
  return join(root, 'bin', 'go');
}

/** A module's files carry no mode. Go marks the same ones when it fetches a toolchain itself. */
async function makeProgramsExecutable(root: string): Promise<void> {
  for (const folder of [join(root, 'bin'), join(root, 'pkg', 'tool')]) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) await chmod(join(entry.parentPath, entry.name), 0o755);
    }
  }
}
