// Which version of a definition a process runs on: the newest at its start, the same one to its end.
import { patched } from '@temporalio/workflow';
import { complete } from './defaults.ts';
import type { Complete, Versions } from './definition.ts';

/**
 * Asked once, first thing in a workflow, and never in a continued run: that one is live, so `patched` would be true
 * and move it to the newest. Version 1 has no marker, hence the literal: "the lowest that is registered" would answer
 * without a question once version 1 is gone, and the runs of version 2 could not be replayed.
 */
export function chooseVersion(name: string, versions: Versions): number {
  const descending = Object.keys(versions)
    .map(Number)
    .sort((one, other) => other - one);
  for (const version of descending) if (version === 1 || patched(`${name}@${version}`)) return version;
  throw missing(name, versions, 1);
}

/**
 * By version. Each is built and checked once: it is pure, so that all processes of a worker may share it.
 * A plain Error when it is not registered: the task fails and the process waits for the right deploy.
 */
export function definitionsOf(versions: Versions): (name: string, version: number) => Complete {
  const built = new Map<number, Complete>();
  return (name, version) => {
    const build = versions[version];
    if (!build) throw missing(name, versions, version);
    const definition = built.get(version) ?? complete(build());
    built.set(version, definition);
    return definition;
  };
}

function missing(name: string, versions: Versions, version: number): Error {
  return new Error(
    `${name}@${version} is not registered (registered: ${Object.keys(versions).join(', ')}); deploy a worker that has it`,
  );
}
