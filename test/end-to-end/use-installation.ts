// An installation for the tests of a file, or of one of its describes; whatever they did, the database must hold together.
import { afterAll, beforeAll, expect } from 'vitest';
import { wrongInDatabase } from '../support/chains/stored-invariants.ts';
import {
  type Installation,
  type InstallationOptions,
  startInstallation,
  type Vendor,
} from './installation.ts';

/** Gives it from the first test on. */
export function useInstallation(vendor: Vendor, options: InstallationOptions = {}): () => Installation {
  let installation: Installation | undefined;
  beforeAll(async () => {
    installation = await startInstallation(vendor, options);
  });
  afterAll(async () => {
    await using ended = installation;
    if (ended) expect(await wrongInDatabase(ended.service.database)).toEqual([]);
  });
  return () => {
    if (!installation) throw new TypeError('the installation starts before the first test, not before');
    return installation;
  };
}
